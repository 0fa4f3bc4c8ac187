"""A chart's title says what it found, and no more than its intervals allow."""

from collections.abc import Sequence

import pytest

from scripts.harness.texts import list_languages
from scripts.site.judge.statistics import Estimate
from scripts.site.render.headlines import count_times, tell_cores, tell_difference, tell_pythons
from scripts.site.render.words import NBSP, load_words

EN, RU = load_words("en"), load_words("ru")


def trials(middle: float, spread: float = 0.01, count: int = 5) -> list[float]:
    return [middle * (1 + spread * (place - count // 2)) for place in range(count)]


def tell(own: Sequence[float], base: Sequence[float], metric: str = "inside_s") -> str:
    found = tell_difference({"pool": own, "loop": base}, metric, EN, "loop")
    return found.replace(NBSP, " ")


def test_it_names_the_near_end_of_the_interval_and_not_the_middle() -> None:
    assert tell(trials(1, 0.1), trials(3)) == "pool is at least 2.2 times as fast as loop"


def test_it_is_a_sentence_in_russian_too() -> None:
    found = tell_difference({"pool": trials(1), "loop": trials(5.25)}, "inside_s", RU, "loop")
    assert found.replace(NBSP, " ") == "pool быстрее, чем loop, не менее чем в 5 раз"


def test_of_the_whole_time_it_says_that_starting_is_part_of_it() -> None:
    told = tell(trials(1, 0.1), trials(3), "wall_s")
    assert told == "pool is at least 2.2 times as fast as loop, start-up included"
    assert tell([], [3.0], "wall_s") == ""


UNSURE = "No program is certain to differ from loop by 10%"


@pytest.mark.parametrize(
    ("own", "base", "told"),
    [
        pytest.param(trials(1, 0.4), trials(1.5, 0.4), UNSURE, id="an interval over the margin"),
        pytest.param([1.0], [3.0], UNSURE, id="a trial each"),
        pytest.param([], [3.0], "", id="nothing measured"),
        pytest.param([0.0, 1.0, 1.0], [3.0, 3.0, 3.0], "", id="a time of nought"),
    ],
)
def test_what_is_undecided_is_said_to_be(
    own: Sequence[float], base: Sequence[float], told: str
) -> None:
    assert tell(own, base) == told


def test_where_only_a_loss_is_certain_the_base_is_what_is_faster() -> None:
    found = {"open": trials(1, 0.4), "slow": trials(3), "loop": trials(1)}
    told = tell_difference(found, "inside_s", EN, "loop").replace(NBSP, " ")
    assert told == "loop is at least 2.9 times as fast as slow"


def test_of_a_reading_it_says_which_is_more_and_not_which_is_better() -> None:
    told = tell_difference({"a": trials(90), "b": trials(30)}, "waited", EN).replace(NBSP, " ")
    assert told == "wait with a is at least 2.9 times that with b"


def test_nothing_gained_is_a_finding_if_every_interval_says_so() -> None:
    assert tell(trials(1.5), trials(1)) == "No program is 10% faster than loop"


def test_of_memory_it_names_what_takes_most() -> None:
    found = tell(trials(90), trials(30), "peak_pss_bytes")
    assert found == "pool takes at least 2.9 times the memory of loop"


def test_of_a_loop_that_is_late_it_names_what_is_late_least() -> None:
    found = tell(trials(0.01), trials(1), "lag_max_s")
    assert found == "With pool the event loop lags at least 96 times less than with loop"


@pytest.mark.parametrize(("low", "told"), [(1.39, "1.3"), (2.0, "2"), (159.9, "150")])
def test_a_lower_bound_is_rounded_down(low: float, told: str) -> None:
    assert count_times(low, EN) == EN.count("times", float(told))


def test_cores_are_told_apart_or_all_below_one() -> None:
    apart = tell_cores({"many": trials(1.9), "one": trials(0.9)}, EN)
    assert apart.startswith("many keeps at least 1.8 cores busy, one at most 0.9")
    assert tell_cores({"a": trials(1), "b": trials(0.98)}, EN).startswith("No program keeps more")
    assert tell_cores({"a": trials(1.5), "b": [1.4]}, EN) == ""


@pytest.mark.parametrize("language", list_languages())
def test_pythons_are_counted_and_those_that_are_open_told(language: str) -> None:
    words = load_words(language)
    gain, loss = (Estimate(median=one, low=one, high=one) for one in (2.0, 0.8))
    told = tell_pythons({"3.12": gain, "3.13": loss}, "pool", "loop", words)
    assert told == words.text("found_pythons", program="pool", base="loop", n="1", all="2")
    once = Estimate(median=2.0, low=2.0, high=2.0, is_sure=False)
    places = {"program": "pool", "base": "loop", "n": "1", "all": "2", "open": "1"}
    told = tell_pythons({"3.12": gain, "3.13": once}, "pool", "loop", words)
    assert told == words.text("found_pythons_open", **places)
    unsure = words.text("found_unsure", base="loop", margin=words.percent(0.1))
    assert tell_pythons({"3.13": once}, "pool", "loop", words) == unsure
