"""Scales have round numbers, names stand apart, tables come of the same rows."""

import pytest

from scripts.harness.statistics import Estimate
from scripts.site.render.plot import Row, Scale, pivot
from scripts.site.render.words import load_words
from tests.site.render.markup import read_rows


@pytest.mark.parametrize(
    ("low", "high", "base", "most", "ticks"),
    [
        (0, 1.3, 0, 5, [0, 0.5, 1]),
        (0.9, 22, 10, 6, [1, 2, 5, 10, 20]),
        (0.9, 1100, 10, 6, [1, 10, 100, 1000]),
        (0.9, 1_100_000, 10, 4, [1, 100, 10_000, 1_000_000]),
        (200, 230, 10, 5, [200, 210, 220, 230]),
        (0.4, 9, 2, 5, [0.5, 1, 2, 4, 8]),
        (0.05, 9, 2, 4, [0.0625, 0.25, 1, 4]),
    ],
)
def test_ticks_are_round_and_not_too_many(
    low: float, high: float, base: int, most: int, ticks: list[float]
) -> None:
    assert Scale(low, high, 0, 100, base).list_ticks(most) == ticks


def test_a_table_has_a_column_for_each_series_in_the_order_asked_for() -> None:
    rows = [Row(series=name, x=x, cell=f"{name}{x}") for x, name in ((2, "b"), (2, "a"), (1, "a"))]
    shown = pivot(
        rows, load_words("en"), "", "", lambda r: r.series, lambda r: str(r.x), lambda r: r.x
    )
    assert read_rows(shown) == [["b", "—", "b2"], ["a", "a1", "a2"]]


def test_an_interval_is_drawn_only_where_it_tells_something() -> None:
    def find_ends(low: float, high: float, *, is_sure: bool = True) -> object:
        value = Estimate(median=1, low=low, high=high, is_sure=is_sure)
        return Row(series="", value=value).ends, Row(series="", value=value).is_single

    assert find_ends(0.5, 2) == ((0.5, 2), False)
    assert find_ends(0.05, 2) == (None, False)
    assert find_ends(0.5, 11) == (None, False)
    assert find_ends(1, 1, is_sure=False) == (None, True)
    assert find_ends(1, 1) == (None, False)
