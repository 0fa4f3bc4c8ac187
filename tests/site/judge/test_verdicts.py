"""Verdicts follow the rule of the Method page, by interval against margin, and say what decided them."""

import random
from collections.abc import Mapping

import pytest

from scripts.harness.statistics import Sample
from scripts.site.judge import verdicts
from scripts.site.judge.verdicts import (
    COST_BYTES,
    COST_CPU_S,
    COST_MARGIN,
    GAIN_MARGIN,
    TIME_MARGIN,
    Contender,
    Ruling,
)
from scripts.site.judge.verdicts import give_verdicts as rule

GB = 1e9


def give_verdicts(contenders: Mapping[str, Contender], baseline: str) -> dict[str, str]:
    """The verdicts alone, on programs by their names."""
    rulings = rule(contenders, baseline)  # type: ignore[arg-type]
    return {str(name): ruling.verdict for name, ruling in rulings.items()}


def contender(
    wall_s: float,
    *,
    cpu_s: float = 1.0,
    peak: float = 50e6,
    spread: float = 0.01,
    trials: int = 5,
    memory_trials: int = 5,
) -> Contender:
    factors = [1, 1 - spread, 1 + spread, 1 - spread / 2, 1 + spread / 2]
    return {
        "time_s": Sample(wall_s * factor for factor in factors[:trials]),
        "cpu_s": Sample(cpu_s * factor for factor in factors[:trials]),
        "peak_pss_bytes": Sample([peak] * memory_trials),
    }


def test_the_fastest_of_equal_cost_is_recommended_and_the_baseline_is_not() -> None:
    verdicts = give_verdicts({"plain": contender(10), "pool": contender(2)}, "plain")
    assert verdicts == {"pool": "recommended", "plain": "no gain"}


def test_programs_that_tie_in_time_and_cost_are_all_recommended() -> None:
    contenders = {"plain": contender(10), "threads": contender(2.0), "async": contender(2.2)}
    verdicts = give_verdicts(contenders, "plain")
    assert verdicts["threads"] == verdicts["async"] == "recommended"


@pytest.mark.parametrize("cost", [{"peak": 400e6}, {"cpu_s": 2.0}])
def test_a_tie_in_time_is_decided_by_cpu_and_memory(cost: dict[str, float]) -> None:
    contenders = {
        "plain": contender(10),
        "threads": contender(2.0),
        "processes": contender(2.0, **cost),
    }
    verdicts = give_verdicts(contenders, "plain")
    assert verdicts["threads"] == "recommended"
    assert verdicts["processes"] == "works, costs more"


def test_margins_are_those_that_the_method_page_states() -> None:
    assert (TIME_MARGIN, COST_MARGIN, GAIN_MARGIN) == (1.25, 1.25, 1.10)


@pytest.mark.parametrize(("factor", "verdict"), [(1.2, "recommended"), (1.3, "works, costs more")])
@pytest.mark.parametrize(("cost", "least"), [("peak", GB), ("cpu_s", 1.0)])
def test_a_cost_within_the_margin_of_the_least_is_no_cost(
    cost: str, least: float, factor: float, verdict: str
) -> None:
    contenders = {
        "plain": contender(10),
        "threads": contender(2.0, cpu_s=1.0, peak=GB),
        "processes": contender(2.0, **{"cpu_s": 1.0, "peak": GB} | {cost: factor * least}),
    }
    assert give_verdicts(contenders, "plain")["processes"] == verdict


@pytest.mark.parametrize(
    ("wall_s", "verdict"),
    [
        (2.4, "recommended"),
        (2.5, "works, costs more"),
        (9.0, "works, costs more"),
        (9.2, "no gain"),
        (10.9, "no gain"),
        (11.1, "worse"),
    ],
)
def test_a_difference_counts_from_its_margin_on(wall_s: float, verdict: str) -> None:
    contenders = {"plain": contender(10, spread=0), "pool": contender(2, spread=0)}
    contenders["it"] = contender(wall_s, spread=0)
    assert give_verdicts(contenders, "plain")["it"] == verdict


