"""Further trials go to what is open, the cheapest first, in steps, within the time there is."""

from collections.abc import Sequence
from typing import Any

import pytest

from making import make_record, make_variant
from poolwise.plan import Done
from poolwise.record import Record, Variant
from scripts.site.judge import rounds
from scripts.site.judge.rounds import LEVELS, OVERHEAD_S, SPENT_SHARE, Need, add_up_time, give_more

STEPS = (3, 5, 16)
CHEAP, DEAR, OTHER, LAST = (
    make_variant(program=name) for name in ("cheap", "dear", "other", "last")
)
ABROAD = make_variant(program="cheap", interpreter="cpython-3.9.2")


@pytest.fixture(autouse=True)
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels of these tests, whatever those of the build are."""
    monkeypatch.setattr(rounds, "LEVELS", STEPS)


def record(*measured: tuple[Variant, Sequence[float]]) -> dict[Variant, Record]:
    return {variant: make_record(variant, walls) for variant, walls in measured}


def need(*variants: Variant, **changes: Any) -> Need:
    return Need(**{"name": "it", "variants": variants} | changes)


def give(needs: Sequence[Need], left_s: float, *options: Any, **walls_s: float) -> list[Variant]:
    """The variants that get more, in order; each has three trials of so many seconds."""
    cells = (CHEAP, DEAR, OTHER, LAST)
    records = record(*((cell, [walls_s.get(cell.program, 1.0)] * 3) for cell in cells))
    records |= record((ABROAD, [walls_s.get("abroad", 1.0)] * 3))
    return list(give_more(needs, records, left_s, *options))


def test_a_second_on_another_python_than_pages_show_first_counts_twice() -> None:
    needs = [need(ABROAD), need(DEAR)]
    assert give(needs, 5, abroad=1.5, dear=2.0) == [ABROAD]
    assert give(needs, 5, (), DEAR.interpreter, abroad=1.5, dear=2.0) == [DEAR]


@pytest.mark.parametrize(
    ("cheap", "dear", "more"),
    [
        (5, 3, {DEAR: Done(timed=5, traced=1)}),
        (5, 5, {CHEAP: Done(timed=16, traced=1), DEAR: Done(timed=16, traced=1)}),
        (16, 3, {DEAR: Done(timed=5, traced=1)}),
        (16, 16, {}),
    ],
)
def test_what_is_open_gets_to_the_next_level_on_both_sides(
    cheap: int, dear: int, more: dict[Variant, Done]
) -> None:
    records = record((CHEAP, [1.0] * cheap), (DEAR, [2.0] * dear))
    assert give_more([need(CHEAP, DEAR)], records, 1e9) == more


def test_what_is_steady_is_looked_at_with_fewer_trials_first_and_with_as_many_later() -> None:
    needs = [need(CHEAP, DEAR, steady=[DEAR])]
    first = record((CHEAP, [1.0]), (DEAR, [2.0]))
    assert give_more(needs, first, 1e9) == {
        CHEAP: Done(timed=3, traced=1),
        DEAR: Done(timed=2, traced=1),
    }
    again = record((CHEAP, [1.0] * 3), (DEAR, [2.0] * 2))
    assert set(give_more(needs, again, 1e9).values()) == {Done(timed=5, traced=1)}


def test_there_are_no_more_looks_than_the_intervals_allow() -> None:
    assert len(LEVELS) <= 4


def test_the_cheapest_come_first_and_what_does_not_fit_gets_nothing() -> None:
    needs = [need(DEAR), need(CHEAP)]
    assert give(needs, 10, dear=9.0) == [CHEAP]
    assert give(needs, 1, dear=9.0) == []


def test_what_all_the_looks_would_not_decide_comes_last_however_cheap() -> None:
    left_s = 6.5 / SPENT_SHARE + 2
    soon, far = need(DEAR, trials=7.0), need(CHEAP, trials=16.0)
    assert give([soon, far], left_s, dear=4.0) == [CHEAP]
    hopeless = need(CHEAP, trials=STEPS[-1] + 1.0)
    assert give([hopeless, soon], left_s, dear=4.0) == [DEAR]
    assert give([hopeless], left_s) == [CHEAP]


@pytest.mark.parametrize(
    ("left_s", "given"),
    [(100, [CHEAP, DEAR, OTHER]), (10 / SPENT_SHARE, [CHEAP, DEAR]), (4, [CHEAP])],
)
def test_a_look_gives_away_its_share_of_the_time_left_or_what_comes_first(
    left_s: float, given: list[Variant]
) -> None:
    needs = [need(cell) for cell in (CHEAP, DEAR, OTHER)]
    assert give(needs, left_s, dear=2.0, other=3.0) == given


def test_what_a_reader_meets_first_is_decided_first_at_any_cost() -> None:
    needs = [need(CHEAP), need(DEAR, name="opening"), need(OTHER, name="answer")]
    assert give(needs, 1000, dear=9.0, other=2.0) == [CHEAP, OTHER, DEAR]
    first = {"opening", "answer"}
    assert give(needs, 1000, first, dear=9.0, other=2.0) == [OTHER, DEAR, CHEAP]


def test_verdicts_get_trials_where_no_claim_does_and_claims_come_first_at_any_cost() -> None:
    verdict = need(CHEAP, urgent=False)
    assert give([verdict, need(DEAR)], 1000, dear=4.0) == [DEAR]
    assert give([verdict], 1000) == [CHEAP]


def test_what_two_comparisons_need_is_paid_once() -> None:
    share_s = 2 * (1.0 + 2.0 + 2.0) + 6 * OVERHEAD_S + 0.01
    needs = [need(CHEAP, DEAR), need(CHEAP, OTHER)]
    assert give(needs, share_s / SPENT_SHARE, dear=2.0, other=2.0) == [CHEAP, DEAR, OTHER]


def test_what_has_been_given_in_a_look_makes_what_shares_it_cheaper() -> None:
    needs = [need(OTHER, LAST), need(DEAR, OTHER), need(CHEAP, DEAR, LAST)]
    assert give(needs, 1000, dear=4.0, other=1.5, last=3.0) == [OTHER, LAST, DEAR, CHEAP]


def test_the_time_of_a_record_has_that_of_its_memory_trials_and_its_overhead() -> None:
    (timed,) = record((CHEAP, [1.0, 2.0, 3.0])).values()
    (memory,) = timed.traced
    assert memory.lasted_s
    assert add_up_time(timed) == pytest.approx(6.0 + memory.lasted_s + 4 * OVERHEAD_S)
