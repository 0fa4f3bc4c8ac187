"""Progress: what runs now, which round, how much is done, how much time is left."""

import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TextIO

PLAIN_INTERVAL_S = 10.0
"""Where lines cannot be rewritten (a log), one is written that often at most."""
CLEAR = "\r\x1b[K"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One trial to come. ``kind`` says which trials take about the same time: of a variant and pass."""

    label: str
    kind: Hashable
    round: int
    rounds: int
    estimate_s: float


class Progress:
    """Tells on ``stream`` how far the work is.

    On a terminal one line that rewrites itself; otherwise plain lines, one every
    ``PLAIN_INTERVAL_S`` at most, and always the first and the last. A trial should take the
    median of what those of its kind have taken; where none has run, its estimate, corrected by
    how the kinds that have compare with theirs.

    Args:
        work: everything to be done, in order.
        stream: where to write.
        clock: seconds, never backwards.
        budget_s: how long trials may take from now on, these and those that will follow them.
    """

    def __init__(
        self,
        work: Sequence[Work],
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        budget_s: float = 0.0,
    ) -> None:
        self._work = work
        self._stream = stream
        self._clock = clock
        self._rewrites = stream.isatty()
        self._taken_s: dict[Hashable, list[float]] = defaultdict(list)
        self._done = 0
        self._budget_s = budget_s
        self._began_s = self._started_s = clock()
        self._written_s: float | None = None

    @property
    def left_s(self) -> float:
        """Seconds until the trials that have not ended and those that will follow should be over."""
        taken = {kind: median(times) for kind, times in self._taken_s.items()}
        known = [(taken[work.kind], work.estimate_s) for work in self._work if work.kind in taken]
        expected_s = sum(estimate for _, estimate in known)
        correction = sum(real for real, _ in known) / expected_s if expected_s else 1.0
        planned_s = sum(
            taken.get(work.kind, work.estimate_s * correction) for work in self._work[self._done :]
        )
        return max(planned_s, self._budget_s - sum(map(sum, self._taken_s.values())))

    @property
    def took_s(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._began_s

    def start(self) -> None:
        """The next trial begins."""
        self._started_s = self._clock()
        self._show()

    def finish(self) -> None:
        """The running trial has ended."""
        self._taken_s[self._work[self._done].kind].append(self._clock() - self._started_s)
        self._done += 1

    def note(self, text: str) -> None:
        """Say something that stays, on a line of its own."""
        self._write(f"{CLEAR if self._rewrites else ''}{text}\n")

    def close(self) -> None:
        """Say how it ended: everything done, or how much of it."""
        self.note(f"{self._done}/{len(self._work)} trials in {format_duration(self.took_s)}")

    def _show(self) -> None:
        now = self._clock()
        work = self._work[self._done]
        line = (
            f"{self._done}/{len(self._work)} · round {work.round}/{work.rounds} · "
            f"{format_duration(self.left_s)} left · {work.label}"
        )
        if self._rewrites:
            self._write(CLEAR + line[: shutil.get_terminal_size().columns - 1])
        elif self._written_s is None or now - self._written_s >= PLAIN_INTERVAL_S:
            self._written_s = now
            self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def format_duration(seconds: float) -> str:
    """``42 s``, ``3 min 05 s`` or ``1 h 02 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
