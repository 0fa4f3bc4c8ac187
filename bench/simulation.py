"""Simulation: how often what decides here errs, on made-up trials of which the truth is known.

Trials are drawn in rounds, a trial of each side, as a machine gives them: a shape of their own
noise, and on top of it bursts in which the machine is slower for a while, whoever runs then. They
are looked at as the pipeline looks at them: at each of ``LEVELS`` until they are decided, and beside
what other programs of the session tell of how such trials spread. Where several sessions are drawn,
each has its own ratio besides, and other ratios tell how far sessions differ.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from poolwise.record import MOST_SESSIONS
from poolwise.statistics import FEWEST, Estimate
from scripts.site.declare.claims import Relation
from scripts.site.judge.decisions import DECIDED, STATUSES, UNSETTLED, ClaimStatus, decide
from scripts.site.judge.rounds import LEVELS
from scripts.site.judge.samples import Sample, Spread, estimate_ratio, estimate_sample
from scripts.site.judge.sessions import LEAST, Repeated, estimate_spread, pool
from scripts.site.judge.spreads import divide_pairs, fit_spread

Shape = Literal["normal", "log-normal", "bursts", "rounds", "apart", "unlike", "two speeds"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
RELATIONS: tuple[Relation, ...] = ("less", "more", "equal")
NOISES = (0.02, 0.10, 0.30)
SIZES = (2, 3, 4, 5, 7, 11, 21, 41)
MARGIN = 1.25
SEED = 2026

UNLIKE = 3
"""How many times as much the second program spreads, where the two are unlike; all others of the session
spread as the first, which misleads most."""
ALIKE: Mapping[Shape, Shape] = {"unlike": "log-normal", "apart": "rounds"}
"""Where the rest of the session is not like the two programs that are compared. Those apart share nothing
in a round, which all others do."""
OTHERS = 30
"""How many other programs a session has, each with the fewest trials that decide anything."""
SESSION = 20
"""How many draws are taken in a session."""
SLOW_SHARE, SLOWER = 0.5, 1.6
"""Of programs of two speeds: how often they run at the slow one, and how much longer they take then. No
machine does worse than to draw for each trial anew."""
BURST_BEGINS, BURST_ENDS = 0.1, 0.3
"""The chance that with the next trial a burst begins, or that the one there is has ended."""
BURST_SLOWER = (1.2, 1.6)
"""How many times longer a trial takes in a burst, at least and at most."""


Sessions = tuple[float, float]
SPREADS: tuple[Sessions, ...] = ((0.03, inf), (0.10, inf), (0.06, 3.0))
"""Between sessions: the standard deviation of the logarithm of a ratio, and the degrees of freedom of
its distribution, Student's."""
REPEATED = 60
"""Of how many ratios of other experiments there are several sessions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    """How trials of a session spread, and how ratios of trials of one round do."""

    values: Spread | None
    ratios: Spread | None

    def sample(self, values: Sequence[float], fewest: int = FEWEST) -> Sample:
        """Trials of a program that runs back to back with all others; ``fewest`` decide anything."""
        return Sample(values, self.values, paired=self.ratios, block="one", fewest=fewest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looking:
    """What the looking came to in many draws: the share of each status, and trials of a side."""

    shares: dict[ClaimStatus, float]
    trials: float


def draw_trials(
    generator: np.random.Generator, shape: Shape, noise: float, rounds: int, ratio: float = 1.0
) -> tuple[list[float], list[float]]:
    """Trials of two programs, of which the first takes ``ratio`` times as long.

    Args:
        generator: where chance comes from.
        shape: of the noise; all but the normal one are log-normal besides what they are called.
        noise: standard deviation, as a share of the median.
        rounds: how many trials of each.
        ratio: of their medians, in truth.
    """
    size = (rounds, 2)
    if shape == "normal":
        walls = np.maximum(1 + noise * generator.standard_normal(size), 0.05)
    else:
        walls = np.exp(np.sqrt(np.log1p(noise**2)) * generator.standard_normal(size))
    if shape == "two speeds":
        walls = walls * np.where(generator.random(size) < SLOW_SHARE, SLOWER, 1.0)
    if shape == "bursts":
        walls = walls * _draw_bursts(generator, walls.size).reshape(size)
    if shape == "rounds":  # what slows one program of a round slows the other
        walls = walls * np.exp(noise * generator.standard_normal((rounds, 1)))
    if shape == "apart":
        walls = walls * np.exp(noise * generator.standard_normal(size))
    walls = generator.permuted(walls, axis=1)  # the order of a round is shuffled
    left, right = walls[:, 0] * ratio, walls[:, 1]
    return left.tolist(), (right**UNLIKE if shape == "unlike" else right).tolist()


def draw_usual(generator: np.random.Generator, shape: Shape, noise: float) -> Usual:
    """What the other programs of a session show of how trials spread."""
    alike = ALIKE.get(shape, shape)
    pairs = [draw_trials(generator, alike, noise, FEWEST) for _ in range(OTHERS // 2)]
    sides = [side for pair in pairs for side in pair]
    return Usual(values=fit_spread(sides), ratios=fit_spread(list(divide_pairs(sides))))


def _draw_bursts(generator: np.random.Generator, trials: int) -> NDArray[np.float64]:
    """By how many times each of successive trials is slower."""
    chances, slower = generator.random(trials), np.ones(trials)
    factor = 1.0
    for place, chance in enumerate(chances):
        if factor == 1.0 and chance < BURST_BEGINS:
            factor = generator.uniform(*BURST_SLOWER)
        elif factor > 1.0 and chance < BURST_ENDS:
            factor = 1.0
        slower[place] = factor
    return slower


def look_until_decided(
    generator: np.random.Generator,
    relation: Relation,
    shape: Shape,
    noise: float,
    usual: Usual,
    truth: float = MARGIN,
    fewest: int = FEWEST,
) -> tuple[ClaimStatus, int]:
    """What a comparison with ``MARGIN`` comes to, and after how many trials a side, at first ``fewest``.

    ``usual`` is how trials spread by the rest of the session. ``truth`` is the ratio as ``Comparison``
    turns it: at the margin itself every decision is wrong as soon as the truth lies a hair on the
    other side, so that no truth is worse.
    """
    left, right = draw_trials(generator, shape, noise, LEVELS[-1], truth)
    status: ClaimStatus = "open"
    for level in (fewest, *LEVELS[1:]):
        sides = (usual.sample(side[:level], fewest) for side in (left, right))
        outcome = decide(relation, MARGIN, estimate_ratio(*sides))
        status = STATUSES[outcome]
        if outcome not in UNSETTLED:
            return status, level
    return status, LEVELS[-1]


def try_looking(
    relation: Relation,
    shape: Shape,
    noise: float,
    draws: int,
    truth: float = MARGIN,
    fewest: int = FEWEST,
) -> Looking:
    """What the looking comes to in so many draws."""
    generator = _begin(relation, shape, noise)
    found: list[tuple[ClaimStatus, int]] = []
    while len(found) < draws:
        usual = draw_usual(generator, shape, noise)
        found += [
            look_until_decided(generator, relation, shape, noise, usual, truth, fewest)
            for _ in range(min(SESSION, draws - len(found)))
        ]
    counts = Counter(status for status, _ in found)
    return Looking(
        shares={status: count / draws for status, count in counts.items()},
        trials=sum(level for _, level in found) / draws,
    )


def draw_effect(generator: np.random.Generator, spread: float, freedom: float) -> float:
    """Draw the factor by which a session's ratio is off; of few degrees of freedom a few are far off."""
    if freedom == inf:
        return float(np.exp(spread * generator.standard_normal()))
    scale = spread / sqrt(freedom / (freedom - 2))
    return float(np.exp(scale * generator.standard_t(freedom)))


