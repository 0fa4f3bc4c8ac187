"""Decisions: whether what is decided here keeps its word, and how much of the records is.

On made-up trials the truth is known, see ``simulation``; pairs of one and the same program have
nothing to tell them apart.
"""

import os
import random
import sys
from collections.abc import Iterator
from itertools import combinations, product

from bench.benchmark import Benchmark
from bench.simulation import (
    NOISES,
    RELATIONS,
    SHAPES,
    SIZES,
    SPREADS,
    Usual,
    tell_apart,
    try_intervals,
    try_looking,
    try_sessions,
)
from making import replace
from poolwise.process import Command, Launcher
from poolwise.record import MOST_SESSIONS
from poolwise.statistics import FEWEST
from scripts.site.judge.needs import take_look
from scripts.site.judge.rounds import LEVELS
from scripts.site.judge.samples import FEWEST_STEADY
from scripts.site.judge.spreads import divide_pairs, fit_spread
from scripts.site.paths import EXAMPLES
from scripts.site.settings import read_settings
from scripts.site.study.pipeline import Pipeline

DRAWS = 2000
SESSION_DRAWS = 1000  # of each of many cases
PAIRS, SIDE_BY_SIDE = 200, 4
PROGRAMS = (
    ("matrix/08-cpu-sequential.py", {"FIBONACCI": "16-22"}),
    ("sleep/02-threads.py", {"TASKS": "4", "LATENCY": "0.005"}),
)
"""Of this project, one that computes and one that waits, made so short that two hundred pairs take minutes."""

ERRORS = 0.05
APART = {1.0: (0.0, ERRORS), 1.05: (0.54, 1.0), 1.1: (0.76, 1.0)}
"""By what a program is made to take longer, and the shares of pairs that may be told apart by it."""
COVERED = 0.95
"""Of a promise of 98.6 %: trials of one burst are alike, and so tell less than as many others would."""
UNDECIDED = 0.06


def try_errors() -> Iterator[Benchmark]:
    """How often the whole looking confirms or refutes what lies exactly at the margin."""
    for relation in RELATIONS:
        for shape, fewest in product(SHAPES, (FEWEST, FEWEST_STEADY)):
            found = [
                try_looking(relation, shape, noise, DRAWS, fewest=fewest).shares for noise in NOISES
            ]
            rates = [(shares.get("confirmed", 0.0), shares.get("refuted", 0.0)) for shares in found]
            told = "; ".join(
                f"{noise:.0%} {confirmed:.1%} and {refuted:.1%}"
                for noise, (confirmed, refuted) in zip(NOISES, rates, strict=True)
            )
            yield Benchmark(
                what=f"“{relation}”, {shape}, from {fewest} trials on: falsely confirmed and refuted at a "
                "noise of",
                value=told,
                budget=f"{ERRORS:.0%} each",
                kept=max(map(max, rates)) <= ERRORS,
            )


def try_sessions_together() -> Iterator[Benchmark]:
    """How often sessions that differ confirm or refute together what lies exactly at the margin."""
    for relation, shape in product(RELATIONS, SHAPES):
        worst = {}
        for count in (1, MOST_SESSIONS):
            rates = []
            for sessions in SPREADS:
                shares = try_sessions(relation, shape, NOISES[1], sessions, count, SESSION_DRAWS)
                rates += [shares.get("confirmed", 0.0), shares.get("refuted", 0.0)]
            worst[count] = max(rates)
        yield Benchmark(
            what=f"“{relation}”, {shape}: falsely decided at worst by so many sessions",
            value=", ".join(f"{count}: {rate:.1%}" for count, rate in worst.items()),
            budget=f"{ERRORS:.0%} each",
            kept=max(worst.values()) <= ERRORS,
        )


def try_coverage() -> Iterator[Benchmark]:
    """How often intervals hold the truth, by how many trials they are of."""
    for shape in SHAPES:
        held = {size: try_intervals(shape, NOISES[1], size, DRAWS) for size in SIZES}
        for place, what in enumerate(("median", "ratio")):
            sure = [shares[place] for size, shares in held.items() if size >= FEWEST]
            yield Benchmark(
                what=f"intervals of a {what} that hold the truth, {shape}, by trials",
                value=", ".join(f"{size}: {shares[place]:.1%}" for size, shares in held.items()),
                budget=f"{COVERED:.1%} from {FEWEST} on",
                kept=min(sure) >= COVERED,
            )


def try_pairs() -> Iterator[Benchmark]:
    """How many pairs of the same program are told apart by all the looks together.

    Several series of trials are taken side by side, and each is held against each: that makes more
    pairs of as many trials. How they spread is told by the first trials of all, as it is known when
    a build looks first.
    """
    told = dict.fromkeys(APART, 0.0)
    count = 0
    with Launcher() as launcher:
        for file, params in PROGRAMS:
            path = EXAMPLES / file
            environment = dict(os.environ) | params
            command = Command(argv=(sys.executable, path.name), env=environment, cwd=path.parent)
            pairs: list[tuple[list[float], list[float]]] = []
            begun: list[list[float]] = []
            while len(pairs) < PAIRS / len(PROGRAMS):
                chance = random.Random(len(pairs))
                series = _run_side_by_side(launcher, command, chance)
                pairs += combinations(series, 2)
                begun += (one[:FEWEST] for one in series)
            usual = Usual(values=fit_spread(begun), ratios=fit_spread(list(divide_pairs(begun))))
            for longer in APART:
                changed = [([longer * wall_s for wall_s in left], right) for left, right in pairs]
                told[longer] += tell_apart(changed, usual) * len(pairs)
            count += len(pairs)
    for longer, (least, most) in APART.items():
        share = told[longer] / count
        yield Benchmark(
            what=f"of {count} pairs of a program and itself × {longer}, up to {LEVELS[-1]} trials "
            "each, told apart",
            value=f"{share:.1%}",
            budget=f"{least:.0%} to {most:.0%}",
            kept=least <= share <= most,
        )


def _run_side_by_side(
    launcher: Launcher, command: Command, chance: random.Random
) -> list[list[float]]:
    """Wall times of series of one program, in rounds: those that ratios are of."""
    series: list[list[float]] = [[] for _ in range(SIDE_BY_SIDE)]
    for _ in range(LEVELS[-1]):
        for one in chance.sample(series, len(series)):
            one.append(launcher.run(command).wall_s)
    return series


def count_decided() -> Iterator[Benchmark]:
    """What of all checks is decided by the records of the quick profile, if there are any."""
    asked = read_settings(os.environ)
    pipeline = Pipeline(replace(asked, profile="quick", measure="nothing"))
    evidences = [pipeline.gather(name) for name in pipeline.experiments]
    look = take_look(evidences, pipeline.declared.claims)
    shares = look.count_shares()
    if shares and all(evidence.judgements for evidence in evidences):
        yield Benchmark(
            what="checks of claims (quick, as recorded)",
            value=", ".join(f"{share:.0%} {status}" for status, share in shares.items()),
            budget=f"{UNDECIDED:.0%} open",
            kept=shares.get("open", 0.0) <= UNDECIDED,
        )
