"""Comparison: rounds of a few programs, as they are, until it is decided which is the fastest.

Each round runs every program once, in shuffled order, and a ratio is of runs of one round. A ratio
is looked at up to four times, at numbers of rounds fixed beforehand, each time with the interval
of ``statistics``: so a winner is named between a program and itself in fewer than 5 of 100 runs.
How often exactly, ``python -m bench yours`` prints.
"""

import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from statistics import fmean, median, stdev

from poolwise.output import read_end, read_output
from poolwise.process import Command, Launcher
from poolwise.record import is_busy
from poolwise.samplers import Sampler, TreeSampler, Usage, find_peak, find_shares
from poolwise.statistics import FURTHEST_FACTOR, Estimate, estimate_pairs

FEWEST_ROUNDS = 5
"""The first look. Of a program with two speeds, three slow runs against three fast ones are too likely."""
MOST_ROUNDS = 250
LOOKS = 4
CLEAR = 1.01
"""A winner is faster by more than this factor. The length of a file's name alone can move a program by
as much (Mytkowicz et al., "Producing wrong data without doing anything obviously wrong", 2009)."""
TIE = 1.02
"""Programs that differ by less than this factor for sure take the same time."""
FOLD = 1.5
"""From this ratio on it is told as a multiple, below it in per cent."""

_ENDS: Mapping[str, str] = {
    "timed-out": "didn't end within {0.wall_s:.0f} s and was stopped; give it less to do, "
    "or more time with --limit",
    "could-not-start": "couldn't be started: {0.error}",
    "killed": "was killed by {0.signal}",
    "exited": "ended with status {0.exit_code}",
    "left-processes": "left {0.leftovers} process(es) running, which were stopped",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    """One run of a program that ended well; ``inside_s`` is the time that it printed, if it did."""

    wall_s: float
    inside_s: float | None
    cpu_s: float
    others_share: float
    printed: str


class Failed(Exception):
    """A program that did not end well or printed something else, or what cannot be tried; a sentence."""


@dataclass(slots=True, kw_only=True)
class Contender:
    """A program in a contest, and its runs so far; the first, which warms up, is not among them.

    ``rank`` says of what ``times_s`` are; ``ratio`` is the time as a multiple of the fastest's, which has none.
    """

    name: str
    command: Command
    laps: list[Lap] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    ratio: Estimate | None = None
    peak_pss_bytes: int | None = None

    @property
    def time_s(self) -> float:
        """The median time."""
        return median(self.times_s)

    @property
    def start_s(self) -> float | None:
        """Seconds before and after the work inside; ``None`` where the program prints no time."""
        told = [lap.wall_s - lap.inside_s for lap in self.laps if lap.inside_s is not None]
        return median(told) if told else None

    @property
    def cores(self) -> float:
        """Cores kept busy, on average."""
        return sum(lap.cpu_s for lap in self.laps) / sum(lap.wall_s for lap in self.laps)


def has_winner(order: Sequence[Contender]) -> bool:
    """Tell whether the first is faster than every other for sure; alone, it has won against nobody."""
    return len(order) > 1 and all(is_slower(one.ratio) for one in order if one.ratio)


def is_slower(ratio: Estimate) -> bool:
    """Tell whether a time is longer for sure."""
    return ratio.low > CLEAR


def is_same(ratio: Estimate) -> bool:
    """Tell whether two times are the same for sure, as far as anybody cares."""
    return ratio.low > 1 / TIE and ratio.high < TIE


def rank(contenders: Sequence[Contender]) -> list[Contender]:
    """Compare contenders of equally many laps with the fastest of them, which comes first.

    What is compared is the time of the work inside if all of them tell it, else that of whole runs.
    """
    is_told = all(lap.inside_s for one in contenders for lap in one.laps)
    for one in contenders:
        one.times_s = [lap.inside_s if is_told and lap.inside_s else lap.wall_s for lap in one.laps]
    ranked = sorted(contenders, key=lambda one: fmean(map(log, one.times_s)))
    for one in ranked:
        one.ratio = estimate_pairs(one.times_s, ranked[0].times_s) if one is not ranked[0] else None
    return ranked


def plan_looks(round_s: float, left_s: float, fewest: int) -> tuple[int, ...]:
    """Return the numbers of rounds at which to look, evenly spaced as ratios, as time permits."""
    fitting = int(left_s / round_s)
    if fitting < FEWEST_ROUNDS:
        return (max(fitting, fewest),)
    most = min(MOST_ROUNDS, fitting)
    spans = ((most / FEWEST_ROUNDS) ** (step / (LOOKS - 1)) for step in range(LOOKS))
    return tuple(sorted({round(FEWEST_ROUNDS * span) for span in spans}))


def hold_contest(
    contenders: Sequence[Contender],
    launcher: Launcher,
    tell: Callable[[str], None],
    budget_s: float,
    *,
    clock: Callable[[], float] = time.monotonic,
    same_output: bool = False,
    fewest: int = FEWEST_ROUNDS,
    dropped: list[str] | None = None,
    check: Callable[[Contender, Lap], None] = lambda contender, lap: None,
    is_settled: Callable[[Estimate], bool] = lambda ratio: is_slower(ratio) or is_same(ratio),
) -> list[Contender]:
    """Warm up, then run rounds until all is decided or the time is spent; gives the fastest first.

    ``fewest`` rounds, at least two, are run also if there is no time for them. A contender that does
    not end well ends the contest; with a list of those ``dropped`` it is left out, and told there.
    ``check`` raises ``Failed`` where a lap is no good; the contest ends once each ratio ``is_settled``.
    """
    running, chance, began_s = [*contenders], random.Random(0), clock()

    def run(one: Contender, sampler: Sampler | None = None) -> None:
        try:
            lap = run_lap(launcher, one.name, one.command, sampler)
            check(one, lap)
            one.laps.append(lap)
        except Failed as failure:
            if dropped is None:
                raise
            dropped.append(str(failure))
            running.remove(one)
            if not running:
                raise Failed(" ".join(dropped)) from None

    for one in contenders:
        tell(f"warm-up: {one.name}")
        sampler = TreeSampler()
        run(one, sampler)
        one.peak_pss_bytes = find_peak(sampler.trace)
    if same_output:
        check_outputs(running)
    for one in running:
        one.laps.clear()
    round_s = clock() - began_s
    looks = plan_looks(max(round_s, 1e-3), budget_s - round_s, fewest)
    for number in range(1, looks[-1] + 1):
        left_s = (looks[-1] - number + 1) * round_s
        tell(f"round {number}, at most {left_s:.0f} s left")
        for one in chance.sample(running, len(running)):
            run(one)
        if number in looks:
            ranked = rank(running)
            if all(is_settled(one.ratio) for one in ranked if one.ratio):
                break
    return ranked


def check_outputs(contenders: Sequence[Contender]) -> None:
    """See to it that all printed the same when they last ran."""
    (first, expected), *others = ((one.name, one.laps[-1].printed) for one in contenders)
    for name, printed in others:
        if printed != expected:
            said = f"{name} printed {_quote(printed)}, but {first} printed {_quote(expected)}."
            raise Failed(said)


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[:60]}…”" if len(line) > 60 else f"“{line}”"


