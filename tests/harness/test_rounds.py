"""Further trials go to what is open, the cheapest first, in steps, within the time there is."""

from collections.abc import Sequence

import pytest

from scripts.harness import rounds
from scripts.harness.plan import Done
from scripts.harness.record import Record, Variant
from scripts.harness.rounds import (
    LEVELS,
    OVERHEAD_S,
    SPENT_SHARE,
    Need,
    add_up_time,
    give_more,
)
from tests.factories import make_record, make_variant

STEPS = (3, 5, 16)
CHEAP, DEAR, OTHER = (make_variant(program=name) for name in ("cheap", "dear", "other"))


@pytest.fixture(autouse=True)
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels of these tests, whatever those of the build are."""
    monkeypatch.setattr(rounds, "LEVELS", STEPS)


def record(*measured: tuple[Variant, Sequence[float]]) -> dict[Variant, Record]:
    return {variant: make_record(variant, walls) for variant, walls in measured}


def need(
    *variants: Variant, traced: bool = False, urgent: bool = True, trials: float = 0.0
) -> Need:
    return Need(name="it", variants=variants, traced=traced, urgent=urgent, trials=trials)


def test_a_second_on_another_python_than_pages_show_first_counts_twice() -> None:
    old = make_variant(program="cheap", interpreter="cpython-3.9.2")
    records = record((old, [1.5] * 3), (DEAR, [2.0] * 3))
    needs = [need(old), need(DEAR)]
    assert list(give_more(needs, records, 5)) == [old]
    assert list(give_more(needs, records, 5, (), DEAR.interpreter)) == [DEAR]


def test_what_is_open_gets_to_the_next_level_on_both_sides() -> None:
    records = record((CHEAP, [1.0] * 5), (DEAR, [2.0] * 3))
    assert give_more([need(CHEAP, DEAR)], records, 100) == {DEAR: Done(timed=5, traced=1)}
    records = record((CHEAP, [1.0] * 5), (DEAR, [2.0] * 5))
    assert give_more([need(CHEAP, DEAR)], records, 100) == {
        CHEAP: Done(timed=16, traced=1),
        DEAR: Done(timed=16, traced=1),
    }


def test_what_has_more_than_the_next_level_of_the_other_side_gets_nothing() -> None:
    records = record((CHEAP, [1.0] * 16), (DEAR, [2.0] * 3))
    assert give_more([need(CHEAP, DEAR)], records, 100) == {DEAR: Done(timed=5, traced=1)}


def test_the_last_level_is_the_last_and_there_are_no_more_looks_than_the_intervals_allow() -> None:
    assert len(LEVELS) <= 4
    assert give_more([need(CHEAP)], record((CHEAP, [0.1] * STEPS[-1])), 1e9) == {}


def test_the_cheapest_come_first_and_what_does_not_fit_gets_nothing() -> None:
    records = record((CHEAP, [1.0] * 3), (DEAR, [9.0] * 3))
    assert give_more([need(DEAR), need(CHEAP)], records, 10) == {CHEAP: Done(timed=5, traced=1)}
    assert give_more([need(DEAR), need(CHEAP)], records, 1) == {}


def test_what_all_the_looks_would_not_decide_comes_last_however_cheap() -> None:
    records = record((CHEAP, [1.0] * 3), (DEAR, [4.0] * 3))
    soon, far = need(DEAR, trials=7.0), need(CHEAP, trials=16.0)
    assert list(give_more([soon, far], records, 6.5 / SPENT_SHARE + 2)) == [CHEAP]
    hopeless = need(CHEAP, trials=STEPS[-1] + 1.0)
    assert list(give_more([hopeless, soon], records, 6.5 / SPENT_SHARE + 2)) == [DEAR]
    assert list(give_more([hopeless], records, 6.5 / SPENT_SHARE + 2)) == [CHEAP]


def test_a_look_gives_away_its_share_of_the_time_left_or_what_comes_first() -> None:
    records = record((CHEAP, [1.0] * 3), (DEAR, [2.0] * 3), (OTHER, [3.0] * 3))
    needs = [need(one) for one in records]
    assert list(give_more(needs, records, 100)) == [CHEAP, DEAR, OTHER]
    assert list(give_more(needs, records, 10 / SPENT_SHARE)) == [CHEAP, DEAR]
    assert list(give_more(needs, records, 4)) == [CHEAP]


def test_what_a_reader_meets_first_is_decided_first_at_any_cost() -> None:
    records = record((CHEAP, [1.0] * 3), (DEAR, [9.0] * 3), (OTHER, [2.0] * 3))
    opening, answer = Need(name="opening", variants=(DEAR,)), Need(name="answer", variants=(OTHER,))
    needs = [need(CHEAP), opening, answer]
    assert list(give_more(needs, records, 1000)) == [CHEAP, OTHER, DEAR]
    assert list(give_more(needs, records, 1000, {"opening", "answer"})) == [OTHER, DEAR, CHEAP]


def test_verdicts_get_trials_where_no_claim_does() -> None:
    records = record((CHEAP, [1.0] * 3), (DEAR, [4.0] * 3))
    verdict = need(CHEAP, urgent=False)
    assert list(give_more([verdict, need(DEAR)], records, 1000)) == [DEAR]
    assert list(give_more([verdict], records, 1000)) == [CHEAP]


def test_claims_come_before_verdicts_whatever_they_cost() -> None:
    records = record((CHEAP, [1.0] * 3), (DEAR, [4.0] * 3))
    more = give_more([need(CHEAP, urgent=False), need(DEAR)], records, 6.5 / SPENT_SHARE + 2)
    assert list(more) == [DEAR]


def test_what_two_comparisons_need_is_paid_once() -> None:
    records = record((CHEAP, [1.0] * 3), (DEAR, [2.0] * 3), (OTHER, [2.0] * 3))
    share_s = 2 * (1.0 + 2.0 + 2.0) + 6 * OVERHEAD_S + 0.01
    more = give_more([need(CHEAP, DEAR), need(CHEAP, OTHER)], records, share_s / SPENT_SHARE)
    assert {one: counts.timed for one, counts in more.items()} == dict.fromkeys(records, 5)


def test_what_has_been_given_in_a_look_makes_what_shares_it_cheaper() -> None:
    last = make_variant(program="last")
    records = record((CHEAP, [1.0] * 3), (DEAR, [4.0] * 3), (OTHER, [1.5] * 3), (last, [3.0] * 3))
    needs = [need(OTHER, last), need(DEAR, OTHER), need(CHEAP, DEAR, last)]
    given = give_more(needs, records, 1000)
    assert list(given) == [OTHER, last, DEAR, CHEAP]


def test_the_time_of_a_record_has_that_of_its_memory_trials_and_its_overhead() -> None:
    (one,) = record((CHEAP, [1.0, 2.0, 3.0])).values()
    (memory,) = one.traced
    assert memory.lasted_s
    assert add_up_time(one) == pytest.approx(6.0 + memory.lasted_s + 4 * OVERHEAD_S)
