"""A benchmark: one thing that the bench has measured, against the budget we set."""

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One thing measured: its value and its budget in words, and whether it keeps to it."""

    what: str
    value: str
    budget: str
    kept: bool

    @classmethod
    def bound(cls, what: str, value: float, most: float, unit: str) -> Self:
        """What has to be at most so much, both in one unit."""
        told, budget = f"{value:.1f} {unit}", f"{most:g} {unit}"
        return cls(what=what, value=told, budget=budget, kept=value <= most)
