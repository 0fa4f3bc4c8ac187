"""Comparison: rounds of a few programs, as they are, until it is decided which is the fastest.

Each round runs every program once, in shuffled order, and the next in the reverse of it, so that
none comes first more often. A ratio is of runs of one round, and is looked at up to four times, at
numbers of rounds fixed beforehand, each time with the interval of ``statistics``: so a winner is
named between a program and itself in fewer than 5 of 100 runs. How often exactly, ``python -m bench
contests`` prints.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import ceil, inf, log
from statistics import fmean, median, stdev
from typing import Literal

from poolwise.load import Load, find_median
from poolwise.machine import usable_cores
from poolwise.metrics import ROUNDING_S
from poolwise.output import read_end, read_output
from poolwise.process import Command, Launcher, Outcome
from poolwise.samplers import Sampler, TreeSampler, Usage, find_peak, find_shares
from poolwise.statistics import FURTHEST_FACTOR, Estimate, estimate_pairs
from poolwise.words import Failed, Message, Undecided

# The first look. Of a program with two speeds, three slow runs against three fast ones are too
# likely.
FEWEST_ROUNDS = 5
MOST_ROUNDS = 250
LOOKS = 4
# A winner is faster by more than this factor. The length of a file's name alone can move a program
# by as much (Mytkowicz et al., "Producing wrong data without doing anything obviously wrong",
# 2009).
CLEAR = 1.01
TIE = 1.02  # programs that differ by less than this factor for sure take the same time
FOLD = 1.5  # a ratio from this one on is said as a multiple, below it in per cent
# The smallest difference that a sentence speaks of: clocks and rounding tell no smaller one.
LEAST_SHARE = 0.001
WARM_UP_EXCESS = 2  # a first run takes up to so many times as long as those after it
# Work that takes less of a run than this is lost in the time that starting Python takes.
SHORTEST_SHARE = 0.01
LONGEST_QUOTE = 60

Verdict = Literal["winner", "same", "not-known"]

# The function of multiprocessing in which a child runs a program again, and fails without a guard.
_NO_GUARD = "_fixup_main_from_path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    """One run of a program that ended well; ``inside_s`` is the time that it printed, if it did.

    ``load`` is what other programs and the host took of the cores meanwhile.
    """

    wall_s: float
    inside_s: float | None
    cpu_s: float
    load: Load
    printed: str


@dataclass(slots=True, kw_only=True)
class Contender:
    """A program in a contest, and its runs so far; the first, which warms up, is not among them.

    ``rank`` says of what ``times_s`` are; ``ratio`` is the time as a multiple of the fastest's, which has
    none. One with a ``fault`` is out.
    """

    name: str
    command: Command
    laps: list[Lap] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    ratio: Estimate | None = None
    peak_pss_bytes: int | None = None
    fault: Message | None = None

    @property
    def time_s(self) -> float:
        """The median time."""
        return median(self.times_s)

    @property
    def start_s(self) -> float | None:
        """Seconds before and after the work inside; ``None`` where the program prints no time."""
        rests_s = [lap.wall_s - lap.inside_s for lap in self.laps if lap.inside_s is not None]
        if not rests_s:
            return None
        return max(0.0, median(rests_s))

    @property
    def cores(self) -> float:
        """Cores kept busy, on average."""
        return sum(lap.cpu_s for lap in self.laps) / sum(lap.wall_s for lap in self.laps)


def is_slower(ratio: Estimate) -> bool:
    """Tell whether a time is longer for sure."""
    return ratio.low > CLEAR


def is_settled(ratio: Estimate, tie: float = TIE) -> bool:
    """Tell whether a time is longer for sure, or the same within the factor of a tie."""
    return is_slower(ratio) or (ratio.low > 1 / tie and ratio.high < tie)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a contest is held.

    With fewer than the ``fewest`` rounds there is no answer, with fewer than ``least`` contenders no
    contest. Exactly so many ``rounds`` are run where their number is set. Who ``doubts_times`` holds those
    that are printed and compared against the wall. ``check`` raises ``Failed`` where a lap is no good; the
    contest ends once each ratio is settled, with this ``tie``.
    """

    fewest: int = FEWEST_ROUNDS
    least: int = 1
    rounds: int | None = None
    warm_ups: int = 1
    same_output: bool = False
    whole: bool = False
    doubts_times: bool = False
    check: Callable[[Contender, Lap], None] | None = None
    tie: float = TIE


