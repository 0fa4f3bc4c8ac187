"""A judgement: what one record says by itself and inside its family."""

from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from scripts.declare.claim import Verdict
from scripts.judge.sample import Sample
from scripts.judge.spreads import Spreads
from scripts.judge.statistics import Estimate, estimate_median
from scripts.records.record import Record

TimeMetric = Literal["inside_s", "wall_s"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A record, and what was made of it inside its family, ``None`` where nothing was measured.

    ``noise`` holds flags from ``judge.noise``. ``floor_s`` is the time below which physics does
    not let this variant go. ``time`` names the metric by which its family is compared there;
    ``baseline`` is what it is compared with: the record of its family's baseline at the same size
    in the same place; ``speedup`` is the baseline's time divided by this one's. These and the
    verdict are ``None`` where no baseline was measured. ``spreads`` are those of all that was measured
    on the machine.
    """

    record: Record
    time: TimeMetric = "wall_s"
    noise: tuple[str, ...] = ()
    floor_s: float | None = None
    baseline: Record | None = None
    speedup: Estimate | None = None
    verdict: Verdict | None = None
    spreads: Spreads = field(default=Spreads(), compare=False, repr=False)

    @property
    def wall(self) -> Estimate | None:
        """The wall time, as a person waits for it."""
        return self.estimate("wall_s")

    def sample(self, name: str) -> Sample:
        """A metric or a reading, a value per trial that gave it, with how far such values differ."""
        return self.spreads.sample(self.record, name)

    def estimate(self, name: str) -> Estimate | None:
        """A metric or a reading; ``None`` where nothing was measured."""
        values = self.sample(name) if self.record.status == "ok" else ()
        return estimate_median(values) if values else None

    def median(self, name: str) -> float | None:
        """That of a metric or a reading alone, where nobody asks how sure it is."""
        values = self.record.list_values(name) if self.record.status == "ok" else ()
        return median(values) if values else None