@pytest.mark.parametrize(("cost", "amount"), [("cpu_s", COST_CPU_S), ("peak", float(COST_BYTES))])
@pytest.mark.parametrize(("times", "verdict"), [(0.8, "recommended"), (1.3, "works, costs more")])
def test_a_cost_that_no_person_notices_is_none_however_many_times_the_least_it_is(
    cost: str, amount: float, times: float, verdict: str
) -> None:
    least = {"cpu_s": 0.01, "peak": 20e6}
    contenders = {
        "plain": contender(10),
        "threads": contender(2.0, **least),
        "async": contender(2.0, **least | {cost: least[cost] + times * amount}),
    }
    assert give_verdicts(contenders, "plain")["async"] == verdict


@pytest.mark.parametrize("spread", [0.0, 0.15])
def test_what_is_sure_not_to_gain_gains_nothing_even_if_nobody_knows_whether_it_is_worse(
    spread: float,
) -> None:
    contenders = {
        "plain": contender(10),
        "pool": contender(2),
        "it": contender(11.5, spread=spread),
    }
    verdict = give_verdicts(contenders, "plain")["it"]
    assert verdict == ("no gain" if spread else "worse")
    del contenders["pool"]
    assert give_verdicts(contenders, "plain") == {"plain": "recommended", "it": verdict}


def test_a_gain_short_of_the_best_works_but_costs_time() -> None:
    contenders = {"plain": contender(10), "pool": contender(5), "all at once": contender(2)}
    assert give_verdicts(contenders, "plain")["pool"] == "works, costs more"


@pytest.mark.parametrize(("spread", "verdict"), [(0.2, "undecided"), (0.01, "borderline")])
def test_what_gains_but_may_be_as_fast_as_the_fastest_does_not_yet_cost_more(
    spread: float, verdict: str
) -> None:
    follower = contender(2 * TIME_MARGIN, spread=spread)
    contenders = {"plain": contender(10), "pool": contender(2), "other": follower}
    assert give_verdicts(contenders, "plain")["other"] == verdict


def test_what_is_slower_than_the_baseline_is_worse() -> None:
    contenders = {"plain": contender(10), "pool": contender(2), "threads": contender(14)}
    assert give_verdicts(contenders, "plain")["threads"] == "worse"


def test_on_one_core_the_plain_program_is_recommended_because_nothing_gains() -> None:
    contenders = {
        "plain": contender(10),
        "threads": contender(10.3),
        "pool": contender(9.8),
        "processes": contender(13),
    }
    assert give_verdicts(contenders, "plain") == {
        "plain": "recommended",
        "threads": "no gain",
        "pool": "no gain",
        "processes": "worse",
    }


def test_noise_around_a_margin_is_undecided() -> None:
    contenders = {"plain": contender(10), "pool": contender(2), "other": contender(9, spread=0.2)}
    assert give_verdicts(contenders, "plain")["other"] == "undecided"


def test_what_lies_right_at_the_margin_is_borderline_and_says_so() -> None:
    contenders = {"plain": contender(10), "pool": contender(2), "other": contender(10 / 1.1)}
    assert give_verdicts(contenders, "plain")["other"] == "borderline"
    contenders = {"plain": contender(1.25), "pool": contender(1.0), "slow": contender(3.0)}
    assert give_verdicts(contenders, "plain") == {
        "plain": "borderline",
        "pool": "borderline",
        "slow": "worse",
    }


def test_noise_around_the_tie_of_the_baseline_leaves_only_the_clearly_worse_decided() -> None:
    contenders = {"plain": contender(1.25, spread=0.2), "pool": contender(1.0, spread=0.2)}
    assert set(give_verdicts(contenders, "plain").values()) == {"undecided"}


def test_a_baseline_that_is_far_from_the_fastest_gains_nothing_however_noisy_it_is() -> None:
    contenders = {"plain": contender(10, spread=0.5), "pool": contender(2)}
    assert give_verdicts(contenders, "plain") == {"plain": "no gain", "pool": "recommended"}


def test_too_few_trials_decide_nothing() -> None:
    contenders = {
        name: contender(wall_s, trials=1)
        for name, wall_s in (("plain", 10), ("pool", 2), ("threads", 14), ("async", 10.1))
    }
    assert set(give_verdicts(contenders, "plain").values()) == {"undecided"}


