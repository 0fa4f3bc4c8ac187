"""A benchmark: one thing that the bench has measured, against the budget we set."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
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


def print_findings(findings: Iterable[Benchmark]) -> int:
    """Print what was found, a line each; the exit status says whether all of it is kept."""
    status = 0
    for finding in findings:
        mark = "kept  " if finding.kept else "MISSED"
        print(f"{mark}  {finding.what}: {finding.value} (budget: {finding.budget})", flush=True)
        status = status if finding.kept else 1
    return status


def estimate_share(count: int, of: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share, of which ``count`` of so many trials are a sample.

    Source: Journal of the American Statistical Association, 1927.
    """
    square = NormalDist().inv_cdf(0.975) ** 2
    middle = (count + square / 2) / (of + square)
    half = sqrt(square * (count * (of - count) / of + square / 4)) / (of + square)
    return middle - half, middle + half