def rank(contenders: Sequence[Contender], *, whole: bool = False) -> list[Contender]:
    """Compare contenders of equally many laps with the fastest of them, which comes first.

    The time of the work inside is compared if all of them print it, else that of whole runs.
    """
    whole = whole or not all(map(_prints_time, contenders))
    for contender in contenders:
        contender.times_s = [lap.wall_s for lap in contender.laps]
        if not whole:
            contender.times_s = [lap.inside_s or 0.0 for lap in contender.laps]
    ranked = sorted(contenders, key=lambda contender: fmean(map(log, contender.times_s)))
    for contender in ranked:
        contender.ratio = None
        if contender is not ranked[0]:
            contender.ratio = estimate_pairs(contender.times_s, ranked[0].times_s)
    return ranked


def _prints_time(contender: Contender) -> bool:
    return all(lap.inside_s for lap in contender.laps)


def plan_looks(round_s: float, left_s: float, fewest: int) -> tuple[int, ...]:
    """Return the numbers of rounds at which to look, evenly spaced as ratios, as time permits."""
    fitting = int(left_s / round_s)
    if fitting < FEWEST_ROUNDS:
        return (max(fitting, fewest),)
    most = min(MOST_ROUNDS, fitting)
    spans = ((most / FEWEST_ROUNDS) ** (step / (LOOKS - 1)) for step in range(LOOKS))
    return tuple(sorted({round(FEWEST_ROUNDS * span) for span in spans}))


class _TimeUp(Exception):
    """The time of a contest is up in the middle of a run."""


@dataclass(slots=True, kw_only=True)
class _Contest:
    """Contenders that are still ``running``, after so many whole ``rounds``, and the time that they have."""

    running: list[Contender]
    launcher: Launcher
    tell: Callable[[Message], None]
    rules: Rules
    until_s: float
    clock: Callable[[], float]
    rounds: int = 0
    round_s: float = 0.0
    checks_times: bool = False
    faults: list[Message] = field(default_factory=list)

    @property
    def left_s(self) -> float:
        """Seconds until the time is up."""
        return self.until_s - self.clock()

    def warm_up(self) -> None:
        """Run each contender before its time counts, see its memory, and note how long a round takes."""
        began_s = self.clock()
        for _ in range(self.rules.warm_ups):
            for contender in [*self.running]:
                self.tell(Message("comparison.warm-up", {"name": contender.name}))
                sampler = TreeSampler()
                self.run(contender, sampler)
                contender.peak_pss_bytes = find_peak(sampler.trace)
        self.round_s = max((self.clock() - began_s) / self.rules.warm_ups, 1e-3)
        if self.rules.same_output:
            check_outputs(self.running)
        # Where whole runs are compared, nobody minds what times are printed.
        self.checks_times = self.rules.doubts_times and all(map(_prints_time, self.running))
        for contender in [*self.running]:
            lap = contender.laps.pop()
            contender.laps.clear()
            if self.checks_times:
                self.judge(contender, lap)
                contender.laps.clear()

    def run_rounds(self) -> None:
        """Run rounds until all is decided, or as many as there are to be."""
        rules, chance = self.rules, random.Random(0)
        order: list[Contender] = []
        if self.left_s * WARM_UP_EXCESS < self.round_s * rules.fewest:
            raise _TimeUp
        looks = plan_looks(self.round_s, self.left_s, rules.fewest)
        if rules.rounds:
            looks = (rules.rounds,)
        while self.rounds < looks[-1]:
            values = {"number": self.rounds + 1, "left_s": (looks[-1] - self.rounds) * self.round_s}
            self.tell(Message("comparison.round", values))
            order.reverse()
            if self.rounds % 2 == 0:
                order = chance.sample(self.running, len(self.running))
            for contender in order:
                if not contender.fault:
                    self.run(contender)
            self.rounds += 1
            if self.rounds in looks:
                ratios = [contender.ratio for contender in self.rank() if contender.ratio]
                if all(is_settled(ratio, rules.tie) for ratio in ratios):
                    break

    def run(self, contender: Contender, sampler: Sampler | None = None) -> None:
        """Run a contender once; one that fails is out, and with too few left the contest is over."""
        if self.left_s <= 0:
            raise _TimeUp
        limit_s = min(contender.command.timeout_s or inf, self.left_s)
        command = replace(contender.command, timeout_s=limit_s)
        try:
            lap = run_lap(self.launcher, contender.name, command, sampler)
        except Failed as failure:
            if self.left_s <= 0:
                raise _TimeUp from None
            self.drop(contender, failure)
        else:
            self.judge(contender, lap)

    def judge(self, contender: Contender, lap: Lap) -> None:
        """Take a lap that is in order; a contender whose lap is not is out."""
        try:
            if self.checks_times:
                check_time(contender, lap)
            if self.rules.check:
                self.rules.check(contender, lap)
            contender.laps.append(lap)
        except Failed as failure:
            self.drop(contender, failure)

    def drop(self, contender: Contender, failure: Failed) -> None:
        """Leave a contender out; with too few left the contest is over."""
        contender.fault = failure.message
        self.faults.append(failure.message)
        self.running.remove(contender)
        if len(self.running) < self.rules.least:
            raise Failed("comparison.faults", faults=self.faults)

    def rank(self) -> list[Contender]:
        """Compare those that are left by whole rounds."""
        for contender in self.running:
            del contender.laps[self.rounds :]
        return rank(self.running, whole=self.rules.whole)


