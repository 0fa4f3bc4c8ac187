"""Laws of scaling: how much of a program does not get faster with more workers.

- Amdahl: the serial part takes a share of the time on one core, and no cores shorten it
  (Amdahl, "Validity of the single processor approach to achieving large scale computing
  capabilities", AFIPS Spring Joint Computer Conference, 1967).
- The Universal Scalability Law adds the time that workers spend on one another, which grows with
  the square of their number (Gunther, "Guerrilla Capacity Planning", 2007, chapters 4 to 6).

Both are fitted by least squares, of relative deviations.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

Points = Sequence[tuple[float, float]]
"""Numbers of workers or cores, ascending, each with a measured value."""
FEWEST_POINTS = 4
"""The Universal Scalability Law needs so many: its three parameters go through any three points."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """The Universal Scalability Law of a program.

    ``rate`` is what one worker does a second, ``contention`` the share that is done in order,
    ``coherency`` the share that each pair of workers costs.
    """

    rate: float
    contention: float
    coherency: float

    def find_throughput(self, workers: float) -> float:
        """The work that so many workers do a second."""
        delay = self.contention * (workers - 1) + self.coherency * workers * (workers - 1)
        return self.rate * workers / (1 + delay)

    @property
    def peak(self) -> float:
        """The number of workers that do most; infinite if more are always better."""
        if not self.coherency:
            return math.inf
        return math.sqrt(max(1 - self.contention, 0) / self.coherency)


def fit_amdahl(times_s: Points) -> float:
    """Fit the share of the time on one core that is serial, from 0 to 1.

    Args:
        times_s: on one core and on others, in seconds.
    """
    single_s = times_s[0][1]
    shrinking = [1 - 1 / cores for cores, _ in times_s]
    excess = [time_s / single_s - 1 / cores for cores, time_s in times_s]
    share = np.dot(shrinking, excess) / np.dot(shrinking, shrinking)
    return float(np.clip(share, 0, 1))


def fit_scaling(throughputs: Points) -> Scaling:
    """Fit the law to what was done a second; no parameter is below zero.

    Args:
        throughputs: with ``FEWEST_POINTS`` numbers of workers at least.
    """
    workers, done = np.array(throughputs).T
    # N/X is linear in what is looked for; divided by what was measured, each point counts alike.
    terms = np.column_stack([np.ones_like(workers), workers - 1, workers * (workers - 1)])
    terms *= (done / workers)[:, None]
    fits = []
    for used in ([0, *more] for count in range(3) for more in combinations((1, 2), count)):
        found, *_ = np.linalg.lstsq(terms[:, used], np.ones_like(workers))
        if min(found) >= 0:
            whole = np.zeros(3)
            whole[used] = found
            fits.append((float(np.sum((terms @ whole - 1) ** 2)), whole))
    _, (base, contention, coherency) = min(fits, key=lambda fit: fit[0])
    return Scaling(float(1 / base), float(contention / base), float(coherency / base))
