"""Verdicts follow the rule of the Method page, by interval against margin, and say what decided them."""

import random
from collections.abc import Mapping

import pytest

from making import make_variant
from scripts.site.declare.claims import Disqualification
from scripts.site.judge.samples import Sample
from scripts.site.judge.verdicts import COST_BYTES, COST_CPU_S, Contender, Ruling, give_verdicts
from tests.factories import make_question

GB = 1e9
BOTH = ["cpu_s", "peak_pss_bytes"]
STOPS = Disqualification(metric="lag_max_s", above=0.1, why={"en": "it stops", "ru": "стоит"})


def contender(
    wall_s: float,
    *,
    cpu_s: float = 1.0,
    peak: float = 50e6,
    spread: float = 0.01,
    trials: int = 5,
    memory_trials: int = 5,
    lag_s: float = 0.005,
) -> Contender:
    factors = [1, 1 - spread, 1 + spread, 1 - spread / 2, 1 + spread / 2]
    return {
        "wall_s": Sample(wall_s * factor for factor in factors[:trials]),
        "cpu_s": Sample(cpu_s * factor for factor in factors[:trials]),
        "peak_pss_bytes": Sample([peak] * memory_trials),
        "lag_max_s": Sample(lag_s * factor for factor in factors[:memory_trials]),
    }


PLAIN = {"plain": contender(10)}


def rule(
    contenders: Mapping[str, Contender], baseline: str = "plain", **question: object
) -> dict[str, Ruling]:
    """The rulings on programs by their names."""
    by_variant = {make_variant(program=name): contenders[name] for name in contenders}
    rulings = give_verdicts(by_variant, make_variant(program=baseline), make_question(**question))
    return {variant.program: ruling for variant, ruling in rulings.items()}


def judge(
    contenders: Mapping[str, Contender], baseline: str = "plain", **question: object
) -> dict[str, str | None]:
    """The verdicts alone."""
    return {name: ruling.verdict for name, ruling in rule(contenders, baseline, **question).items()}


def test_beside_others_the_best_is_recommended_only_once_no_other_may_be_better() -> None:
    def load(contender: Contender) -> Contender:
        return contender | {"wall_s": Sample(contender["wall_s"], span=(0.5, 1.0))}

    quiet = PLAIN | {"threads": contender(2.0), "pool": contender(3.0)}
    assert judge(quiet)["threads"] == "recommended"
    busy = judge(quiet | {"pool": load(quiet["pool"]), "tied": contender(2.01)})
    assert (busy["threads"], busy["tied"]) == (None, None)
    far = quiet | {"pool": load(contender(9.0))}
    assert judge(far)["threads"] == "recommended"


def test_programs_that_tie_are_as_good_as_each_other_and_the_cheaper_is_named() -> None:
    rulings = rule(PLAIN | {"threads": contender(2.0, cpu_s=1.1), "async": contender(2.2)})
    for name in ("threads", "async"):
        assert (rulings[name].verdict, rulings[name].cheaper) == ("as good", "async")


@pytest.mark.parametrize(("factor", "verdict"), [(1.2, "as good"), (1.3, "costs more")])
@pytest.mark.parametrize(("cost", "least"), [("peak", GB), ("cpu_s", 1.0)])
def test_a_cost_within_the_margin_of_the_least_is_no_cost_nor_is_one_not_asked_for(
    cost: str, least: float, factor: float, verdict: str
) -> None:
    costs = {"cpu_s": 1.0, "peak": GB}
    dear = contender(2.0, **costs | {cost: factor * least})
    contenders = PLAIN | {"threads": contender(2.0, **costs), "processes": dear}
    assert judge(contenders, costs=BOTH)["processes"] == verdict
    assert judge(contenders, costs=[])["processes"] == "as good"


@pytest.mark.parametrize(("cost", "amount"), [("cpu_s", COST_CPU_S), ("peak", float(COST_BYTES))])
@pytest.mark.parametrize(("times", "verdict"), [(0.8, "as good"), (1.3, "costs more")])
def test_a_cost_that_no_person_notices_is_none_however_many_times_the_least_it_is(
    cost: str, amount: float, times: float, verdict: str
) -> None:
    least = {"cpu_s": 0.01, "peak": 20e6}
    more = contender(2.0, **least | {cost: least[cost] + times * amount})
    contenders = PLAIN | {"threads": contender(2.0, **least), "async": more}
    assert judge(contenders, costs=BOTH)["async"] == verdict


