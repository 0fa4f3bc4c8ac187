"""How an estimate is told, in a line and in a cell, and with how many digits."""

import math

import pytest

from poolwise.statistics import Estimate
from scripts.site.declare.texts import list_languages
from scripts.site.render.estimates import (
    format_parts,
    format_ratio,
    format_together,
    format_value,
    scale_estimate,
    stack_alike,
    stack_estimate,
    tell_difference,
)
from scripts.site.render.words import GIB, MIB, load_words

EN = load_words("en")
PSS = "peak_pss_bytes"


Interval = tuple[float, float, float]


def make(low: float, median: float, high: float) -> Estimate:
    return Estimate(low=low, median=median, high=high)


def tell(interval: Interval, metric: str = "wall_s") -> str:
    median, ends = format_parts(make(*interval), metric, EN)
    told = f"{median} ({ends})" if ends else median
    return told.replace("\N{NO-BREAK SPACE}", " ")


MIBS = 14.99 * MIB, 15.0 * MIB, 15.01 * MIB
TOLD: list[tuple[Interval, str, str]] = [
    # An interval is told if there is one, and if it is wider than its last digit.
    ((1, 2, 3), "wall_s", "2.0 s (1.0–3.0)"),
    ((2, 2, 2), "wall_s", "2.0 s"),
    ((1.5, 2, 3), "cpu_share", "200% (150–300)"),
    (MIBS, PSS, "15.0 MiB"),
    # Digits end where the interval leaves them uncertain.
    ((1.71, 1.7532, 1.79), "wall_s", "1.75 s (1.71–1.79)"),
    ((1.4, 1.7532, 2.2), "wall_s", "1.8 s (1.4–2.2)"),
    ((0.0101, 0.0122, 0.0144), "wall_s", "12 ms (10–14)"),
    ((0.42, 4.2, 42), "wall_s", "4.2 s (0.4–42.0)"),
    ((111, 142.4, 180), "wall_s", "140 s (110–180)"),
    ((0.455, 0.47, 0.482), "wall_s", "0.47 s (0.46–0.48)"),
    ((11.3, 12.34, 13.5), "wall_s", "12 s (11–14)"),
    # A count is exact, what a program read off once is not, and neither has decimals.
    ((12.0, 12.0, 12.0), "reading:waited", "12"),
    ((4098.0, 4098.0, 4098.0), "reading:waited", "4,098"),
    ((40.397, 40.397, 40.397), "reading:waited", "40"),
    ((5.2, 9.0, 14.7), "wrong", "9 (5–15)"),
    ((5, 8.5, 14), "wrong", "8 (5–14)"),
    ((2.61, 2.84, 5.6), "wrong", "3 (3–6)"),  # the mean of several sessions
    ((2.61, 2.84, 3.1), "wrong", "3"),
]


@pytest.mark.parametrize(("interval", "metric", "told"), TOLD)
def test_an_estimate_is_told_as_exactly_as_it_is_known(
    interval: Interval, metric: str, told: str
) -> None:
    assert tell(interval, metric) == told


def test_the_interval_of_a_cell_stands_below_its_value_if_there_is_one() -> None:
    stacked = [stack_estimate(make(*ends), "made", EN) for ends in ((1.5, 2, 3), (2, 2, 2))]
    assert stacked == ["2<small>2–3</small>", "2"]


def test_a_ratio_is_as_exact_as_its_interval() -> None:
    assert format_ratio(make(101, 155.9, 240), EN) == ("×160", "100–240")
    assert format_ratio(make(0.4, 0.47, 0.55), EN) == ("×0.47", "0.40–0.55")


@pytest.mark.parametrize(("low", "high"), [(0.19, 3.0), (1.0, 20.1), (1.0, math.inf)])
def test_an_interval_beyond_ten_times_either_way_is_not_known_yet(low: float, high: float) -> None:
    assert tell((low, 2.0, high)) == "2.0 s (interval unknown)"
    assert tell((low, 2.0, high), "cpu_share") == "200% (interval unknown)"
    assert tell((low, 2.0, high), "reading:waited") == "2 (interval unknown)"
    ratio = make(low, 2.0, high)
    assert format_ratio(ratio, EN) == ("×2.0", "interval unknown")
    assert format_ratio(ratio, load_words("ru"))[1] == "интервал пока неизвестен"


