"""Load: how much of the cores others take, before trials and during them.

Others are programs, and the host where it gives time to other machines (*steal*). Busy is what
disturbs a trial: ``record.is_busy``.
"""

import os
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from statistics import median

import psutil

from poolwise.plan import name_cores
from poolwise.progress import report
from poolwise.record import DISTURBED_S, DISTURBED_SHARE, FEWEST_CORES, Trial, is_busy
from poolwise.samplers import Usage, find_shares

LOOK_S = 1.0
RECENT_TRIALS = 20
# A look weighs as much as so many trials: two that were disturbed do not make a machine busy.
TRIALS_OF_A_LOOK = 5
# A shorter trial says too little of others: what is busy might not disturb it.
LEAST_TRIAL_S = DISTURBED_S / (DISTURBED_SHARE * FEWEST_CORES)
LEAST_SHOWN = 0.05  # fewer cores would be shown as 0.0
MOST_BUSY_PROGRAMS = 3
LEAST_PERCENT = 10  # a program that uses less of a core is not worth ending


@dataclass(frozen=True, slots=True)
class Load:
    """How many of some ``cores`` other programs kept busy, and how many the host gave to other machines."""

    others: float
    stolen: float
    cores: int

    @property
    def is_busy(self) -> bool:
        """Tell whether a trial on all of the cores would be disturbed."""
        return is_busy(self.others + self.stolen, self.cores)

    def __str__(self) -> str:
        """The load in a line of progress: ``others 1.5 of 2 cores``."""
        return self._tell("others", "the host")

    def describe(self, programs: str = "") -> str:
        """Say what is wrong, which ``programs`` it is if that is known, and what to do about it."""
        what = self._tell("other programs take", "the host takes")
        remedy = "End them: until then"
        if self.stolen > self.others:
            programs, remedy = "", "It serves other machines, which you can't end. While it does,"
        which = f": {programs}" if programs else ""
        return f"{what[0].upper()}{what[1:]}{which}. {remedy} many comparisons of times stay undecided."

    def describe_past(self) -> str:
        """Say who took how much: ``other programs took 1.5 of 2 cores``."""
        return self._tell("other programs took", "the host took")

    def _tell(self, others: str, host: str) -> str:
        parts = [
            f"{who} {cores:.1f}"
            for who, cores in ((others, self.others), (host, self.stolen))
            if cores >= LEAST_SHOWN
        ]
        return f"{' and '.join(parts)} of {name_cores([self.cores])}"


def find_median(loads: Iterable[Load]) -> Load:
    """Find the median of what others took, and of what the host did."""
    loads = list(loads)
    others, stolen = median(load.others for load in loads), median(load.stolen for load in loads)
    return Load(others, stolen, loads[0].cores)


def name_busiest() -> str:
    """Name the programs that have used most CPU time since the last call: ``firefox 0.8, java 0.5``."""
    percents: Counter[str] = Counter()  # of a core
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            percents[process.name()] += round(process.cpu_percent())
    busiest = percents.most_common(MOST_BUSY_PROGRAMS)
    return ", ".join(f"{name} {used / 100:.1f}" for name, used in busiest if used >= LEAST_PERCENT)


def can_ask() -> bool:
    """Tell whether a person at a terminal sees a question and can answer it."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    with suppress(OSError):  # it may be the terminal of others
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()  # else reading would stop the build
    return False


class Meter:
    """The load of the usable ``cores`` of a machine, by looks at it and by its timed trials.

    ``read`` reads what the system counts, ``rest`` waits for so many seconds, and gives whether somebody
    wants to go on.
    """

    def __init__(
        self,
        cores: tuple[int, ...],
        read: Callable[[], Usage] = Usage.read,
        rest: Callable[[float], bool | None] = time.sleep,
    ) -> None:
        self._cores = cores
        self._read = read
        self._rest = rest
        self._recent: deque[Load] = deque(maxlen=RECENT_TRIALS)
        self._disturbed: list[Load] = []
        self._trials = 0
        self._has_warned = False

    @property
    def load(self) -> Load:
        """The load of late, zero before the first look."""
        return find_median(self._recent or [Load(0.0, 0.0, len(self._cores))])

    def begin(self) -> None:
        """Look at the machine before its first trial, and warn if it is busy."""
        if not self._recent:
            name_busiest()
            self._look()
            self._warn(name_busiest())

    def add(self, trial: Trial, cores: int) -> None:
        """Note what others took from a timed trial on some of the cores, and warn once if that is much."""
        scale = max(len(self._cores), FEWEST_CORES) / max(cores, FEWEST_CORES)
        load = Load(
            (trial.values.get("others_share") or 0.0) * scale,
            (trial.values.get("stolen_share") or 0.0) * scale,
            len(self._cores),
        )
        self._trials += 1
        if trial.is_disturbed(cores):
            self._disturbed.append(load)
        if trial.wall_s >= LEAST_TRIAL_S:
            self._recent.append(load)
        self._warn()

    def _look(self) -> bool:
        """Look for a second at what others take; give whether somebody wants to go on before it is over."""
        before = self._read()
        if self._rest(LOOK_S):
            return True
        stolen, others = find_shares(before, self._read(), 0.0, self._cores)
        load = Load(others, stolen or 0.0, len(self._cores))
        self._recent = deque([load] * TRIALS_OF_A_LOOK, maxlen=RECENT_TRIALS)
        return False

    def _warn(self, programs: str = "") -> None:
        if self.load.is_busy and not self._has_warned:
            self._has_warned = True
            report(self.load.describe(programs))
