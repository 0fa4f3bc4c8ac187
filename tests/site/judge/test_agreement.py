"""A picture shows what its claim says: the cells compared, which is more, and by about how much."""

from collections.abc import Sequence

import pytest

from making import make_record, make_variant, replace
from scripts.site.judge.agreement import Drawn, find_denial, list_values, locate_value
from scripts.site.judge.claims import Check
from tests.factories import PLAIN, POOL, make_claim, make_comparison
from tests.site.judge.test_claims import check, make_pair


def decide(left: Sequence[float] = (1.0, 1.01, 0.99, 1.0, 1.0), **changes: object) -> Check:
    """A pool that takes half of the plain program's two seconds, or what else is claimed of it."""
    claim = make_claim(make_comparison(relation="less", margin=1.1, **changes))
    (decided,) = check(claim, make_pair(left, (2.0, 2.02, 1.98, 2.0, 2.0)))
    return decided


def draw(left_s: float, right_s: float, **changes: int) -> list[Drawn]:
    records = [
        make_record(make_variant(program=program, cores=2, **changes), [1.0])
        for program in (POOL, PLAIN)
    ]
    pairs = zip(records, (left_s, right_s), strict=True)
    return [Drawn(record, "wall_s", value_s) for record, value_s in pairs]


def test_what_a_claim_was_decided_by_agrees_at_any_scale() -> None:
    assert find_denial(decide(), draw(1.0, 2.0)) == ""
    assert find_denial(decide(), draw(3.0, 6.1)) == ""


@pytest.mark.parametrize(
    ("left_s", "is_single"), [(2.1, False), (2.1, True), (1.4, False), (0.7, True)]
)
def test_another_order_or_another_ratio_denies(left_s: float, is_single: bool) -> None:
    denial = find_denial(decide(), draw(left_s, 2.0), is_single=is_single)
    assert denial == f"it draws ×{2 / left_s:.2f} of wall_s, the claim says ×2.00"


def test_single_runs_may_lie_a_quarter_off_and_a_chart_may_not() -> None:
    assert find_denial(decide(), draw(0.85, 2.0), is_single=True) == ""
    assert find_denial(decide(), draw(0.85, 2.0)) != ""


def test_a_side_that_is_missing_or_of_another_size_or_metric_denies() -> None:
    both = draw(1.0, 2.0)
    for drawn in (both[:1], draw(1.0, 2.0, workers=9), [replace(both[0], metric="cpu_s"), both[1]]):
        assert "it does not draw wall_s of" in find_denial(decide(), drawn)


def test_a_chart_may_draw_the_ratio_itself() -> None:
    pool, _ = draw(1.0, 2.0)
    assert find_denial(decide(), [Drawn(pool.cell, "gain", 2.0)]) == ""
    assert find_denial(decide(), [Drawn(pool.cell, "gain", 0.5)]) != ""


def test_a_chart_has_the_values_that_the_sentence_tells() -> None:
    pool, plain = draw(1.0, 2.0)
    values = list_values(decide())
    told = [values[locate_value("wall_s", number.cell)].median for number in (pool, plain)]
    assert told == [pytest.approx(1.0), pytest.approx(2.0)]
    assert list_values(None) == {}


def test_a_claim_about_a_number_is_held_against_it() -> None:
    share = decide(metric="wall_s", right=2.0)
    assert find_denial(share, draw(1.0, 9.0)) == ""
    assert find_denial(share, draw(1.5, 9.0)) == "it draws ×1.33 of wall_s, the claim says ×2.00"