@pytest.mark.parametrize("wall_s", [5.0, 10.0, 14.0])
def test_a_program_of_too_few_trials_leaves_the_others_their_verdicts(wall_s: float) -> None:
    contenders = {"plain": contender(10), "pool": contender(2), "one": contender(wall_s, trials=1)}
    assert give_verdicts(contenders, "plain") == {
        "plain": "no gain",
        "pool": "recommended",
        "one": "undecided",
    }


def test_nothing_is_recommended_beside_what_seems_faster_after_too_few_trials() -> None:
    contenders = {"plain": contender(10), "pool": contender(2), "one": contender(1.0, trials=1)}
    verdicts = give_verdicts(contenders, "plain")
    assert verdicts["pool"] == verdicts["one"] == "undecided"


def test_a_baseline_of_too_few_trials_judges_nothing() -> None:
    contenders = {"plain": contender(10, trials=1), "pool": contender(2)}
    assert set(give_verdicts(contenders, "plain").values()) == {"undecided"}


def test_what_costs_least_costs_nothing_however_unsteady_its_cost_is() -> None:
    unsteady = {"peak_pss_bytes": Sample([GB, 9 * GB, 3 * GB, 2 * GB, 7 * GB])}
    contenders = {"plain": contender(10), "pool": contender(2) | unsteady}
    assert give_verdicts(contenders, "plain")["pool"] == "recommended"


@pytest.mark.parametrize("memory_trials", [0, 1])
def test_memory_of_too_few_trials_makes_no_program_dearer_than_another(memory_trials: int) -> None:
    contenders = {
        "plain": contender(10),
        "threads": contender(2.0, memory_trials=memory_trials),
        "processes": contender(2.0, peak=400e6, memory_trials=memory_trials),
    }
    verdicts = give_verdicts(contenders, "plain")
    assert verdicts["threads"] == verdicts["processes"] == "recommended"


def test_memory_of_too_few_trials_leaves_the_others_to_be_told_apart_by_theirs() -> None:
    contenders = {
        "plain": contender(10),
        "unknown": contender(2.0, peak=1e6, memory_trials=1),
        "threads": contender(2.0),
        "processes": contender(2.0, peak=400e6),
    }
    verdicts = give_verdicts(contenders, "plain")
    assert (verdicts["unknown"], verdicts["threads"]) == ("recommended", "recommended")
    assert verdicts["processes"] == "works, costs more"


TIE, GAIN = ("time_s", "not more", TIME_MARGIN), ("time_s", "more", GAIN_MARGIN)
KEEPS_UP, FAR_GAIN = ("time_s", "not more", GAIN_MARGIN), ("time_s", "more", TIME_MARGIN)
CPU, MEMORY = ("cpu_s", "not more", 1.0), ("peak_pss_bytes", "not more", 1.0)


def list_steps(ruling: Ruling) -> list[tuple[object, ...]]:
    """The decisions of a ruling: condition, sides and status of each."""
    return [
        ((one.metric, one.relation, one.margin), *one.sides, one.status) for one in ruling.decisions
    ]


PLAIN, POOL, FAR = contender(10), contender(2), contender(5)
DEAR = contender(2.0, peak=400e6)
HARD = contender(2.0, cpu_s=2.0, peak=400e6)
ONCE = contender(2.0, peak=400e6, memory_trials=1)
NOISY = contender(9, spread=0.2)
NEAR = contender(2 * TIME_MARGIN, spread=0.2)