def run_lap(launcher: Launcher, name: str, command: Command, sampler: Sampler | None = None) -> Lap:
    """Run a program once; ``Failed`` says in a sentence how it ended otherwise than well."""
    before = Usage.read()
    outcome = launcher.run(command, sampler)
    after = Usage.read()
    if not outcome.ok or outcome.leftovers:
        said = read_end(outcome.stderr).strip().splitlines()[-1:]
        words = f" Its last words: {said[0]}" if said else ""
        code = outcome.reason.code if outcome.reason else "left-processes"
        raise Failed(f"{name} {_ENDS[code].format(outcome)}.{words}")
    output = read_output(outcome.stdout, ())
    return Lap(
        wall_s=outcome.wall_s,
        inside_s=output.inside_s,
        cpu_s=outcome.cpu_s,
        others_share=find_shares(before, after, outcome.cpu_s)[1],
        printed=output.rest,
    )


def describe_order(order: Sequence[Contender]) -> str:
    """Say in a sentence who is the fastest, by how much and how sure that is; or that nobody is."""
    first, second, *more = order
    rounds = len(first.laps)
    if second.ratio and has_winner(order):
        which, than = (
            ("the fastest", f"the next, {second.name}") if more else ("faster", second.name)
        )
        return (
            f"{first.name} is {which}: it {describe_gain(second.ratio, than)}. "
            f"Decided after {rounds} rounds. Fewer than 5 in 100 such contests "
            "name a program faster than itself."
        )
    tied = {one.name: one.ratio for one in order if one.ratio and not is_slower(one.ratio)}
    names = " and ".join([first.name, *tied])
    bound = max(max(one.high, 1 / one.low) for one in tied.values())
    share = f"{say((bound - 1) * 100)}%" if bound < 2 else f"{say(bound)} times"
    excluded = f"a difference of more than {share} is ruled out"
    if bound > FURTHEST_FACTOR:
        excluded = "no difference is ruled out yet"
    if all(map(is_same, tied.values())):
        return f"No winner: {names} take the same time. After {rounds} rounds, {excluded}."
    return f"Too close to call: {names}. After {rounds} rounds, {excluded}."


def say(number: float, digits: int = 2) -> str:
    """Say a number in so many digits, a large one as people write it: 150, not 1.5e+02."""
    return f"{float(f'{number:.{digits}g}'):.15g}"


def describe_gain(ratio: Estimate, other: str) -> str:
    """Say a ratio of times above one, with its interval: “is 2.1 times as fast as b.py (2 to 2.3)”."""
    fold = say(ratio.median)
    fast = f"{'twice' if fold == '2' else f'{fold} times'} as fast as {other}"
    ends = f"{say(ratio.low)} to {say(ratio.high)}"
    if ratio.is_unknown:
        return f"is about {fast} (its interval isn't known yet)"
    if ratio.low <= 1:
        return f"is about {fast} (not for sure: {ends})"
    if ratio.median >= FOLD:
        # An interval that rounds to one number is in that already.
        return f"is {fast}" + (f" ({ends})" if ends != f"{fold} to {fold}" else "")
    less = [f"{say((1 - 1 / end) * 100)}%" for end in (ratio.median, ratio.low, ratio.high)]
    return f"takes {less[0]} less time than {other} ({less[1]} to {less[2]})"


def describe_noise(contenders: Sequence[Contender]) -> str:
    """Say how much runs of one program differed, and whether others kept the machine busy."""
    spread = max(stdev(map(log, one.times_s)) for one in contenders)
    text = f"Runs of the same program differed by {spread:.1%} (standard deviation)."
    busy = median(lap.others_share for one in contenders for lap in one.laps)
    if is_busy(busy, os.cpu_count() or 1):
        text += f" Other programs kept {busy:.1f} cores busy: close them for a sharper answer."
    return text
