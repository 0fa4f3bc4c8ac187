"""Verdicts: what a program earns among those that do the same work, on one machine.

The rule weighs time first, then CPU and memory, always by interval against margin. Time is that of
the work inside the programs where all of them print it, otherwise of the whole processes.

1. Programs within ``TIME_MARGIN`` of the fastest are tied: nobody would choose by such a
   difference.
2. If the baseline, the plainest program, is among the tied, there is nothing to be gained here:
   the baseline is recommended and what ties with it gains nothing.
3. Otherwise, among the tied, those whose CPU time and peak memory are within ``COST_MARGIN`` of
   the cheapest of the tied are recommended; the others work but cost more.
4. Of the rest, what beats the baseline by ``GAIN_MARGIN`` works but costs more time; what is
   within that margin of it gains nothing; what is slower is worse.
5. In a family that serves, what stops its event loop for long is not recommended beside what leaves
   it free, however fast; those that leave it free are weighed among themselves. A loop is stopped
   where its longest lag exceeds ``LAG_S``, and by ``LAG_MARGIN`` the least of the family.
6. Where an interval straddles the margin that decides, or is not sure, the verdict is undecided; if
   all of the interval lies at the margin, it is borderline.

Memory and lag are measured in trials of their own, of which there may be fewer. Fewer than
``FEWEST`` decide nothing: between those that tie, time and CPU alone do then.
"""

from collections.abc import Mapping, Sequence
from statistics import median

from scripts.declare.claim import Verdict
from scripts.judge.findings import ClaimStatus, combine, decide
from scripts.judge.statistics import FEWEST, estimate_ratio

TIME_MARGIN = 1.25
COST_MARGIN = 1.25
GAIN_MARGIN = 1.10
LAG_MARGIN = 2.0
LAG_S = 0.1
"""What a person takes for at once (Miller, "Response time in man-computer conversational
transactions", AFIPS Fall Joint Computer Conference, 1968)."""

LAG = "lag_max_s"
COSTS = ("cpu_s", "peak_pss_bytes")
"""The metrics that are weighed after time."""

Contender = Mapping[str, Sequence[float]]
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
    stopped = _find_stopped(contenders) if serves else set()
    free = {name: one for name, one in contenders.items() if name not in stopped}
    if not stopped or not free:
        return verdicts
    costly: dict[Verdict, Verdict] = {"recommended": "works, costs more"}
    held = {name: costly.get(verdicts[name], verdicts[name]) for name in stopped}
    return held | _weigh_free(free)


def _find_stopped(contenders: Mapping[str, Contender]) -> set[str]:
    """The programs that stop their event loop for long."""
    lags = {name: one[LAG] for name, one in contenders.items() if len(one[LAG]) >= FEWEST}
    least = min(lags.values(), key=median, default=())
    return {
        name
        for name, lag in lags.items()
        if median(lag) > LAG_S
        and decide("more", LAG_MARGIN, estimate_ratio(lag, least)) == "confirmed"
    }


def _weigh_free(contenders: Mapping[str, Contender]) -> dict[str, Verdict]:
    """The verdicts on those that leave the loop free, which is what they gain."""
    tied = _find_tied(contenders)
    leaders = {name: contenders[name] for name, within in tied.items() if within == "confirmed"}
    return {
        name: _judge_leader(contenders[name], leaders)
        if within == "confirmed"
        else "works, costs more"
        if within == "refuted"
        else _leave_open(within)
        for name, within in tied.items()
    }


def _find_tied(contenders: Mapping[str, Contender]) -> dict[str, ClaimStatus]:
    """Whether each is as fast as the fastest."""
    times = {name: contender["time_s"] for name, contender in contenders.items()}
    best = min(times.values(), key=median)
    return {name: _is_within(time_s, best, TIME_MARGIN) for name, time_s in times.items()}


def _weigh(contenders: Mapping[str, Contender], baseline: str) -> dict[str, Verdict]:
    """The verdicts by time, CPU and memory."""
    times = {name: contender["time_s"] for name, contender in contenders.items()}
    tied = _find_tied(contenders)
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


def _is_within(values: Sequence[float], best: Sequence[float], margin: float) -> ClaimStatus:
    """Whether ``values`` are less than ``margin`` times ``best``, by the words of a claim."""
    if values is best:
        return "undecided" if len(values) < FEWEST else "confirmed"
    return decide("not more", margin, estimate_ratio(values, best))


def _leave_open(*statuses: ClaimStatus) -> Verdict:
    """The verdict where one of these keeps it from being given."""
    return "undecided" if combine(statuses) != "borderline" else "borderline"


def _judge_baseline(tied: ClaimStatus) -> Verdict:
    return "recommended" if tied == "confirmed" else _leave_open(tied)


def _judge_without_gain(
    time_s: Sequence[float], baseline_s: Sequence[float], baseline_tied: ClaimStatus
) -> Verdict:
    within = _is_within(time_s, baseline_s, GAIN_MARGIN)
    if within == "refuted":
        return "worse"
    if within == baseline_tied == "confirmed":
        return "no gain"
    return _leave_open(within, baseline_tied)


def _judge_leader(contender: Contender, leaders: Mapping[str, Contender]) -> Verdict:
    costs = [
        _is_cheap(contender[cost], [leader[cost] for leader in leaders.values()]) for cost in COSTS
    ]
    match combine(costs):
        case "confirmed":
            return "recommended"
        case "refuted":
            return "works, costs more"
        case status:
            return _leave_open(status)


def _is_cheap(values: Sequence[float], all_values: Sequence[Sequence[float]]) -> ClaimStatus:
    """Whether a cost is within the margin of the least; what too few trials say decides nothing."""
    if len(values) < FEWEST:
        return "confirmed"
    least = min((other for other in all_values if len(other) >= FEWEST), key=median)
    return _is_within(values, least, COST_MARGIN)


def _judge_follower(
    time_s: Sequence[float], baseline_s: Sequence[float], tied: ClaimStatus
) -> Verdict:
    gains = decide("more", GAIN_MARGIN, estimate_ratio(baseline_s, time_s))
    loses = decide("more", GAIN_MARGIN, estimate_ratio(time_s, baseline_s))
    if gains == "confirmed":
        return "works, costs more" if tied == "refuted" else _leave_open(tied)
    if loses == "confirmed":
        return "worse"
    if gains == loses == "refuted":
        return "no gain"
    return _leave_open(*({gains, loses} - {"refuted"}))
