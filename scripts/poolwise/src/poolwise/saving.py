"""Saving: how often records are written while programs are measured, and what an unfinished run leaves."""

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Annotated

import msgspec
from msgspec import Meta, structs

from poolwise.experiment import ProfileName
from poolwise.record import LONGEST_PAUSE, Record, Session, read_boot
from poolwise.store import RecordsError, Store, read_bytes, replace_file

SAVE_EVERY_S = 2.0
"""Seconds between two saves at least."""
SAVE_SHARE = 1 / 50
"""Share of the time that saving may take: a file of megabytes is saved less often."""
FILE = ".measuring"
"""In a folder of results, while something is left to be measured."""
LARGEST_NOTE_BYTES = 1 << 16


class Unfinished(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run that has not measured everything yet: ``kept`` of the trials ``planned`` in its present stage.

    What the pattern ``again`` matches is to be measured in its session whatever is recorded; ``None``
    matches nothing, and an empty one everything.
    """

    session: Session
    profile: ProfileName
    interpreters: str
    again: str | None
    experiment: str = ""
    kept: int = 0
    planned: int = msgspec.field(default=0, name="asked")
    saved_at: Annotated[datetime, Meta(tz=True)]

    def goes_on(self, now: datetime) -> bool:
        """Tell whether a run that begins now may go on with its session."""
        is_here = self.session.endswith(f"-{read_boot()}")
        return is_here and now - self.saved_at <= LONGEST_PAUSE

    def describe(self, now: datetime) -> str:
        """Say when and where it was cut off, and what becomes of it."""
        at, there = self.saved_at.astimezone(), f" in {self.experiment}" if self.experiment else ""
        kept = f"({self.kept} of {self.planned} trials kept)"
        if self.goes_on(now):
            return f"The last run was cut off at {at:%H:%M}{there} {kept}: going on with it"
        over = "its session is over, so only what has no valid record is measured"
        return f"The last run was cut off on {at:%Y-%m-%d at %H:%M}{there} {kept}: {over}"


def read_unfinished(results: Path) -> Unfinished | None:
    """Read what a run has left; ``None`` where it ended in order, or its note cannot be read."""
    path = results / FILE
    with suppress(ValueError, RecordsError):
        data = read_bytes(path, LARGEST_NOTE_BYTES)
        return msgspec.json.decode(data, type=Unfinished) if data else None
    return None


@dataclass
class Saver:
    """Saves a store while its programs run: after the first trial, then as often as saving is cheap.

    ``planned`` is the number of trials to come. What is left of ``run``, if given, is noted with each save.
    """

    store: Store
    planned: int
    run: Unfinished | None = None
    _kept: int = field(default=0, init=False)
    _experiment: str = field(default="", init=False)
    _due_s: float = field(default=0.0, init=False)

    def keep(self, record: Record) -> None:
        """Keep a record with one more trial, and save if enough time has passed since the last save."""
        self.store.put(record)
        self._kept += 1
        self._experiment = record.experiment
        if monotonic() >= self._due_s:
            self.save()

    def save(self) -> None:
        """Save, and note how far the run is."""
        began_s = monotonic()
        self.store.save()
        self.note()
        ended_s = monotonic()
        self._due_s = ended_s + max(SAVE_EVERY_S, (ended_s - began_s) / SAVE_SHARE)

    def note(self) -> None:
        """Note how far the run is."""
        if self.run:
            left = structs.replace(
                self.run,
                experiment=self._experiment,
                kept=self._kept,
                planned=self.planned,
                saved_at=datetime.now(UTC),
            )
            replace_file(self.store.folder / FILE, msgspec.json.encode(left))
