"""A benchmark: one thing that the bench has measured, against the budget we set."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One thing measured: its value and its budget in words, and whether it keeps to it."""

    what: str
    value: str
    budget: str
    kept: bool
