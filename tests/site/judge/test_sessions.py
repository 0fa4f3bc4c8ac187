"""What sessions say together holds for those that are left out, on the records that are shipped."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from math import exp, log, sqrt
from typing import get_args

import pytest

from poolwise.statistics import Estimate, LogMean, bound_mean, find_student
from scripts.site.declare.claims import Claim
from scripts.site.judge import claims, sessions
from scripts.site.judge.decisions import DECIDED, Decision
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.sessions import (
    LEAST,
    USUAL,
    Between,
    Kind,
    Repeated,
    estimate_spread,
    find_kind,
    is_session,
    pool,
)
from scripts.site.judge.spreads import MOST_FREEDOM
from scripts.site.settings import Settings
from scripts.site.study.pipeline import Pipeline

SHOWN = "amd-epyc-2c-24g-linux-kvm-a1a705"
ONE_CORE = "amd-epyc-1of2c-24g-linux-kvm-43ac8c"


def measure(ratio: float, error: float = 0.02, size: int = 3, freedom: float = 10.0) -> Estimate:
    """Make what one session gives."""
    return bound_mean(ratio, LogMean(log(ratio), error**2, freedom, size))


def test_a_session_alone_is_as_much_wider_as_others_differ() -> None:
    alone = measure(2.0)
    wider = pool([alone], 0.05)
    assert wider.median == 2.0
    assert wider.low < alone.low < alone.high < wider.high
    assert wider.high / wider.median == pytest.approx(wider.median / wider.low)
    assert wider.mean
    assert wider.mean.between == 0.05**2


def test_sessions_together_are_surer_than_one_and_none_is_sure_of_what_they_dispute() -> None:
    three = pool([measure(2.0), measure(2.02), measure(1.98)], 0.05)
    assert three.median == pytest.approx(2.0, abs=0.01)
    assert three.high < pool([measure(2.0)], 0.05).high
    apart = pool([measure(1.0), measure(2.0), measure(4.0)], 0.05)
    assert apart.median == pytest.approx(2.0)
    assert apart.low < 1
    assert apart.high > 4


def test_the_surer_session_weighs_more() -> None:
    assert pool([measure(1.0, 0.01), measure(2.0, 0.5)], 0.02).median < 1.05
    assert pool([measure(1.0, 0.01), measure(2.0, 0.5)], 5.0).median == pytest.approx(2**0.5, 0.01)


def test_a_session_of_few_trials_or_of_disturbed_ones_is_none() -> None:
    assert is_session(measure(2.0))
    assert not is_session(measure(2.0, size=2))
    point = Estimate(median=2.0, low=2.0, high=2.0, is_sure=False)
    assert not is_session(point)
    assert pool([point], 0.1) == point


def test_of_nought_there_is_no_logarithm_to_pool() -> None:
    nothing = Estimate(median=0.0, low=0.0, high=1.0)
    pooled = pool([nothing, measure(2.0)], 0.1)
    assert (pooled.low, pooled.median) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("metric", "kind"),
    [("inside_s", "time"), ("peak_pss_bytes", "memory"), ("lag_p99_s", "lag"), ("wrong", "time")],
)
def test_metrics_differ_between_sessions_by_their_kind(metric: str, kind: str) -> None:
    assert find_kind(metric) == kind


def test_the_spread_between_sessions_is_that_by_which_they_differ() -> None:
    means = tuple(LogMean(centre, 0.01**2, 10.0, 3) for centre in (-0.1, 0.1))
    ratio = Repeated(experiment="lab", kind="time", saturates=False, means=means)
    assert estimate_spread([ratio] * 20) == pytest.approx((0.02 - 0.01**2) ** 0.5, rel=0.01)
    assert Between().find("wall_s", (), "lab") == USUAL["time"] >= LEAST["time"]


@cache
def open_records(machine: str) -> Pipeline:
    return Pipeline(Settings(machine=machine, measure="nothing"))


def is_within(mean: LogMean, others: Sequence[LogMean], spread: float) -> bool:
    """Tell whether what a session gave lies in the prediction interval of other sessions."""
    weights = [1 / (other.variance + spread**2) for other in others]
    shares = [weight / sum(weights) for weight in weights]
    pooled = sessions._pool_means(others, shares, spread)
    between = pooled.between + spread**2
    parts = (
        (between, MOST_FREEDOM),
        (pooled.variance - pooled.between, pooled.freedom),
        (mean.variance, mean.freedom),
    )
    variance = sum(part for part, _ in parts)
    freedom = variance**2 / sum(part**2 / freedom for part, freedom in parts)
    return bool(abs(mean.centre - pooled.centre) <= find_student(freedom) * sqrt(variance))


def list_foretold(evidence: Evidence, declared: Sequence[Claim]) -> Iterator[bool]:
    """Tell of each session of what claims compare whether the others foretell it."""
    found: dict[object, dict[int, tuple[Decision, LogMean]]] = {}
    for check in claims.check_evidence(declared, evidence):
        for session, alone in enumerate(check.sessions):
            for decision in alone.decisions:
                if decision.ratio.mean and is_session(decision.ratio):
                    pair = (decision.metric, frozenset(decision.sides))
                    found.setdefault(pair, {})[session] = (decision, decision.ratio.mean)
    for by_session in found.values():
        (first, _), *others = by_session.values()
        for _, mean in by_session.values() if others else ():
            rest = [other for _, other in by_session.values() if other is not mean]
            name = evidence.experiment.name
            spread = evidence.between.find(first.metric, first.sides, name)
            yield is_within(mean, rest, spread)


@pytest.mark.parametrize("machine", [SHOWN, ONE_CORE])
@pytest.mark.slow
def test_a_session_left_out_lies_where_the_others_foretell_it(machine: str) -> None:
    pipeline = open_records(machine)
    foretold: list[bool] = []
    for name in pipeline.experiments:
        declared = pipeline.declared.claims.get(name, ())
        foretold += list_foretold(pipeline.gather(name), declared)
    print(machine, Counter(foretold))
    assert len(foretold) > 100
    assert foretold.count(False) <= 0.025 * len(foretold)


@pytest.mark.slow
def test_few_signs_of_three_sessions_hang_on_one_and_none_turns_round() -> None:
    pipeline = open_records(SHOWN)
    tried: Counter[int] = Counter()
    changed: Counter[tuple[int, str, str]] = Counter()
    for name in pipeline.experiments:
        evidence = pipeline.gather(name)
        for checks in claims.check_alone(pipeline.declared.claims.get(name, ()), evidence):
            whole = claims.pool_sessions(checks, evidence)
            applying = [check for check in checks if check.status != "not applicable"]
            counted = [
                check for check in applying if claims.pool_sessions([check], evidence).pooled
            ]
            for left_out in counted if len(counted) > 1 else ():
                fewer = [check for check in applying if check is not left_out]
                status = claims.pool_sessions(fewer, evidence).status
                tried[len(counted)] += 1
                if status != whole.status:
                    changed[len(counted), whole.status, status] += 1
    print(tried, changed)
    of_three = [count for (sessions, _, _), count in changed.items() if sessions == 3]
    assert (
        sum(of_three) <= 0.055 * tried[3]
    )  # the aim: 0.04; all of them are of builds without the GIL or old ones
    assert not [pair for _, *pair in changed if {*pair} <= {*DECIDED}]


@pytest.mark.slow
def test_what_machines_with_one_session_get_is_what_the_shipped_records_show() -> None:
    pipeline = open_records(SHOWN)
    between = pipeline.gather(next(iter(pipeline.experiments))).between
    for kind in get_args(Kind):
        spread = estimate_spread([ratio for ratio in between.repeated if ratio.kind == kind])
        assert spread / 2 <= USUAL[kind] <= max(2 * spread, 3 * LEAST[kind])
    assert exp(LEAST["time"]) < 1.03