@pytest.mark.parametrize(
    ("wall_s", "verdict"),
    [
        (2.4, "as good"),
        (2.5, "costs more"),
        (9.0, "costs more"),
        (9.2, "gains nothing"),
        (11.1, "gains nothing"),
    ],
)
def test_a_difference_counts_from_its_margin_on(wall_s: float, verdict: str) -> None:
    contenders = {"plain": contender(10, spread=0), "pool": contender(2, spread=0)}
    assert judge(contenders | {"it": contender(wall_s, spread=0)})["it"] == verdict


def test_where_the_baseline_ties_with_the_best_everything_else_gains_nothing() -> None:
    contenders = {"plain": contender(2.2), "pool": contender(2.0), "slow": contender(9)}
    assert [*judge(contenders).values()] == ["recommended", "gains nothing", "gains nothing"]


def test_who_does_not_contend_has_no_verdict_and_is_no_measure() -> None:
    contenders = PLAIN | {"trap": contender(1), "pool": contender(2)}
    verdicts = judge(contenders, contend=["plain", "pool"])
    assert verdicts == {"plain": "gains nothing", "pool": "recommended"}
    assert judge(contenders, contend=["pool"]) == {"pool": "recommended"}


def test_what_surely_exceeds_a_limit_is_disqualified_however_fast_it_is() -> None:
    contenders = {"plain": contender(2, lag_s=1.5), "fast": contender(2.6), "slow": contender(4)}
    rulings = rule(contenders, disqualify=[STOPS])
    verdicts = [ruling.verdict for ruling in rulings.values()]
    assert verdicts == ["disqualified", "recommended", "costs more"]
    assert rulings["plain"].why == STOPS.why
    assert judge(contenders)["plain"] == "recommended"


def test_nothing_is_recommended_that_may_still_be_disqualified() -> None:
    few = rule(PLAIN | {"few": contender(2, lag_s=1.5, memory_trials=1)}, disqualify=[STOPS])["few"]
    assert few.verdict is None
    (doubt,) = few.decisions
    assert (doubt.metric, doubt.margin) == ("lag_max_s", 1)
    clear = PLAIN | {"few": contender(2.0, lag_s=0.005, memory_trials=1)}
    assert judge(clear, disqualify=[STOPS])["few"] == "recommended"


@pytest.mark.parametrize(("lost", "verdict"), [(3.0, "disqualified"), (0.0, "recommended")])
def test_a_limit_may_be_nought_and_what_has_nothing_of_the_kind_is_not_disqualified_by_it(
    lost: float, verdict: str
) -> None:
    loses = Disqualification(metric="lost", above=0.0, why=STOPS.why)
    pool = {**contender(2.0, memory_trials=0), "lost": Sample([lost] * 5)}
    assert judge(PLAIN | {"pool": pool}, disqualify=[STOPS, loses])["pool"] == verdict


def test_too_few_trials_decide_nothing() -> None:
    contenders = {"plain": contender(10, trials=2), "pool": contender(2, trials=2)}
    assert set(judge(contenders).values()) == {None}


@pytest.mark.parametrize("memory_trials", [0, 1])
def test_memory_of_too_few_trials_makes_no_program_more_expensive(memory_trials: int) -> None:
    light, heavy = (contender(2, peak=peak, memory_trials=memory_trials) for peak in (50e6, 400e6))
    verdicts = judge(PLAIN | {"threads": light, "processes": heavy}, costs=BOTH)
    assert verdicts["threads"] == verdicts["processes"] == "as good"


def test_every_verdict_that_is_open_says_which_decision_keeps_it_so() -> None:
    chance = random.Random(2026)
    opened = 0
    for _ in range(300):
        contenders = {
            name: contender(
                chance.choice([2.0, 2.2, 2.5, 5.0, 9.0]),
                spread=chance.choice([0.01, 0.1, 0.3]),
                trials=chance.choice([1, 3, 5]),
                cpu_s=chance.choice([1.0, 1.3]),
                memory_trials=chance.choice([0, 1, 5]),
                lag_s=chance.choice([0.01, 0.3]),
            )
            for name in ("plain", "threads", "processes", "async")
        }
        disqualify = chance.choice([[], [STOPS]])
        for ruling in rule(contenders, costs=BOTH, disqualify=disqualify).values():
            if ruling.verdict is None:
                opened += 1
                statuses = {decision.status for decision in ruling.decisions}
                assert statuses & {"open", "borderline"}
    assert opened > 100
