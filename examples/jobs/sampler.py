"""A sample every 10 ms, and the number crunching next to it: TASKS is how many samples (100)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from time import perf_counter, sleep

from tasks import read_setting

SAMPLES = read_setting("TASKS", 100)
EVERY_S = 0.01


def take_samples() -> list[float]:
    """Take all samples; return how late each of them was, in seconds."""
    start = perf_counter()
    late_s = []
    for number in range(SAMPLES):
        due = start + number * EVERY_S
        sleep(max(0, due - perf_counter()))
        late_s.append(perf_counter() - due)
    return late_s


def crunch() -> int:
    """Compute in pure Python for as long as samples are taken."""
    end = perf_counter() + SAMPLES * EVERY_S
    total = 0
    while perf_counter() < end:
        total += sum(number % 7 for number in range(100))
    return total


def report(late_s: Sequence[float]) -> str:
    """Return how many samples were taken, and how late half of them were."""
    return f"{len(late_s)} samples\nlate {1000 * median(late_s):.3f} ms"
