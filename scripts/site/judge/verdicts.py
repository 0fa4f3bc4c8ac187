"""Doubts: which comparisons leave the verdict on a program open, so that trials may settle it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from scripts.site.declare.claims import Verdict
from scripts.site.judge.margins import OPEN, ClaimStatus, combine, decide, is_at
from scripts.site.judge.statistics import FEWEST, Estimate, Sample, can_decide, estimate_ratio

TIME_MARGIN = 1.25
COST_MARGIN = 1.25
GAIN_MARGIN = 1.10
LAG_MARGIN = 2.0
LAG_S = 0.1
"""What a person takes for at once (Miller, "Response time in man-computer conversational
transactions", AFIPS Fall Joint Computer Conference, 1968)."""

LAG = "lag_max_s"
COST_CPU_S = LAG_S
"""CPU time that nobody notices: computed at once, it is over before a person sees that it began."""
COST_BYTES = 64 << 20
"""Memory that decides nothing: half of the least that containers and functions are rented with, and
more than libraries for the same work differ by once they are imported."""
COSTS: Mapping[str, float] = {"cpu_s": COST_CPU_S, "peak_pss_bytes": COST_BYTES}
"""What is weighed after time, and by how much a program must exceed another to cost more."""

Contender = Mapping[str, Sample]
"""What the rule weighs of one program: ``time_s`` and each of ``COSTS``, a value per trial; of
memory maybe none. In a family that serves, also ``LAG``."""


def give_verdicts(
    contenders: Mapping[str, Contender], baseline: str, *, serves: bool = False
) -> dict[str, Verdict]:
    """A verdict for every program of one family at one core count on one machine.

    Args:
        contenders: by program; at least one trial each. A program that failed is not among them.
        baseline: the plainest program, one of the contenders.
        serves: whether an event loop serves others meanwhile, so that it must not be stopped.
    """
    verdicts = _weigh(contenders, baseline)
    stopped = find_stopped(contenders) if serves else set()
    free = {name: one for name, one in contenders.items() if name not in stopped}
    if not stopped or not free:
        return verdicts
    costly: dict[Verdict, Verdict] = {"recommended": "works, costs more"}
    held = {name: costly.get(verdicts[name], verdicts[name]) for name in stopped}
    return held | _weigh_free(free)


def find_stopped(contenders: Mapping[str, Contender]) -> set[str]:
    """The programs that stop their event loop for long."""
    lags = {name: one[LAG] for name, one in contenders.items() if len(one[LAG]) >= FEWEST}
    least = min(lags.values(), key=median, default=Sample(()))
    return {
        name
        for name, lag in lags.items()
        if median(lag) > LAG_S
        and decide("more", LAG_MARGIN, estimate_ratio(lag, least)) == "confirmed"
    }


def _weigh_free(contenders: Mapping[str, Contender]) -> dict[str, Verdict]:
    """The verdicts on those that leave the loop free, which is what they gain."""
    tied = find_tied(contenders)
    leaders = {name: contenders[name] for name, within in tied.items() if within == "confirmed"}
    return {
        name: _judge_leader(contenders[name], leaders)
        if within == "confirmed"
        else "works, costs more"
        if within == "refuted"
        else _leave_open(within)
        for name, within in tied.items()
    }


def find_tied(contenders: Mapping[str, Contender]) -> dict[str, ClaimStatus]:
    """Whether each is as fast as the fastest."""
    times = {name: contender["time_s"] for name, contender in contenders.items()}
    best = min(times.values(), key=median)
    return {name: _is_within(time_s, best, TIME_MARGIN) for name, time_s in times.items()}


def _weigh(contenders: Mapping[str, Contender], baseline: str) -> dict[str, Verdict]:
    """The verdicts by time, CPU and memory."""
    times = {name: contender["time_s"] for name, contender in contenders.items()}
    tied = find_tied(contenders)
    if tied[baseline] != "refuted":
        return {
            name: _judge_baseline(tied[baseline])
            if name == baseline
            else _judge_without_gain(times[name], times[baseline], tied[baseline])
            for name in times
        }
    leaders = {name: contenders[name] for name, within in tied.items() if within == "confirmed"}
    return {
        name: _judge_leader(contenders[name], leaders)
        if tied[name] == "confirmed"
        else _judge_follower(times[name], times[baseline], tied[name])
        for name in times
    }


def _is_within(values: Sample, best: Sample, margin: float) -> ClaimStatus:
    """Whether ``values`` are less than ``margin`` times ``best``, by the words of a claim."""
    if values is best:
        return OPEN if len(values) < FEWEST or not can_decide(values) else "confirmed"
    return decide("not more", margin, estimate_ratio(values, best))


def _leave_open(*statuses: ClaimStatus) -> Verdict:
    """The verdict where one of these keeps it from being given."""
    return OPEN if combine(statuses) != "borderline" else "borderline"


def _judge_baseline(tied: ClaimStatus) -> Verdict:
    return "recommended" if tied == "confirmed" else _leave_open(tied)


def _judge_without_gain(time_s: Sample, baseline_s: Sample, baseline_tied: ClaimStatus) -> Verdict:
    within = _is_within(time_s, baseline_s, GAIN_MARGIN)
    if within == "refuted":
        return "worse"
    gains = decide("more", find_gain(baseline_tied), estimate_ratio(baseline_s, time_s))
    return "no gain" if gains == "refuted" else _leave_open(gains, baseline_tied)


def find_gain(baseline_tied: ClaimStatus) -> float:
    """From which factor on there is a gain: where the baseline ties, a tie is none."""
    return TIME_MARGIN if baseline_tied == "confirmed" else GAIN_MARGIN


def _judge_leader(contender: Contender, leaders: Mapping[str, Contender]) -> Verdict:
    costs = [_is_cheap(cost, contender, leaders.values()) for cost in COSTS]
    match combine(costs):
        case "confirmed":
            return "recommended"
        case "refuted":
            return "works, costs more"
        case status:
            return _leave_open(status)


def _is_cheap(cost: str, contender: Contender, leaders: Iterable[Contender]) -> ClaimStatus:
    """Whether a cost is hardly above the least; what too few trials say decides nothing."""
    values, least = contender[cost], find_least(cost, leaders)
    if len(values) < FEWEST or values is least:
        return "confirmed"
    return decide("not more", 1.0, weigh_cost(cost, values, least))


def find_least(cost: str, contenders: Iterable[Contender]) -> Sample:
    """The least of a cost that enough trials tell; none if there is none."""
    told = (one[cost] for one in contenders if len(one[cost]) >= FEWEST)
    return min(told, key=median, default=Sample(()))


def weigh_cost(cost: str, values: Sample, least: Sample) -> Estimate:
    """By how many times a cost is what it may be beside the least: above one it is more."""
    allowed = least.turn(max(COST_MARGIN * value, value + COSTS[cost]) for value in least)
    return estimate_ratio(values, allowed)


def _judge_follower(time_s: Sample, baseline_s: Sample, tied: ClaimStatus) -> Verdict:
    if not can_decide(time_s):
        return OPEN
    if time_s is baseline_s:  # however noisy, it gains nothing on itself
        return "no gain"
    gains = decide("more", GAIN_MARGIN, estimate_ratio(baseline_s, time_s))
    loses = decide("more", GAIN_MARGIN, estimate_ratio(time_s, baseline_s))
    if gains == "confirmed":
        return "works, costs more" if tied == "refuted" else _leave_open(tied)
    if loses == "confirmed":
        return "worse"
    return "no gain" if gains == "refuted" else _leave_open(gains)


_FAR = 0.5
"""Below this share of what it may be, a cost that few trials tell is not worth more of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A comparison that is not decided: of which quantity, of which two, between which margins."""

    quantity: str
    names: tuple[str, str]
    ratio: Estimate
    ends: tuple[float, ...]

    @property
    def is_open(self) -> bool:
        """Whether trials may settle it: its interval straddles a margin, and not just there."""
        straddled = [end for end in self.ends if self.ratio.low < end < self.ratio.high]
        return not self.ratio.is_sure or not all(is_at(self.ratio, end) for end in straddled)


def list_doubts(
    name: str, contenders: Mapping[str, Contender], baseline: str, *, serves: bool = False
) -> list[Doubt]:
    """What keeps the verdict on a program open, in the order of the rule of ``verdicts``.

    Costs are listed only where time is not in doubt: what costs less matters among the tied.

    Args:
        name: of the program, one of the contenders.
        contenders: as ``give_verdicts`` has them.
        baseline: the plainest program.
        serves: as ``give_verdicts`` has it.
    """
    stopped = find_stopped(contenders) if serves else set()
    if name not in stopped and len(stopped) < len(contenders):
        contenders = {one: values for one, values in contenders.items() if one not in stopped}
    in_time = [doubt for doubt in _compare_times(name, contenders, baseline) if doubt.is_open]
    return in_time or [doubt for doubt in _compare_costs(name, contenders) if doubt.is_open]


def _compare_times(
    name: str, contenders: Mapping[str, Contender], baseline: str
) -> Iterator[Doubt]:
    times = {one: contender["time_s"] for one, contender in contenders.items()}
    best = min(times, key=lambda one: median(times[one]))
    pairs: list[tuple[str, str, tuple[float, ...]]] = [(baseline, best, (TIME_MARGIN,))]
    tied = find_tied(contenders)
    if baseline in times and (tied[baseline] != "refuted" or tied[name] == "refuted"):
        pairs += [(baseline, name, (find_gain(tied[baseline]),))]
    else:
        pairs += [(name, best, (TIME_MARGIN,))]
    for one, other, ends in pairs:
        if one in times and other in times and one != other:
            ratio = estimate_ratio(times[one], times[other])
            yield Doubt(quantity="time_s", names=(one, other), ratio=ratio, ends=ends)


def _compare_costs(name: str, contenders: Mapping[str, Contender]) -> Iterator[Doubt]:
    leaders = {one for one, within in find_tied(contenders).items() if within == "confirmed"}
    for cost in COSTS:
        told = {one: contenders[one][cost] for one in leaders if contenders[one][cost]}
        least = min(told, key=lambda one: (len(told[one]) < FEWEST, median(told[one])), default="")
        if name in told and name != least:
            ratio = weigh_cost(cost, told[name], told[least])
            if not ratio.is_sure and ratio.median < _FAR:
                continue
            yield Doubt(quantity=cost, names=(name, least), ratio=ratio, ends=(1.0,))
