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
from typing import Literal

from scripts.harness.output import read_end, read_output
from scripts.harness.process import Command, Launcher, Outcome
from scripts.harness.record import DISTURBED_SHARE
from scripts.harness.samplers import Sampler, TreeSampler, Usage, find_shares
from scripts.harness.statistics import FURTHEST_FACTOR, Estimate, estimate_pairs

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

Answer = Literal["faster", "same", "open"]


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

    ``is_whole`` has its whole runs compared, even if it prints the time of the work inside.
    """

    name: str
    command: Command
    laps: list[Lap] = field(default_factory=list)
    peak_pss_bytes: int | None = None
    is_whole: bool = False

    @property
    def tells_time(self) -> bool:
        """Tell whether each run printed the time of the work inside."""
        return all(lap.inside_s for lap in self.laps)

    @property
    def times_s(self) -> list[float]:
        """The times that are compared: of the work inside where it is told, else of the whole."""
        if self.is_whole or not self.tells_time:
            return [lap.wall_s for lap in self.laps]
        return [lap.inside_s for lap in self.laps if lap.inside_s]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The state of a contest: each contender's time as a multiple of the first's, the fastest first."""

    order: tuple[Contender, ...]
    ratios: Mapping[str, Estimate]

    @property
    def answer(self) -> Answer:
        """Tell whether the first is faster than every other for sure, or all take the same time."""
        ratios = self.ratios.values()
        if ratios and all(map(is_slower, ratios)):  # alone, one has won against nobody
            return "faster"
        return "same" if ratios and all(map(is_same, ratios)) else "open"

    @property
    def is_decided(self) -> bool:
        """Tell whether no more rounds are needed: every ratio is clear, one way or the other."""
        return all(is_slower(one) or is_same(one) for one in self.ratios.values())


def is_slower(ratio: Estimate) -> bool:
    """Tell whether a time is longer for sure."""
    return ratio.low > CLEAR


def is_same(ratio: Estimate) -> bool:
    """Tell whether two times are the same for sure, as far as anybody cares."""
    return ratio.low > 1 / TIE and ratio.high < TIE


def stand(contenders: Sequence[Contender]) -> Standing:
    """Compare contenders of equally many laps with the fastest of them.

    Like is compared with like: where one does not tell the time of its work, whole runs are.
    """
    is_whole = not all(one.tells_time for one in contenders)
    for one in contenders:
        one.is_whole = is_whole
    order = sorted(contenders, key=lambda one: fmean(map(log, one.times_s)))
    first, *others = order
    ratios = {one.name: estimate_pairs(one.times_s, first.times_s) for one in others}
    return Standing(order=tuple(order), ratios=ratios)


def plan_looks(round_s: float, left_s: float, fewest: int) -> tuple[int, ...]:
    """Return the numbers of rounds at which to look, evenly spaced as ratios, as time permits."""
    fitting = int(left_s / round_s)
    if fitting < FEWEST_ROUNDS:
        return (max(fitting, fewest),)
    most = min(MOST_ROUNDS, fitting)
    spans = ((most / FEWEST_ROUNDS) ** (step / (LOOKS - 1)) for step in range(LOOKS))
    return tuple(sorted({round(FEWEST_ROUNDS * span) for span in spans}))


@dataclass(slots=True)
class Contest:
    """Runs contenders in rounds.

    One that does not end well ends the contest, or if that ``drops`` it, is put into ``dropped``.
    """

    contenders: list[Contender]
    launcher: Launcher
    tell: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    drops: bool = field(default=False, kw_only=True)
    dropped: dict[str, str] = field(default_factory=dict, init=False)
    _chance: random.Random = field(default_factory=lambda: random.Random(0), init=False)

    def run(
        self, budget_s: float, *, same_output: bool = False, fewest: int = FEWEST_ROUNDS
    ) -> Standing:
        """Warm up, then run rounds until all is decided or the time is spent.

        ``fewest`` rounds, at least two, are run also if there is no time for them.
        """
        began_s = self.clock()
        for one in [*self.contenders]:
            self.tell(f"warm-up: {one.name}")
            self._run_lap(one, TreeSampler())
        if same_output:
            check_outputs(self.contenders)
        for one in self.contenders:
            one.laps.clear()
        round_s = self.clock() - began_s
        looks = plan_looks(max(round_s, 1e-3), budget_s - round_s, fewest)
        for number in range(1, looks[-1] + 1):
            left_s = (looks[-1] - number + 1) * round_s
            self.tell(f"round {number}, at most {left_s:.0f} s left")
            for one in self._chance.sample(self.contenders, len(self.contenders)):
                self._run_lap(one)
            if number in looks and (standing := stand(self.contenders)).is_decided:
                break
        return standing

    def _run_lap(self, one: Contender, sampler: Sampler | None = None) -> None:
        """Run a contender once more; with a sampler, its peak of memory is measured."""
        try:
            lap, peak_bytes = run_lap(self.launcher, one.name, one.command, sampler)
        except Failed as failure:
            self.dropped[one.name] = str(failure)
            self.contenders.remove(one)
            if not self.drops or not self.contenders:
                raise Failed(" ".join(self.dropped.values())) from None
            return
        one.laps.append(lap)
        if sampler:
            one.peak_pss_bytes = peak_bytes


