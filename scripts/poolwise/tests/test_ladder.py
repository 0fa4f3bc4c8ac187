"""A way climbs to where more workers gain nothing, or to the border of what is right."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from poolwise.ladder import climb, find_border, list_numbers
from poolwise.words import Message

FAULT = Message("suggestion.too-slow", {"time": 1.0})


@dataclass(frozen=True)
class Try:
    workers: int
    time_s: float
    fault: Message | None = None


def make_attempt(
    takes_s: Callable[[int], float], stands: int = 1000, tries: int = 1000
) -> Callable[[int], Try | None]:
    """Return attempts at something that stands so many at once, for so many tries."""
    left = iter(range(tries))

    def attempt(workers: int) -> Try | None:
        if next(left, None) is None:
            return None
        return Try(workers, takes_s(workers), FAULT if workers > stands else None)

    return attempt


def wait(workers: int) -> float:
    return 64 / workers


@pytest.mark.parametrize(
    ("most", "numbers"),
    [(64, [2, 4, 8, 16, 32, 64]), (40, [2, 4, 8, 16, 32, 40]), (2, [2]), (1, [2]), (3, [2, 3])],
)
def test_numbers_double_up_to_the_most(most, numbers):
    assert list_numbers(most) == numbers


@pytest.mark.parametrize(
    ("takes_s", "tried"),
    [
        (wait, [2, 4, 8, 16, 32, 64]),
        (lambda workers: max(4.0, wait(workers)), [2, 4, 8, 16, 32, 64]),
        (lambda workers: max(8.0, wait(workers)), [2, 4, 8, 16, 32]),
        (lambda _: 70.0, [2, 4]),
        (lambda workers: 99.0 if workers == 4 else wait(workers), [2, 4, 8, 16, 32, 64]),
    ],
)
def test_a_climb_ends_after_two_numbers_that_gain_nothing(takes_s, tried):
    rungs = climb(list_numbers(64), make_attempt(takes_s), 64.0)
    assert [rung.workers for rung in rungs] == tried


@pytest.mark.parametrize("stands", [2, 7, 8, 9, 30, 31, 63])
def test_the_border_is_found_by_bisection(stands):
    attempt = make_attempt(wait, stands)
    rungs = climb(list_numbers(64), attempt, 64.0)
    assert [rung.fault is None for rung in rungs] == [True] * (len(rungs) - 1) + [False]
    border = find_border(rungs, attempt)
    assert max(rung.workers for rung in [*rungs, *border] if not rung.fault) == stands
    assert min(rung.workers for rung in [*rungs, *border] if rung.fault) == stands + 1


def test_nothing_is_tried_above_what_was_refused():
    attempt = make_attempt(wait, 8)
    rungs = climb(list_numbers(64), attempt, 64.0)
    tried = [rung.workers for rung in [*rungs, *find_border(rungs, attempt)]]
    assert tried == [2, 4, 8, 16, 12, 10, 9]


@pytest.mark.parametrize("stands", [1, 64])
def test_there_is_no_border_where_all_was_right_or_nothing(stands):
    attempt = make_attempt(wait, stands)
    assert find_border(climb(list_numbers(64), attempt, 64.0), attempt) == []


def test_climb_and_bisection_end_when_the_time_is_up():
    assert len(climb(list_numbers(64), make_attempt(wait, tries=3), 64.0)) == 3
    attempt = make_attempt(wait, 8, tries=6)
    assert len(find_border(climb(list_numbers(64), attempt, 64.0), attempt)) == 2