def draw_between(
    generator: np.random.Generator, shape: Shape, noise: float, usual: Usual, sessions: Sessions
) -> float:
    """What ratios of other experiments tell of how far sessions differ."""
    repeated: list[Repeated] = []
    for _ in range(REPEATED):
        means = []
        for _ in range(MOST_SESSIONS):
            effect = draw_effect(generator, *sessions)
            sides = draw_trials(generator, ALIKE.get(shape, shape), noise, FEWEST, effect)
            ratio = estimate_ratio(*map(usual.sample, sides))
            if ratio.mean:
                means.append(ratio.mean)
        repeated.append(
            Repeated(experiment="others", kind="time", saturates=False, means=tuple(means))
        )
    return max(estimate_spread(repeated), LEAST["time"])


def try_sessions(
    relation: Relation,
    shape: Shape,
    noise: float,
    sessions: Sessions,
    count: int,
    draws: int,
    truth: float = MARGIN,
) -> dict[ClaimStatus, float]:
    """The shares of what so many sessions say together, each looked at until all there are decide."""
    generator = _begin(relation, shape, noise, sessions, count)
    statuses: Counter[ClaimStatus] = Counter()
    for draw in range(draws):
        if draw % SESSION == 0:
            usual = draw_usual(generator, shape, noise)
            between = draw_between(generator, shape, noise, usual, sessions)
        estimates: list[Estimate] = []
        status: ClaimStatus = "open"
        for _ in range(count):
            ratio = truth * draw_effect(generator, *sessions)
            left, right = draw_trials(generator, shape, noise, LEVELS[-1], ratio)
            for level in LEVELS:
                estimate = estimate_ratio(usual.sample(left[:level]), usual.sample(right[:level]))
                pooled = pool([*estimates, estimate], between)
                status = STATUSES[decide(relation, MARGIN, pooled)]
                if status in DECIDED:
                    break
            estimates.append(estimate)
        statuses[status] += 1
    return {status: number / draws for status, number in statuses.items()}


def try_intervals(shape: Shape, noise: float, size: int, draws: int) -> tuple[float, float]:
    """In which share of draws the interval holds the true median, and the true ratio of two."""
    generator = _begin(shape, noise, size)
    centre = float(np.median(draw_trials(generator, shape, noise, 200_000)[0]))
    medians = ratios = 0
    for draw in range(draws):
        if draw % SESSION == 0:
            usual = draw_usual(generator, shape, noise)
        left, right = (usual.sample(one) for one in draw_trials(generator, shape, noise, size))
        median, ratio = estimate_sample(left), estimate_ratio(left, right)
        medians += median.low <= centre <= median.high
        ratios += ratio.low <= 1 <= ratio.high
    return medians / draws, ratios / draws


def _begin(*case: object) -> np.random.Generator:
    """Chance of its own for each case, the same each time."""
    return np.random.default_rng([SEED, *repr(case).encode()])


def tell_apart(pairs: Sequence[tuple[Sequence[float], Sequence[float]]], usual: Usual) -> float:
    """The share of pairs of samples of which one is said to be larger, at any look.

    ``usual`` is how such values spread.
    """
    sides = ((usual.sample(left), usual.sample(right)) for left, right in pairs)
    found = [
        [estimate_ratio(left.turn(left[:level]), right.turn(right[:level])) for level in LEVELS]
        for left, right in sides
    ]
    apart = [any(not one.low <= 1 <= one.high for one in looks) for looks in found]
    return sum(apart) / len(apart)
