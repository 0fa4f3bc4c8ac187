"""A judgement: what one record says by itself and inside its family."""

from dataclasses import dataclass

from scripts.declare.claim import Verdict
from scripts.records.record import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A median with its bootstrap 95 % interval."""

    median: float
    low: float
    high: float

    @property
    def is_point(self) -> bool:
        """Whether the interval has no width, as that of a single trial: then it says nothing."""
        return self.low == self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A record with its estimates. Estimates and verdict are ``None`` where nothing was measured.

    ``cpu_share`` is (user + system) ÷ wall, so 2.0 is two cores busy all the time. ``noise`` holds
    flags from ``judge.noise``. ``floor_s`` is the time below which physics does
    not let this variant go. ``baseline`` is what it is compared with: the record of its family's
    baseline at the same size in the same place; ``speedup`` is the baseline's wall time divided by
    this one's. These and the verdict are ``None`` where no baseline was measured.
    """

    record: Record
    wall_s: Estimate | None = None
    inside_s: Estimate | None = None
    user_s: Estimate | None = None
    system_s: Estimate | None = None
    cpu_share: float | None = None
    peak_pss_bytes: Estimate | None = None
    max_rss_bytes: Estimate | None = None
    noise: tuple[str, ...] = ()
    floor_s: float | None = None
    baseline: Record | None = None
    speedup: Estimate | None = None
    verdict: Verdict | None = None
