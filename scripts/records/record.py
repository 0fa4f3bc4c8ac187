"""Records: what the trials of one variant gave, with everything needed to interpret it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from scripts.declare.metrics import METRICS
from scripts.declare.reason import Reason
from scripts.records.variant import Status, Trial, Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The trials of one variant so far. Timed trials give times; traced trials give memory.

    ``timed`` and ``traced`` hold the trials that did their work. One that did not ends the
    variant: its ``status``, ``reason`` and last lines of ``stderr`` are the record's.
    ``printed`` is what the program wrote, without time and readings, in the timed trial that other
    programs disturbed least: the shortest. ``fingerprint`` says what the record is valid for.
    ``disturbed`` holds timed trials that did theirs while others were busy, and were repeated.
    ``seed`` is that of the shuffled rounds, ``packages`` the pins of what the program imports.
    """

    variant: Variant
    profile: str
    fingerprint: str
    seed: int
    packages: Mapping[str, str] = field(default_factory=dict)
    status: Status = "ok"
    reason: Reason | None = None
    stderr: str = ""
    printed: str = ""
    timed: tuple[Trial, ...] = ()
    traced: tuple[Trial, ...] = ()
    disturbed: tuple[Trial, ...] = ()
    measured_at: datetime

    @property
    def is_begun(self) -> bool:
        """Whether anything was tried, or cannot be."""
        return self.status != "ok" or bool(self.timed or self.traced or self.disturbed)

    @property
    def may_change(self) -> bool:
        """Whether it might come out otherwise if it was tried again."""
        offline = self.reason is not None and self.reason.code == "not-fetched"
        return self.status in ("failed", "timeout") or offline

    @property
    def walls_s(self) -> list[float]:
        """How long the timed trials took, as a person waits."""
        return [trial.wall_s for trial in self.timed]

    def list_values(self, name: str) -> list[float]:
        """A metric or a reading, a value per trial that gave it."""
        is_traced = name in METRICS and METRICS[name].traced
        values = (trial.read(name) for trial in (self.traced if is_traced else self.timed))
        return [value for value in values if value is not None]


def add_trial(
    record: Record, trial: Trial, *, traced: bool, now: datetime, repeats: int = 0
) -> Record:
    """The record with one more trial, or ended by it if the trial did not do its work.

    A timed trial that was disturbed does not count, unless ``repeats`` of the record already do
    not: then it is taken as it is.
    """
    if trial.status != "ok":
        return replace(
            record,
            status=trial.status,
            reason=trial.reason,
            stderr=trial.stderr,
            measured_at=now,
        )
    record = replace(record, measured_at=now)
    if not traced and trial.is_disturbed and len(record.disturbed) < repeats:
        return replace(record, disturbed=(*record.disturbed, trial))
    if not record.timed or (
        not traced and _find_length(trial) < min(map(_find_length, record.timed))
    ):
        record = replace(record, printed=trial.printed)
    if traced:
        return replace(record, traced=(*record.traced, trial))
    return replace(record, timed=(*record.timed, trial))


def _find_length(trial: Trial) -> float:
    inside_s = trial.read("inside_s")
    return trial.wall_s if inside_s is None else inside_s
