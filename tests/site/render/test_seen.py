"""A chart without a claim is titled by what is drawn, and by no more than its intervals bear out."""

import pytest

from poolwise.statistics import Estimate
from scripts.site.render.plot import NO_FINDING, Row
from scripts.site.render.seen import see, see_lines, see_waits
from scripts.site.render.words import load_words

EN = load_words("en")


def make_row(
    name: str, median: float, spread: float = 0.0, *, is_sure: bool = True, x: float = 0
) -> Row:
    value = Estimate(median=median, low=median - spread, high=median + spread, is_sure=is_sure)
    return Row(series=name, value=value, metric="inside_s", x=x, cell=f"×{median:g} (1-2)")


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        ([make_row("a", 1, 0.1), make_row("b", 2, 0.1), make_row("c", 3, 0.1)], "seen_time"),
        ([make_row("a", 1, 0.1), make_row("b", 1.1, 0.1), make_row("c", 3, 0.1)], "seen_range"),
        ([make_row("a", 1, 0.1), make_row("b", 3, 0.1, is_sure=False)], "seen_range"),
        ([make_row("a", 1, 0.1), make_row("b", 1.1, 0.1)], "seen_alike"),
    ],
)
def test_an_order_is_told_where_intervals_lie_apart(rows: list[Row], key: str) -> None:
    begins = EN.text(key, metric="Time of the work", first="a", last="", low="", high="")[:12]
    assert see(rows, EN).sentence.lower().startswith(begins.lower())


def test_a_single_row_says_nothing() -> None:
    assert see([make_row("a", 1)], EN) == NO_FINDING


def test_lines_are_told_at_the_largest_number_of_tasks_that_two_have() -> None:
    rows = [make_row(name, x, x / 10, x=x) for name, x in (("a", 1), ("b", 1), ("a", 9), ("c", 99))]
    sentence = see_lines(rows, EN).sentence
    assert EN.count("tasks", 1) in sentence


@pytest.mark.parametrize(("gains", "is_told"), [((2, 3, 9), True), ((2, 9, 3), False)])
def test_waits_are_told_where_longer_ones_always_gain_more(
    gains: tuple[float, ...], *, is_told: bool
) -> None:
    rows = [make_row("a", gain, x=x) for x, gain in zip((1, 5, 20), gains, strict=True)]
    assert bool(see_waits(rows, EN).sentence) == is_told