@pytest.mark.parametrize(
    ("ends", "way", "en", "ru"),
    [
        ((1.1, 1.17, 1.24), "faster", "17% faster 10–24%", "на 17 % быстрее 10–24 %"),
        ((1.1, 1.17, 1.24), "slower", "17% longer 10–24%", "на 17 % медленнее 10–24 %"),
        ((1.1, 1.17, 1.24), "less", "15% less 9–19%", "на 15 % меньше 9–19 %"),
        ((1.9, 2.0, 2.1), "faster", "twice as fast 1.9–2.1", "вдвое быстрее 1,9–2,1"),
        ((0.9, 1.12, 1.3), "more", "1.1 times as much 0.9–1.3", "в 1,1 раза больше 0,9–1,3"),
        ((0.95, 1.07, 1.2), "more", "about the same ×1.0–1.2", "примерно столько же ×1,0–1,2"),
        ((5.6, 6.0, 6.4), "slower", "6 times as long 5.6–6.4", "в 6 раз медленнее 5,6–6,4"),
        ((1.9, 2.0, 2.1), "less", "half as much 1.9–2.1", "вдвое меньше 1,9–2,1"),
        ((3.7, 4.0, 4.2), "less", "lower by a factor of 4 3.7–4.2", "в 4 раза меньше 3,7–4,2"),
        ((21.0, 21.0, 21.0), "more", "21 times as much ", "в 21 раз больше "),
        ((0.98, 1.0, 1.02), "less", "about the same ×0.98–1.02", "примерно столько же ×0,98–1,02"),
        ((1.0, math.inf, math.inf), "more", "×∞ 1.0–∞", "×∞ 1,0–∞"),
    ],
)
def test_a_difference_is_told_in_words(ends: Interval, way: str, en: str, ru: str) -> None:
    languages = (EN, load_words("ru"))
    told = [" ".join(tell_difference(make(*ends), way, words)) for words in languages]
    assert [one.replace("\N{NO-BREAK SPACE}", " ") for one in told] == [en, ru]


@pytest.mark.parametrize("median", [0.0, math.inf])
def test_nothing_is_ten_times_as_far_as_nought_or_infinity(median: float) -> None:
    assert not make(0.0, median, math.inf).is_unknown


@pytest.mark.parametrize("language", list_languages())
def test_a_single_value_has_two_digits_in_either_language(language: str) -> None:
    words = load_words(language)
    assert format_value(0.4321, "wall_s", words) == words.seconds(0.43, 2)
    assert format_value(1234.0, "made", words) == words.number(1234, 0)


def point(median: float) -> Estimate:
    return make(median, median, median)


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ([(point(0.0635), "wall_s"), (make(0.147, 0.148, 0.149), "wall_s")], "64 ms, 148 ms"),
        ([(point(0.05), "inside_s"), (point(0.626), "wall_s")], "50 ms, 630 ms"),
        (
            [(make(0.15, 0.17, 0.19), "wall_s"), (make(0.165, 0.166, 0.167), "wall_s")],
            "0.17 s, 0.17 s",
        ),
        ([(point(1.4), "wall_s"), (point(0.012), "wall_s")], "1.4 s, 0.012 s"),
        ([(point(1.15), "lag_max_s"), (point(0.0012), "lag_max_s")], "1.2 s, 1.2 ms"),
        ([(point(18 * MIB), PSS), (make(70 * MIB, 70.2 * MIB, 70.4 * MIB), PSS)], "18 MiB, 70 MiB"),
        ([(point(900 * MIB), PSS), (point(1.2 * GIB), PSS)], "0.88 GiB, 1.2 GiB"),
        ([(point(0.079), "late")], "79 µs"),
        ([(point(5.19), "late"), (point(0.072), "late")], "5.2 ms, 72 µs"),
        ([(make(203, 204, 205), "waited"), (point(0.52), "waited")], "204 ms, 0.52 ms"),
        ([(point(302.0), "p95"), (make(285, 300, 315), "p99")], "300 ms, 300 ms"),
        ([(point(130.0), "pays_from"), (point(0.0), "pays_from")], "130 µs, 0 µs"),
        ([(point(9.0), "wrong"), (point(0.5), "cpu_share"), (point(0.0), "wall_s")], "9, 50%, 0 s"),
        ([(point(0.9), "cpu_s"), (point(0.2), "wall_s")], "0.90 s of CPU, 0.20 s"),
    ],
)
def test_values_of_a_sentence_have_one_unit_and_one_precision(
    values: list[tuple[Estimate, str]], written: str
) -> None:
    assert ", ".join(format_together(values, EN)).replace("\N{NO-BREAK SPACE}", " ") == written


def test_percentiles_keep_their_order_when_they_are_rounded() -> None:
    estimates = [point(2.13), make(300, 302, 304), make(280, 303, 330), None]
    cells = stack_alike(estimates, ["p50", "p95", "p99", "max"], EN)
    assert cells == ["2.1", "300<small>300–304</small>", "300<small>280–330</small>", None]


def test_what_is_not_sure_is_not_sure_in_a_larger_unit_either() -> None:
    unsure = Estimate(median=4.0, low=2.0, high=8.0, is_sure=False, deviation=0.5)
    scaled = scale_estimate(unsure, 2)
    assert scaled == Estimate(median=2.0, low=1.0, high=4.0, is_sure=False)
    assert scaled.deviation == unsure.deviation
