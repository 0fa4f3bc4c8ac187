"""A contest ends when it is decided, and names a winner only where one is faster for sure."""

import random
import re
from itertools import count
from math import exp
from pathlib import Path

import pytest

from poolwise.comparison import (
    FEWEST_ROUNDS,
    MOST_ROUNDS,
    Contender,
    Failed,
    describe_gain,
    describe_order,
    has_winner,
    hold_contest,
)
from poolwise.process import Command, Outcome
from poolwise.samplers import Usage
from poolwise.statistics import Estimate


class Track:
    """Runs nothing: each program takes what was said, more or less, and a clock goes on by as much."""

    def __init__(
        self,
        times_s: dict[str, float],
        noise: float = 0.01,
        printed: dict[str, str] | None = None,
        **outcome: object,
    ) -> None:
        self.times_s = times_s
        self.noise = noise
        self.printed = printed or {}
        self.outcome = outcome
        self.now_s = 0.0
        self.chance = random.Random(7)
        self.ran: list[str] = []

    def run(self, command: Command, sampler: object = None) -> Outcome:
        name = command.argv[0]
        wall_s = self.times_s[name] * exp(self.chance.gauss(0, self.noise))
        self.now_s += wall_s
        self.ran.append(name)
        usage = {"ru_utime": wall_s, "ru_stime": 0.0}
        told = {"exit_code": 0, "wall_s": wall_s, "usage": usage}
        return Outcome(**(told | self.outcome), stdout=self.printed.get(name, "done"))


def hold(track: Track, budget_s: float = 60.0, **options: bool):
    contenders = [
        Contender(name=name, command=Command(argv=(name,), env={}, cwd=Path("/")))
        for name in track.times_s
    ]
    options["clock"] = lambda: track.now_s
    return hold_contest(contenders, track, lambda _: None, budget_s, **options)


@pytest.mark.parametrize(
    ("times_s", "noise", "most", "told"),
    [
        ((1.05, 1.0), 0.01, MOST_ROUNDS, "b is faster: it takes "),
        ((2.0, 1.0), 0.01, FEWEST_ROUNDS, "b is faster: it is twice as fast as a."),
        ((0.1, 0.1), 0.005, MOST_ROUNDS - 1, "No winner: "),
        ((0.1, 0.1), 0.3, MOST_ROUNDS, "Too close to call: "),
    ],
)
def test_the_faster_is_named_as_soon_as_that_is_clear_and_none_of_equals(
    times_s: tuple[float, float], noise: float, most: int, told: str
) -> None:
    order = hold(Track(dict(zip("ab", times_s, strict=True)), noise))
    assert FEWEST_ROUNDS <= len(order[0].laps) <= most
    assert describe_order(order).startswith(told)
    assert has_winner(order) == told.startswith("b is faster")
    if has_winner(order):
        assert [one.name for one in order] == ["b", "a"]
        assert order[1].ratio.low < times_s[0] < order[1].ratio.high


def test_rounds_of_a_moment_fill_the_time_as_long_ones_do() -> None:
    track = Track({"a.py": 0.01, "b.py": 0.01}, noise=0.3)
    order = hold(track, budget_s=1.0)
    assert FEWEST_ROUNDS < len(order[0].laps) <= MOST_ROUNDS
    assert 0.5 < track.now_s < 2.0
    assert "% is ruled out" in describe_order(order)


