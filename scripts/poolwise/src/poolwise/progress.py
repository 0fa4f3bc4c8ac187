"""Progress: how far the trials of a run are, and how long the rest may take."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from shutil import get_terminal_size
from statistics import median
from threading import Event, Lock, Thread
from time import monotonic
from typing import Self, TextIO

from poolwise.output import CLEAR_LINE, defuse
from poolwise.plan import Step
from poolwise.record import Variant

LOG_INTERVAL_S = 10.0  # where a line cannot rewrite itself (a log), one is written that often


class Bar:
    """A line that says how far a stage is: it rewrites itself on a terminal, elsewhere it comes now and then.

    What takes long in one piece is no silence: the line is written again meanwhile.
    """

    def __init__(
        self,
        stage: str,
        total: int,
        stream: TextIO | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._stream, self._clock = stream or sys.stderr, clock
        self._stage, self._total = stage, total
        self._done, self._text, self._changed_s = 0, "", clock()
        self._written_s = -LOG_INTERVAL_S
        self._lock, self._ended = Lock(), Event()
        self._thread = Thread(target=self._repeat, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def show(self, done: int, text: str) -> None:
        """Say how much is done, and what is going on."""
        with self._lock:
            self._done, self._text, self._changed_s = done, text, self._clock()
            self._write()

    def close(self) -> None:
        """Take the line off a terminal."""
        self._ended.set()
        self._thread.join()  # no process is forked while a thread runs
        if self._stream.isatty():
            print(CLEAR_LINE, end="", file=self._stream, flush=True)

    def _repeat(self) -> None:
        while not self._ended.wait(LOG_INTERVAL_S):
            with self._lock:
                same_s = self._clock() - self._changed_s
                is_old = same_s >= LOG_INTERVAL_S
                self._write(f" · for {format_duration(same_s)}" if is_old else "")

    def _write(self, since: str = "") -> None:
        line = f"{self._stage} {self._done}/{self._total} · {self._text}{since}".strip()
        if self._stream.isatty():
            line = line[: get_terminal_size().columns - 1]
            print(f"{CLEAR_LINE}{line}", end="", file=self._stream, flush=True)
        elif self._clock() - self._written_s >= LOG_INTERVAL_S:
            self._written_s = self._clock()
            print(line, file=self._stream, flush=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The ``stage`` of some trials, the time that these and later ones of it have, and what other stages take."""

    stage: str = ""
    budget_s: float = 0.0
    later_s: float = 0.0


NOTHING_ELSE = Outlook()


@dataclass
class Progress:
    """Writes on ``stream`` how far trials are.

    A trial should take the median of what those of its variant and pass have taken; where none has
    run, its estimate, corrected by how those that have compare with theirs.
    """

    steps: Sequence[Step]
    stream: TextIO
    clock: Callable[[], float] = monotonic
    outlook: Outlook = NOTHING_ELSE
    _taken_s: dict[tuple[Variant, bool], list[float]] = field(default_factory=dict, init=False)
    _done: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._began_s = self._started_s = self.clock()
        self._bar = Bar(self.outlook.stage, len(self.steps), self.stream, self.clock)

    @property
    def left_s(self) -> float:
        """Seconds until the trials that have not ended and all that will follow should be over."""
        taken = {kind: median(times) for kind, times in self._taken_s.items()}
        known = [step for step in self.steps if step.kind in taken]
        expected_s = sum(step.estimate_s for step in known)
        took_s = sum(taken[step.kind] for step in known)
        correction = took_s / expected_s if expected_s else 1.0
        left = self.steps[self._done :]
        planned_s = sum(taken.get(step.kind, step.estimate_s * correction) for step in left)
        budget_left_s = self.outlook.budget_s - sum(map(sum, self._taken_s.values()))
        return max(planned_s, budget_left_s) + self.outlook.later_s

    @property
    def took_s(self) -> float:
        """Seconds since the beginning."""
        return self.clock() - self._began_s

    def start(self, load: str = "") -> None:
        """The next trial begins, under a ``load`` that is worth a word."""
        self._started_s = self.clock()
        left = format_duration(self.left_s)
        self._bar.show(self._done, f"{left} left · {load}{self.steps[self._done].label}")

    def finish(self) -> None:
        """The running trial has ended."""
        taken_s = self._taken_s.setdefault(self.steps[self._done].kind, [])
        taken_s.append(self.clock() - self._started_s)
        self._done += 1

    def close(self) -> None:
        """Say how it ended: everything done, or how much of it."""
        self._bar.close()
        done = f"{self._done}/{len(self.steps)} trials in {format_duration(self.took_s)}"
        print(f"{self.outlook.stage} {done}".strip(), file=self.stream, flush=True)


def format_duration(seconds: float) -> str:
    """``42 s``, ``3 min 05 s`` or ``1 h 02 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def report(text: str) -> None:
    """Tell a person who watches a build, in the place of a line of progress if there is any."""
    start = CLEAR_LINE if sys.stderr.isatty() else ""
    print(f"{start}{defuse(text)}", file=sys.stderr, flush=True)