@pytest.mark.parametrize(
    ("others", "verdict", "steps"),
    [
        # The baseline is not as fast as the fastest: costs decide among the tied, time elsewhere.
        ({"pool": POOL, "it": POOL}, "recommended", [(CPU, "it", "pool", "confirmed"), (MEMORY, "it", "pool", "confirmed")]),
        ({"pool": POOL, "it": DEAR}, "works, costs more", [(CPU, "it", "pool", "confirmed"), (MEMORY, "it", "pool", "refuted")]),
        ({"pool": POOL, "it": HARD}, "works, costs more", [(CPU, "it", "pool", "refuted"), (MEMORY, "it", "pool", "refuted")]),
        ({"pool": POOL, "it": ONCE}, "recommended", [(CPU, "it", "pool", "confirmed"), (MEMORY, "it", "pool", "undecided")]),
        ({"pool": POOL, "it": FAR}, "works, costs more", [(GAIN, "plain", "it", "confirmed"), (TIE, "it", "pool", "refuted")]),
        ({"pool": POOL, "it": NEAR}, "undecided", [(TIE, "it", "pool", "undecided")]),
        ({"pool": POOL, "it": NOISY}, "undecided", [(GAIN, "plain", "it", "undecided")]),
        ({"pool": POOL, "it": contender(10)}, "no gain", [(GAIN, "plain", "it", "refuted")]),
        ({"pool": POOL, "it": contender(14)}, "worse", [(GAIN, "it", "plain", "confirmed")]),
        # It is as fast as the fastest: a gain has to exceed a tie.
        ({"it": contender(10.3)}, "no gain", [(FAR_GAIN, "plain", "it", "refuted")]),
        ({"it": contender(13)}, "worse", [(KEEPS_UP, "it", "plain", "refuted")]),
        # Nobody knows whether it is.
        ({"pool": contender(8, spread=0.2), "it": contender(9, spread=0.2)}, "undecided", [(TIE, "plain", "pool", "undecided"), (GAIN, "plain", "it", "undecided")]),
        ({"it": contender(2, trials=1)}, "undecided", [(TIE, "plain", "it", "undecided"), (GAIN, "plain", "it", "undecided")]),
    ],
)  # fmt: skip
def test_a_ruling_has_the_decisions_that_gave_it_or_keep_it_open_in_the_order_of_the_rule(
    others: dict[str, Contender], verdict: str, steps: list[tuple[object, ...]]
) -> None:
    ruling = rule({"plain": PLAIN} | others, "plain")["it"]
    assert (ruling.verdict, list_steps(ruling)) == (verdict, steps)


def test_the_baseline_is_ruled_on_by_whether_it_is_as_fast_as_the_fastest() -> None:
    for contenders, verdict, step in (
        ({"plain": PLAIN, "pool": POOL}, "no gain", (TIE, "plain", "pool", "refuted")),
        ({"plain": PLAIN, "it": contender(10.3)}, "recommended", (TIE, "plain", "confirmed")),
        ({"plain": contender(10, trials=1)}, "undecided", (TIE, "plain", "undecided")),
    ):
        ruling = rule(contenders, "plain")["plain"]
        assert (ruling.verdict, list_steps(ruling)) == (verdict, [step])


def test_no_memory_trials_are_asked_for_where_memory_is_clearly_within_bounds() -> None:
    few = {"memory_trials": 1}
    for peak, statuses in ((30e6, ["confirmed"]), (90e6, ["confirmed", "undecided"])):
        contenders = {
            "plain": contender(10),
            "threads": contender(2.0, peak=20e6, **few),
            "async": contender(2.0, peak=peak, **few),
        }
        ruling = rule(contenders, "plain")["async"]
        assert [one.status for one in ruling.decisions] == statuses


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
            )
            for name in ("plain", "threads", "processes", "async")
        }
        for ruling in rule(contenders, "plain").values():
            statuses = [one.status for one in ruling.decisions]
            assert statuses or ruling.verdict == "recommended"
            if ruling.verdict == "undecided":
                opened += 1
                assert "undecided" in statuses
            if ruling.verdict == "borderline":
                assert "borderline" in statuses
    assert opened > 100


@pytest.mark.parametrize("margin", ["TIME_MARGIN", "GAIN_MARGIN", "COST_MARGIN"])
def test_a_changed_margin_changes_verdict_and_decisions_together(
    monkeypatch: pytest.MonkeyPatch, margin: str
) -> None:
    """The margin of a rule stands in one place: what names it follows what is decided by it."""
    contenders = {
        "plain": contender(10),
        "pool": contender(2, peak=GB),
        "tied": contender(2.8, peak=GB),
        "dear": contender(2, peak=1.5 * GB),
        "slow": contender(8),
    }
    before = rule(contenders, "plain")
    monkeypatch.setattr(verdicts, margin, 1.75)
    after = rule(contenders, "plain")
    changed = {name for name, one in before.items() if one.verdict != after[name].verdict}
    told = {"TIME_MARGIN": {"tied"}, "GAIN_MARGIN": {"slow"}, "COST_MARGIN": {"dear"}}
    assert changed == told[margin]
    for name in changed:
        assert list_steps(before[name]) != list_steps(after[name])