def hold_contest(
    contenders: Sequence[Contender],
    launcher: Launcher,
    tell: Callable[[Message], None],
    budget_s: float,
    rules: Rules = Rules(),
    clock: Callable[[], float] = time.monotonic,
) -> list[Contender]:
    """Warm up, then run rounds until all is decided or the time is spent; gives the fastest first.

    A contender that does not end well is left out, and has a ``fault``. ``Undecided`` says that the
    time did not suffice.
    """
    contest = _Contest(
        running=[*contenders],
        launcher=launcher,
        tell=tell,
        rules=rules,
        until_s=clock() + budget_s,
        clock=clock,
    )
    try:
        contest.warm_up()
        contest.run_rounds()
    except _TimeUp:
        if contest.rounds < min(rules.rounds or inf, rules.fewest):
            if not contest.round_s:
                raise Undecided("comparison.much-too-short") from None
            needed_s = 1 + ceil((rules.warm_ups + 1 + rules.fewest) * contest.round_s)
            values = {"rounds": contest.rounds, "needed_s": needed_s}
            raise Undecided("comparison.too-short", **values) from None
    return contest.rank()


def check_outputs(contenders: Sequence[Contender]) -> None:
    """See to it that all printed the same when they last ran."""
    first, *others = contenders
    expected = first.laps[-1].printed
    for contender in others:
        printed = contender.laps[-1].printed
        if printed != expected:
            names = {"name": contender.name, "first": first.name}
            quotes = {"printed": _quote(printed), "expected": _quote(expected)}
            raise Failed("comparison.other-output", **names, **quotes)


def _quote(text: str) -> str:
    line = " ".join(text.split())
    if len(line) > LONGEST_QUOTE:
        return f"{line[:LONGEST_QUOTE]}…"
    return line


def run_lap(launcher: Launcher, name: str, command: Command, sampler: Sampler | None = None) -> Lap:
    """Run a program once; ``Failed`` says in a sentence how it ended otherwise than well."""
    before = Usage.read()
    outcome = launcher.run(command, sampler)
    after = Usage.read()
    if not outcome.ok or outcome.leftovers or _NO_GUARD in outcome.stderr:
        raise Failed(describe_end(name, outcome))
    output = read_output(outcome.stdout, ())
    stolen, others = find_shares(before, after, outcome.cpu_s)
    return Lap(
        wall_s=outcome.wall_s,
        inside_s=output.inside_s,
        cpu_s=outcome.cpu_s,
        load=Load(others, stolen or 0.0, len(usable_cores())),
        printed=output.rest,
    )


def describe_end(name: str, outcome: Outcome) -> Message:
    """Say how a program ended that did not end well."""
    words = "".join(read_end(outcome.stderr).strip().splitlines()[-1:])
    code: str = "left-processes"
    if _NO_GUARD in outcome.stderr:
        code = "no-guard"
    elif outcome.reason:
        code = outcome.reason.code
        if code == "exited" and words.startswith("EOFError"):
            code = "waits-for-input"
    values = {
        "name": name,
        "code": outcome.exit_code,
        "signal": outcome.signal,
        "error": outcome.error,
        "count": outcome.leftovers,
        "limit_s": round(outcome.wall_s, 1),
        "last": words and Message("end.last-words", {"words": words}),
    }
    return Message(f"end.{code}", values)


def check_time(contender: Contender, lap: Lap) -> None:
    """See to it that the time which a program prints can be that of its work."""
    rest = read_output(lap.printed, ())
    if lap.inside_s is None:
        return
    if rest.inside_s is not None or rest.fault:
        raise Failed("comparison.two-times", name=contender.name)
    values = {"name": contender.name, "time_s": lap.inside_s, "wall_s": lap.wall_s}
    if lap.inside_s > lap.wall_s + ROUNDING_S:
        raise Failed("comparison.time-too-long", **values)
    if lap.inside_s < SHORTEST_SHARE * lap.wall_s:
        raise Failed("comparison.time-too-short", **values)
    count = len(contender.laps) + 1
    if count >= FEWEST_ROUNDS and {lap.inside_s} == {other.inside_s for other in contender.laps}:
        raise Failed("comparison.same-time", **values, count=count)


