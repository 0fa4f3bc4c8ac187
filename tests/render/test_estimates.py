"""How an estimate is told, in a line and in a cell."""

import pytest

from scripts.judge.statistics import Estimate
from scripts.render.estimates import format_estimate, stack_estimate
from scripts.render.words import load_words

EN = load_words("en")


@pytest.mark.parametrize(
    ("estimate", "line", "cell"),
    [
        (Estimate(median=2, low=1, high=3), "2.00 s (1.00–3.00)", "2.00 s<small>1.00–3.00</small>"),
        (Estimate(median=2, low=2, high=2), "2.00 s", "2.00 s"),
    ],
)
def test_an_interval_is_told_if_there_is_one(estimate: Estimate, line: str, cell: str) -> None:
    written = format_estimate(estimate, "wall_s", EN).replace("\N{NO-BREAK SPACE}", " ")
    stacked = stack_estimate(estimate, "wall_s", EN).replace("\N{NO-BREAK SPACE}", " ")
    assert (written, stacked) == (line, cell)