def check_outputs(contenders: Sequence[Contender]) -> None:
    """See to it that all printed the same when they last ran."""
    (first, expected), *others = ((one.name, one.laps[-1].printed) for one in contenders)
    for name, printed in others:
        if printed != expected:
            said = f"{name} printed {_quote(printed)}, but {first} printed {_quote(expected)}."
            raise Failed(said)


def run_lap(
    launcher: Launcher, name: str, command: Command, sampler: Sampler | None = None
) -> tuple[Lap, int | None]:
    """Run a program once; gives its lap and, with a sampler, its peak PSS in bytes."""
    before = Usage.read()
    outcome = launcher.run(command, sampler)
    after = Usage.read()
    if not outcome.ok or outcome.leftovers:
        raise Failed(describe_failure(name, outcome))
    output = read_output(outcome.stdout, ())
    lap = Lap(
        wall_s=outcome.wall_s,
        inside_s=output.inside_s,
        cpu_s=outcome.cpu_s,
        others_share=find_shares(before, after, outcome.cpu_s)[1],
        printed=output.rest,
    )
    return lap, outcome.memory.peak_bytes if outcome.memory else None


def describe_failure(name: str, outcome: Outcome) -> str:
    """Say in a sentence how a program ended, with the last line that it wrote to stderr."""
    said = read_end(outcome.stderr).strip().splitlines()[-1:]
    words = f" Its last words: {said[0]}" if said else ""
    if outcome.timed_out:
        late = f"{name} didn't end within {outcome.wall_s:.0f} s and was stopped"
        return f"{late}; give it less to do, or more time with --limit.{words}"
    if outcome.error:
        return f"{name} couldn't be started: {outcome.error}."
    if outcome.signal:
        return f"{name} was killed by {outcome.signal}.{words}"
    if outcome.exit_code:
        return f"{name} ended with status {outcome.exit_code}.{words}"
    return f"{name} left {outcome.leftovers} process(es) running, which were stopped."


def describe_standing(standing: Standing) -> str:
    """Say in a sentence who is the fastest, by how much and how sure that is; or that nobody is."""
    first, second = standing.order[:2]
    ratio = standing.ratios[second.name]
    rounds = len(first.laps)
    if standing.answer == "faster":
        which = "the fastest" if len(standing.order) > 2 else "faster"
        than = f"the next, {second.name}" if len(standing.order) > 2 else second.name
        return (
            f"{first.name} is {which}: it {describe_gain(ratio, than)}. "
            f"Decided after {rounds} rounds. Fewer than 5 in 100 such contests "
            "name a program faster than itself."
        )
    tied = {name: one for name, one in standing.ratios.items() if not is_slower(one)}
    names = " and ".join([first.name, *tied])
    bound = max(max(one.high, 1 / one.low) for one in tied.values())
    share = f"{(bound - 1) * 100:.2g}%" if bound < 2 else f"{bound:.2g} times"
    excluded = f"a difference of more than {share} is ruled out"
    if bound > FURTHEST_FACTOR:
        excluded = "no difference is ruled out yet"
    if all(map(is_same, tied.values())):
        return f"No winner: {names} take the same time. After {rounds} rounds, {excluded}."
    return f"Too close to call: {names}. After {rounds} rounds, {excluded}."


def describe_gain(ratio: Estimate, other: str) -> str:
    """Say a ratio of times above one, with its interval: “is 2.1 times as fast as b.py (2 to 2.3)”."""
    fold = f"{ratio.median:.2g}"
    fast = f"{'twice' if fold == '2' else f'{fold} times'} as fast as {other}"
    ends = f"{ratio.low:.2g} to {ratio.high:.2g}"
    if ratio.is_unknown:
        return f"is about {fast} (its interval isn't known yet)"
    if ratio.low <= 1:
        return f"is about {fast} (not for sure: {ends})"
    if ratio.median >= FOLD:
        # An interval that rounds to one number is in that already.
        return f"is {fast}" + (f" ({ends})" if ends != f"{fold} to {fold}" else "")
    less = [f"{(1 - 1 / end) * 100:.2g}%" for end in (ratio.median, ratio.low, ratio.high)]
    return f"takes {less[0]} less time than {other} ({less[1]} to {less[2]})"


def describe_noise(contenders: Sequence[Contender]) -> str:
    """Say how much runs of one program differed, and whether others kept the machine busy."""
    spread = max(stdev(map(log, one.times_s)) for one in contenders)
    text = f"Runs of the same program differed by {spread:.1%} (standard deviation)."
    busy = median(lap.others_share for one in contenders for lap in one.laps)
    if busy > DISTURBED_SHARE * (os.cpu_count() or 1):
        text += f" Other programs kept {busy:.1f} cores busy: close them for a sharper answer."
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A contender in the table and in ``mine.json``; the fastest has no ``ratio``."""

    name: str
    time_s: float
    ratio: Estimate | None
    start_s: float | None
    cores: float
    peak_pss_bytes: int | None


def list_rows(standing: Standing) -> list[Row]:
    """Return a row for each contender, the fastest first."""
    return [
        Row(
            name=one.name,
            time_s=one.time_s,
            ratio=standing.ratios.get(one.name),
            start_s=one.start_s,
            cores=one.cores,
            peak_pss_bytes=one.peak_pss_bytes,
        )
        for one in standing.order
    ]


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[:60]}…”" if len(line) > 60 else f"“{line}”"