def find_verdict(order: Sequence[Contender]) -> Verdict:
    """Find whether the first has won, shares its place for sure, or neither is known; alone, it can't win."""
    ratios = [contender.ratio for contender in order if contender.ratio]
    if not (ratios and all(map(is_settled, ratios))):
        return "not-known"
    return "winner" if all(map(is_slower, ratios)) else "same"


def describe_order(order: Sequence[Contender], *, whole: bool = False) -> Message:
    """Say in a sentence who is the fastest and by how much, or that nobody is, or why that isn't known."""
    first, second, *more = order
    values: dict[str, object] = {"first": first.name, "what": _describe_subject(order, whole=whole)}
    verdict = find_verdict(order)
    if verdict == "winner" and second.ratio:
        if more:
            next_best = Message("comparison.next", {"name": second.name})
            values["gain"] = describe_gain(second.ratio, next_best)
            return Message("comparison.fastest", values)
        values["gain"] = describe_gain(second.ratio, second.name)
        return Message("comparison.faster", values)
    names, bound = [first.name], 1.0
    for other in order:
        if other.ratio and not is_slower(other.ratio):
            names.append(other.name)
            bound = max(bound, other.ratio.high, 1 / other.ratio.low)
    share = max(bound - 1, LEAST_SHARE)
    values |= {"names": names, "share": share, "why": _describe_doubt(order)}
    if verdict == "same":
        return Message("comparison.same", values)
    if bound > FURTHEST_FACTOR:
        return Message("comparison.unknown", values)
    values["bound"] = Message("comparison.factor", {"fold": bound})
    if bound < 2:
        values["bound"] = Message("comparison.share", {"share": share})
    return Message("comparison.unclear", values)


def _describe_subject(order: Sequence[Contender], *, whole: bool) -> Message:
    silent = [contender.name for contender in order if not _prints_time(contender)]
    if not (silent or whole):
        return Message("comparison.printed")
    if whole or len(silent) == len(order):
        return Message("comparison.whole")
    return Message("comparison.mixed", {"names": silent})


def _describe_doubt(order: Sequence[Contender]) -> Message:
    if busy := describe_load(order):
        return busy
    values = {"spread": _find_spread(order), "rounds": len(order[0].laps)}
    if values["rounds"] < FEWEST_ROUNDS:
        return Message("comparison.few-rounds", values)
    return Message("comparison.noisy", values)


def describe_gain(ratio: Estimate, other: object) -> Message:
    """Say a ratio of times above one, with its interval: “is 2.1 times as fast as b.py (2 to 2.3)”."""
    low, high = (float(f"{end:.2g}") for end in (ratio.low, ratio.high))
    values = {"ratio": ratio.median, "other": other, "low": low, "high": high}
    if ratio.is_unknown:
        return Message("comparison.gain-unknown", values)
    if ratio.low <= 1:
        return Message("comparison.gain-unsure", values)
    if ratio.median >= FOLD:
        if low == high:  # an interval that rounds to one number is in that already
            return Message("comparison.gain-exact", values)
        return Message("comparison.gain-fold", values)
    values |= {"share": 1 - 1 / ratio.median, "low": 1 - 1 / ratio.low, "high": 1 - 1 / ratio.high}
    return Message("comparison.gain-share", values)


def describe_noise(contenders: Sequence[Contender]) -> list[Message]:
    """Say how much runs of one program differed, and whether others kept the machine busy."""
    notes = [Message("comparison.spread", {"spread": _find_spread(contenders)})]
    if busy := describe_load(contenders):
        notes.append(Message("comparison.quieter", {"busy": busy}))
    return notes


def _find_spread(contenders: Sequence[Contender]) -> float:
    return max(stdev(map(log, contender.times_s)) for contender in contenders)


def find_load(contenders: Sequence[Contender]) -> Load:
    """Find the median of what others took during the runs."""
    laps = chain.from_iterable(contender.laps for contender in contenders)
    return find_median(lap.load for lap in laps)


def describe_load(contenders: Sequence[Contender]) -> Message | None:
    """Say who kept the machine busy during the runs; ``None`` if nobody did."""
    load = find_load(contenders)
    if not load.is_busy:
        return None
    if load.stolen > load.others:
        return Message("comparison.host-busy", {"taken": load.stolen, "cores": load.cores})
    return Message("comparison.others-busy", {"taken": load.others, "cores": load.cores})
