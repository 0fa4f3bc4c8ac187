"""Progress: what runs now, which round, how much is done, how much time is left."""

import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TextIO

from scripts.harness.plan import Step
from scripts.harness.record import Variant

PLAIN_INTERVAL_S = 10.0
"""Where lines cannot be rewritten (a log), one is written that often at most."""
CLEAR = "\r\x1b[K"


@dataclass
class Progress:
    """Tells on ``stream`` how far the work is.

    On a terminal one line that rewrites itself; otherwise plain lines, one every
    ``PLAIN_INTERVAL_S`` at most, and always the first and the last. A trial should take the
    median of what those of its variant and pass have taken; where none has run, its estimate,
    corrected by how those that have compare with theirs.

    ``budget_s`` is how long trials may take from now on, these and those that will follow them.
    """

    steps: Sequence[Step]
    stream: TextIO
    clock: Callable[[], float] = time.monotonic
    budget_s: float = 0.0
    _taken_s: dict[tuple[Variant, bool], list[float]] = field(
        default_factory=lambda: defaultdict(list), init=False
    )
    _done: int = field(default=0, init=False)
    _written_s: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Look at the clock."""
        self._began_s = self._started_s = self.clock()

    @property
    def left_s(self) -> float:
        """Seconds until the trials that have not ended and those that will follow should be over."""
        taken = {kind: median(times) for kind, times in self._taken_s.items()}
        known = [one for one in self.steps if find_kind(one) in taken]
        expected_s = sum(one.estimate_s for one in known)
        took_s = sum(taken[find_kind(one)] for one in known)
        correction = took_s / expected_s if expected_s else 1.0
        planned_s = sum(
            taken.get(find_kind(one), one.estimate_s * correction)
            for one in self.steps[self._done :]
        )
        return max(planned_s, self.budget_s - sum(map(sum, self._taken_s.values())))

    @property
    def took_s(self) -> float:
        """Seconds since the beginning."""
        return self.clock() - self._began_s

    def start(self) -> None:
        """The next trial begins."""
        self._started_s = self.clock()
        self._show()

    def finish(self) -> None:
        """The running trial has ended."""
        self._taken_s[find_kind(self.steps[self._done])].append(self.clock() - self._started_s)
        self._done += 1

    def note(self, text: str) -> None:
        """Say something that stays, on a line of its own."""
        self._write(f"{CLEAR if self.stream.isatty() else ''}{text}\n")

    def close(self) -> None:
        """Say how it ended: everything done, or how much of it."""
        self.note(f"{self._done}/{len(self.steps)} trials in {format_duration(self.took_s)}")

    def _show(self) -> None:
        now = self.clock()
        step = self.steps[self._done]
        line = (
            f"{self._done}/{len(self.steps)} · round {step.round + 1}/{step.rounds} · "
            f"{format_duration(self.left_s)} left · {step.label}"
        )
        if self.stream.isatty():
            self._write(CLEAR + line[: shutil.get_terminal_size().columns - 1])
        elif self._written_s is None or now - self._written_s >= PLAIN_INTERVAL_S:
            self._written_s = now
            self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()


def find_kind(step: Step) -> tuple[Variant, bool]:
    """The variant and the pass of a trial: others of the same take about as long."""
    return step.variant, step.traced


def format_duration(seconds: float) -> str:
    """``42 s``, ``3 min 05 s`` or ``1 h 02 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