@pytest.mark.parametrize(
    ("low", "median", "high", "told"),
    [
        (1.2, 1.25, 1.3, "takes 20% less time than b.py (17% to 23%)"),
        (10.0, 12.0, 14.0, "is 12 times as fast as b.py (10 to 14)"),
        (29.8, 30.0, 30.2, "is 30 times as fast as b.py"),
        (137.0, 150.0, 162.0, "is 150 times as fast as b.py (140 to 160)"),
        (0.9, 3.0, 9.0, "is about 3 times as fast as b.py (not for sure: 0.9 to 9)"),
        (1.7e-08, 12.0, 7.8e9, "is about 12 times as fast as b.py (its interval isn't known yet)"),
        (2.0, 12.0, 130.0, "is about 12 times as fast as b.py (its interval isn't known yet)"),
    ],
)
def test_a_gain_has_its_interval_unless_that_is_beyond_ten_times_either_way(
    low: float, median: float, high: float, told: str
) -> None:
    assert describe_gain(Estimate(low=low, median=median, high=high), "b.py") == told


def test_two_rounds_exclude_no_difference() -> None:
    order = hold(Track({"a.py": 1.0, "b.py": 1.1}, noise=0.3), budget_s=0.0, fewest=2)
    assert describe_order(order).endswith("no difference is ruled out yet.")
    order[1].ratio = Estimate(low=0.6, median=1.0, high=1.999)
    assert describe_order(order).endswith("a difference of more than 100% is ruled out.")


@pytest.mark.slow
def test_a_winner_between_equals_is_rare_and_five_per_cent_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times_s = count()
    monkeypatch.setattr(
        Usage, "read", lambda: Usage(at_s=next(times_s), busy_s=(0.0,), stolen_s=None)
    )
    same = [Track({"a": 1.0, "b": 1.0}, 0.02) for _ in range(300)]
    apart = [Track({"a": 1.0, "b": 1.05}, 0.02) for _ in range(300)]
    for number, track in enumerate([*same, *apart]):
        track.chance.seed(number)
    assert sum(has_winner(hold(track)) for track in same) <= 0.05 * len(same)
    named = [hold(track) for track in apart]
    assert sum(has_winner(one) and one[0].name == "a" for one in named) >= 0.95 * len(apart)


def test_every_round_has_each_program_once_in_changing_order() -> None:
    track = Track({"a": 1.0, "b": 1.0, "c": 1.0}, noise=0.3)
    hold(track)
    rounds = [tuple(track.ran[start : start + 3]) for start in range(0, len(track.ran), 3)]
    assert {frozenset(one) for one in rounds} == {frozenset("abc")}
    assert len(set(rounds)) > 1


def test_the_time_that_all_runs_print_is_compared_or_else_whole_runs() -> None:
    printed = {"a": "42\ntime 1.0 s", "b": "42\ntime 1.0 s"}
    order = hold(Track({"a": 2.0, "b": 1.5}, 0.0, printed))
    assert "take the same time" in describe_order(order)
    assert [(one.start_s, one.cores) for one in order] == [(1.0, 1.0), (0.5, 1.0)]
    order = hold(Track({"a": 2.0, "b": 1.5}, 0.0, printed | {"b": "42"}))
    assert [(one.name, one.time_s) for one in order] == [("b", 1.5), ("a", 2.0)]


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ({"exit_code": 3, "stderr": "no such file"}, "status 3. Its last words: no such file"),
        ({"exit_code": None, "signal": "SIGKILL"}, "a was killed by SIGKILL."),
        ({"exit_code": None, "timed_out": True}, "a didn't end within 1 s"),
        ({"exit_code": None, "error": "not found"}, "a couldn't be started: not found."),
        ({"leftovers": 2}, "a left 2 process(es) running"),
    ],
)
def test_what_goes_wrong_is_one_sentence(outcome: dict[str, object], said: str) -> None:
    with pytest.raises(Failed, match=re.escape(said)):
        hold(Track({"a": 1.0, "b": 1.0}, 0.0, **outcome))


def test_other_output_ends_the_contest_only_if_that_was_asked() -> None:
    track = Track({"a": 1.0, "b": 1.0}, printed={name: f"{name}\ntime 1.0 s" for name in "ab"})
    assert not has_winner(hold(track))
    with pytest.raises(Failed, match="b printed “b”, but a printed “a”"):
        hold(track, same_output=True)
