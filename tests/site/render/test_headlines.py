"""A chart's title says what it found, and no more than its intervals show."""

import pytest

from scripts.harness.metrics import METRICS
from scripts.harness.statistics import Estimate
from scripts.site.declare.texts import list_languages
from scripts.site.render.headlines import count_times, tell_difference, tell_pythons, tell_workers
from scripts.site.render.plot import Row
from scripts.site.render.words import NBSP, load_words

EN, RU = load_words("en"), load_words("ru")
LOOP = (2.9, 3.1)


def row(
    name: str, ends: tuple[float, float], metric: str = "inside_s", *, is_sure: bool = True
) -> Row:
    low, high = ends
    value = Estimate(median=(low + high) / 2, low=low, high=high, is_sure=is_sure)
    return Row(series=name, value=value, metric=metric)


def tell(*rows: Row, base: str = "loop") -> str:
    return tell_difference(rows, EN, base).replace(NBSP, " ")


def test_it_names_the_near_ends_of_the_intervals_and_not_the_middles() -> None:
    told = tell(row("pool", (0.9, 1.1)), row("loop", LOOP))
    assert told == "pool is at least 2.6 times as fast as loop"


def test_it_is_a_sentence_in_russian_too() -> None:
    found = tell_difference([row("pool", (0.9, 1)), row("loop", (5, 6))], RU, "loop")
    assert found.replace(NBSP, " ") == "pool быстрее, чем loop, не менее чем в 5 раз"


def test_of_the_whole_time_it_says_that_starting_is_part_of_it() -> None:
    told = tell(row("pool", (0.9, 1.1), "wall_s"), row("loop", LOOP, "wall_s"))
    assert told.endswith("as fast as loop, start-up included")


@pytest.mark.parametrize(
    ("ends", "is_sure"),
    [
        pytest.param((2.0, 2.95), True, id="intervals that meet"),
        pytest.param((2.0, 2.8), True, id="less than the margin apart"),
        pytest.param((1.0, 1.0), False, id="one trial"),
        pytest.param((0.0, 1.0), True, id="a time of nought"),
        pytest.param((0.01, 1.0), True, id="an interval that tells nothing"),
    ],
)
def test_what_is_not_certain_is_no_title(ends: tuple[float, float], is_sure: bool) -> None:
    assert tell(row("pool", ends, is_sure=is_sure), row("loop", LOOP)) == ""


def test_the_largest_difference_counts_whichever_way_it_goes() -> None:
    rows = row("quick", (2, 2.1)), row("slow", (30, 31)), row("loop", LOOP)
    assert tell(*rows) == "loop is at least 9.6 times as fast as slow"


@pytest.mark.parametrize("metric", METRICS)
def test_a_difference_in_any_metric_can_be_told(metric: str) -> None:
    told = tell(row("many", (29, 31), metric), row("few", (0.9, 1.1), metric), base="")
    assert {"many", "few"} <= set(told.replace(",", "").split())


def test_of_a_reading_it_says_which_is_more_and_not_which_is_better() -> None:
    told = tell(row("a", (88, 90), "waited"), row("b", (29, 30), "waited"), base="")
    assert told == "Wait with a is at least 2.9 times that with b"


def test_of_memory_it_names_what_takes_most_and_of_lag_what_is_late_least() -> None:
    memory = tell(row("a", (88, 90), "peak_pss_bytes"), row("b", (29, 30), "peak_pss_bytes"))
    assert memory == "a takes at least 2.9 times the memory of b"
    late = tell(row("a", (0.9, 1), "lag_max_s"), row("loop", (96, 99), "lag_max_s"))
    assert late == "With a the event loop lags at least 96 times less than with loop"


def test_of_cores_both_ends_are_told() -> None:
    told = tell(row("many", (1.85, 1.9), "cpu_share"), row("one", (0.8, 0.91), "cpu_share"))
    assert told == "many keeps at least 1.8 cores busy, one at most 0.91"


@pytest.mark.parametrize(("low", "told"), [(1.39, "1.3"), (2.0, "2"), (159.9, "150")])
def test_a_lower_bound_is_rounded_down(low: float, told: str) -> None:
    assert count_times(low, EN) == EN.count("times", float(told))


@pytest.mark.parametrize("language", list_languages())
def test_pythons_on_which_it_is_certain_are_counted(language: str) -> None:
    words = load_words(language)
    gain, loss = (Estimate(median=one, low=one, high=one) for one in (0.5, 1.2))
    once = Estimate(median=0.5, low=0.5, high=0.5, is_sure=False)
    told = tell_pythons([gain, loss, once], "pool", "loop", words)
    assert told == words.text("found_pythons", program="pool", base="loop", n="1", all="3")
    assert tell_pythons([loss, once], "pool", "loop", words) == ""


def test_who_gains_most_by_workers_is_named() -> None:
    cells = [("a", 2, (8, 9)), ("a", 80, (1, 2)), ("b", 2, (8, 9)), ("b", 80, (0.1, 0.2))]
    rows = [
        Row(series=name, x=160, y=many, value=row(name, ends).value) for name, many, ends in cells
    ]
    told = tell_workers(rows, EN).replace(NBSP, " ")
    assert told == "b, 160 tasks: 80 workers instead of 2 workers are at least 40 times as fast"
    assert tell_workers(rows[:1], EN) == ""
