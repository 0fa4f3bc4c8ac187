"""Unfinished: the note that a run leaves while something is left to be measured."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, structs

from poolwise.experiment import ProfileName
from poolwise.record import LONGEST_PAUSE, Session, read_boot
from poolwise.store import RecordsError, read_bytes, replace_file

FILE = ".measuring"
"""In a folder of results, while something is left to be measured."""
LARGEST_BYTES = 1 << 16


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

    def note(self, folder: Path, experiment: str, kept: int, planned: int) -> None:
        """Note in a folder of results how far the run is."""
        changes = {"experiment": experiment, "kept": kept, "planned": planned}
        left = structs.replace(self, **changes, saved_at=datetime.now(UTC))
        replace_file(folder / FILE, msgspec.json.encode(left))

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
        data = read_bytes(path, LARGEST_BYTES)
        return msgspec.json.decode(data, type=Unfinished) if data else None
    return None
