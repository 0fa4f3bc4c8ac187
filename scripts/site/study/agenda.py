"""Agenda: what a run of all experiments says of itself: its stages, and what it left unfinished."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, structs

from poolwise.experiment import ProfileName
from poolwise.output import align
from poolwise.progress import format_duration, report
from poolwise.record import LONGEST_PAUSE, Session, read_boot
from poolwise.store import RecordsError, read_bytes, replace_file

FILE = ".measuring"  # in a folder of results, while something is left to be measured
LARGEST_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a run: what is to be done in it, and the seconds that it should take."""

    name: str
    work: str
    estimate_s: float


class Agenda:
    """The stages of a run, in order; what each should take is estimated again when one begins."""

    def __init__(self, stages: Iterable[Stage] = ()) -> None:
        self._stages = {stage.name: stage for stage in stages}

    def describe(self) -> list[str]:
        """Return a line with the time of the whole run, and one for each stage with its share."""
        total_s = self.estimate(self._stages)
        if len(self._stages) < 2 or not total_s:
            return []
        rows = []
        for name, stage in self._stages.items():
            share = f"{stage.estimate_s / total_s:.0%}"
            duration = f"about {format_duration(stage.estimate_s)}"
            rows.append((f"  {self._label(name)}", duration, share, stage.work))
        return [f"About {format_duration(total_s)} in all:", *align(rows, 1)]

    def begin(self, name: str, stages: Iterable[Stage] = ()) -> str:
        """Say that a stage begins, with what it and later ones are estimated at now; return its label."""
        for stage in stages:
            if stage.name in self._stages:
                self._stages[stage.name] = stage
        if name not in self._stages:
            return name
        names, stage, label = list(self._stages), self._stages[name], self._label(name)
        left_s = self.estimate(names[names.index(name) :])
        duration, left = format_duration(stage.estimate_s), format_duration(left_s)
        report(f"{label}: {stage.work}, about {duration}; about {left} left in all")
        return label

    def estimate(self, names: Iterable[str]) -> float:
        """Estimate the seconds of some stages; what is none of this run takes no time."""
        return sum(self._stages[name].estimate_s for name in names if name in self._stages)

    def _label(self, name: str) -> str:
        return f"{list(self._stages).index(name) + 1}/{len(self._stages)} {name}"


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
        at, place = self.saved_at.astimezone(), ""
        if self.experiment:
            place = f" in {self.experiment}"
        kept = f"({self.kept} of {self.planned} trials kept)"
        if self.goes_on(now):
            return f"The last run was cut off at {at:%H:%M}{place} {kept}: continuing it"
        over = "its session is over, so only what has no valid record is measured"
        return f"The last run was cut off on {at:%Y-%m-%d at %H:%M}{place} {kept}: {over}"


def read_unfinished(results: Path) -> Unfinished | None:
    """Read what a run has left; ``None`` where it ended in order, or its note cannot be read."""
    with suppress(ValueError, RecordsError):
        if data := read_bytes(results / FILE, LARGEST_BYTES):
            return msgspec.json.decode(data, type=Unfinished)
    return None
