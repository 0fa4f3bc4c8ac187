"""How an estimate is told, in a line and in a cell."""

import pytest

from scripts.judge.statistics import Estimate
from scripts.render.estimates import format_ends, format_estimate, stack_estimate
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


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [
        ("15 MiB", "15 MiB", ""),
        ("151 MiB", "152 MiB", "151–152 MiB"),
        ("×1.1", "×1.3", "×1.1–×1.3"),
    ],
)
def test_a_unit_is_said_once_and_no_width_is_no_interval(low: str, high: str, ends: str) -> None:
    assert format_ends(low, high) == ends


def test_an_interval_narrower_than_its_last_digit_is_left_out() -> None:
    estimate = Estimate(median=15.0 * 2**20, low=14.99 * 2**20, high=15.01 * 2**20)
    assert format_estimate(estimate, "peak_pss_bytes", EN) == EN.memory(estimate.median)
