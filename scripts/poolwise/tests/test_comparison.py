"""A contest ends when it is decided, and names a winner only where one is faster for sure."""

import random
import re
from itertools import count
from math import exp, inf
from pathlib import Path

import pytest

from poolwise import comparison
from poolwise.load import Load
from poolwise.process import Command, Outcome
from poolwise.samplers import Usage
from poolwise.statistics import Estimate
from poolwise.words import Failed, Message, Undecided, Words

IDLE = Load(0.0, 0.0, 2)


class Track:
    """Runs nothing: each program takes what was said, more or less, and a clock goes on by as much."""

    def __init__(
        self,
        times_s: dict[str, float],
        noise: float = 0.01,
        printed: dict[str, str] | None = None,
        ends: dict[str, dict[str, object]] | None = None,
    ) -> None:
        self.times_s = times_s
        self.noise = noise
        self.printed = printed or {}
        self.ends = ends or {}
        self.now_s = 0.0
        self.chance = random.Random(7)
        self.ran: list[str] = []

    def run(self, command: Command, sampler: object = None) -> Outcome:
        name = command.argv[0]
        wall_s = self.times_s[name] * exp(self.chance.gauss(0, self.noise))
        end: dict[str, object] = {"exit_code": 0}
        if command.timeout_s and wall_s > command.timeout_s:
            wall_s, end = command.timeout_s, {"exit_code": None, "timed_out": True}
        self.now_s += wall_s
        self.ran.append(name)
        end |= {"wall_s": wall_s, "usage": {"ru_utime": wall_s, "ru_stime": 0.0}}
        printed = self.printed.get(name, "done").replace("HALF", f"{wall_s / 2:.9f}")
        return Outcome(**(end | self.ends.get(name, {})), stdout=printed)


@pytest.fixture(autouse=True)
def idle(monkeypatch):
    """Nobody else uses a core, whatever the machine that the tests run on does."""
    times_s = count()
    monkeypatch.setattr(
        Usage, "read", lambda: Usage(at_s=next(times_s), busy_s=(0.0,), stolen_s=None)
    )


def hold(track: Track, budget_s: float = 60.0, **rules: object) -> list[comparison.Contender]:
    contenders = [make_contender(name) for name in track.times_s]
    clock = lambda: track.now_s  # noqa: E731
    return comparison.hold_contest(
        contenders, track, lambda _: None, budget_s, comparison.Rules(**rules), clock
    )


def make_contender(name: str) -> comparison.Contender:
    return comparison.Contender(name=name, command=Command(argv=(name,), env={}, cwd=Path("/")))


def make_order(*ratios: Estimate) -> list[comparison.Contender]:
    """The fastest, a, and others, b, c, …, of these ratios."""
    order = [make_contender(name) for name in "abcd"[: len(ratios) + 1]]
    for contender, ratio in zip(order, (None, *ratios), strict=True):
        contender.ratio = ratio
        lap = comparison.Lap(wall_s=1.0, inside_s=None, cpu_s=1.0, load=IDLE, printed="")
        contender.laps = [lap] * 12
        contender.times_s = [1.0, 1.2] * 6
    return order


def say(message: Message, language: str = "en") -> str:
    return Words(language).say(message)


@pytest.mark.parametrize(
    ("times_s", "noise", "most", "verdict", "sentence"),
    [
        ((1.05, 1.0), 0.01, comparison.MOST_ROUNDS, "winner", "b takes 4"),
        ((2.0, 1.0), 0.01, comparison.FEWEST_ROUNDS, "winner", "b is twice as fast as a"),
        ((0.1, 0.1), 0.005, comparison.MOST_ROUNDS - 1, "same", "a and b take the same time"),
        ((0.1, 0.1), 0.3, comparison.MOST_ROUNDS, "not-known", "Not known: "),
    ],
)
def test_the_faster_is_named_as_soon_as_that_is_clear_and_none_of_equals(
    times_s, noise, most, verdict, sentence
):
    order = hold(Track(dict(zip("ab", times_s, strict=True)), noise))
    assert comparison.FEWEST_ROUNDS <= len(order[0].laps) <= most
    assert comparison.find_verdict(order) == verdict
    if verdict == "winner":
        assert [contender.name for contender in order] == ["b", "a"]
        assert order[1].ratio.low < times_s[0] < order[1].ratio.high
        assert say(comparison.describe_order(order)).startswith(sentence)
    else:
        order.sort(key=lambda contender: contender.name)
        assert {*"ab"} == {contender.name for contender in order}


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ([(1.9, 2.0, 2.1)], "a is twice as fast as b (1.9 to 2.1), comparing whole runs."),
        (
            [(1.2, 1.25, 1.3), (3.0, 4.0, 5.0)],
            "a is the fastest: it takes 20% less time than the next, b (17% to 23%), comparing",
        ),
        (
            [(0.99, 1.0, 1.015)],
            "a and b take the same time, comparing whole runs: .* 1.5% is ruled",
        ),
        ([(1.0, 1.0, 1.0)], "a and b take the same time, comparing whole runs: .* 0.1% is ruled"),
        (
            [(0.9, 1.0, 1.12), (0.8, 1.1, 1.6), (4.0, 5.0, 6.0)],
            "Not known: a, b and c may differ by up to 60%, .* differed by 9.5% in 12 rounds.",
        ),
        ([(0.4, 1.1, 1.6)], "Not known: a and b may differ by up to a factor of 2.5, comparing"),
        ([(1e-3, 1.1, 1e3)], "Not known: a and b may differ by any amount, comparing whole runs"),
    ],
)
def test_the_sentence_says_the_outcome_what_was_compared_and_what_is_in_doubt(ratios, said):
    estimates = [Estimate(low=low, median=median, high=high) for low, median, high in ratios]
    message = comparison.describe_order(make_order(*estimates))
    assert re.match(said.replace("(", r"\(").replace(")", r"\)"), say(message))
    assert "{" not in say(message, "ru")


def test_a_busy_machine_is_the_reason_why_it_is_not_known_and_a_note():
    order = make_order(Estimate(low=0.9, median=1.0, high=1.12))
    for load, sentence in (
        (Load(1.7, 0.0, 2), "other programs kept 1.7 of 2 cores busy"),
        (Load(0.1, 0.8, 2), "the host gave 0.8 of 2 cores to other machines"),
    ):
        for contender in order:
            contender.laps = [
                comparison.Lap(wall_s=1.0, inside_s=None, cpu_s=1.0, load=load, printed="")
            ] * 12
        assert say(comparison.describe_order(order)).endswith(f", because {sentence}.")
        assert f"Meanwhile {sentence}." in say(comparison.describe_noise(order)[-1])


def test_rounds_of_a_moment_fill_the_time_as_long_ones_do():
    track = Track({"a.py": 0.01, "b.py": 0.01}, noise=0.3)
    order = hold(track, budget_s=1.0)
    assert comparison.FEWEST_ROUNDS < len(order[0].laps) <= comparison.MOST_ROUNDS
    assert 0.5 < track.now_s <= 1.0


@pytest.mark.parametrize(
    ("low", "median", "high", "sentence"),
    [
        (1.2, 1.25, 1.3, "takes 20% less time than b.py (17% to 23%)"),
        (10.0, 12.0, 14.0, "is 12 times as fast as b.py (10 to 14)"),
        (29.8, 30.0, 30.2, "is 30 times as fast as b.py"),
        (137.0, 150.0, 162.0, "is 150 times as fast as b.py (140 to 160)"),
        (0.9, 3.0, 9.0, "is about three times as fast as b.py (not certain: 0.9 to 9)"),
        (1.7e-08, 12.0, 7.8e9, "is about 12 times as fast as b.py (its interval isn't known yet)"),
        (2.0, 12.0, 130.0, "is about 12 times as fast as b.py (its interval isn't known yet)"),
    ],
)
def test_a_gain_has_its_interval_unless_that_is_beyond_ten_times_either_way(
    low, median, high, sentence
):
    gain = comparison.describe_gain(Estimate(low=low, median=median, high=high), "b.py")
    assert say(gain) == sentence


def test_two_rounds_decide_nothing():
    order = hold(Track({"a": 1.0, "b": 1.1}, noise=0.3), rounds=2)
    assert comparison.find_verdict(order) == "not-known"
    assert "by any amount" in say(comparison.describe_order(order))


@pytest.mark.slow
def test_a_winner_between_equals_is_rare_and_five_per_cent_are_found():
    same = [Track({"a": 1.0, "b": 1.0}, 0.02) for _ in range(300)]
    apart = [Track({"a": 1.0, "b": 1.05}, 0.02) for _ in range(300)]
    for number, track in enumerate([*same, *apart]):
        track.chance.seed(number)
    assert sum(comparison.find_verdict(hold(track)) == "winner" for track in same) <= 0.05 * len(
        same
    )
    named = [hold(track) for track in apart]
    assert sum(
        comparison.find_verdict(order) == "winner" and order[0].name == "a" for order in named
    ) >= 0.95 * len(apart)


def test_every_round_has_each_program_once_in_changing_order():
    track = Track({"a": 1.0, "b": 1.0, "c": 1.0}, noise=0.3)
    hold(track)
    rounds = [tuple(track.ran[start : start + 3]) for start in range(0, len(track.ran), 3)]
    assert {frozenset(order) for order in rounds} == {frozenset("abc")}
    assert len(set(rounds)) > 2
    assert rounds[2::2] == [order[::-1] for order in rounds[1:-1:2]]


def test_exactly_the_rounds_and_warm_ups_that_are_wanted_are_run():
    track = Track({"a": 1.0, "b": 2.0})
    assert len(hold(track, rounds=7, warm_ups=3)[0].laps) == 7
    assert len(track.ran) == 2 * (3 + 7)


def test_the_budget_is_an_upper_bound_that_ends_a_run():
    track = Track({"a": 1.0, "b": 9.0}, noise=0.3)
    with pytest.raises(Undecided, match="the budget runs out before each program has run once"):
        hold(track, budget_s=6.0)
    assert track.now_s == pytest.approx(6.0)
    track = Track({"a": 1.0, "b": 1.0}, noise=0.01)
    with pytest.raises(
        Undecided, match=r"leaves time for 0 rounds: give it --budget 1[56] or more"
    ):
        hold(track, budget_s=4.0)
    assert track.now_s < 4.0  # that it won't suffice is known after the warm-up
    track = Track({"a": 1.0, "b": 1.0}, noise=0.3)
    hold(track, budget_s=15.0)
    assert track.now_s <= 15.0


def test_the_time_that_all_runs_print_is_compared_or_else_whole_runs():
    printed = {"a": "42\ntime 1.0 s", "b": "42\ntime 1.0 s"}
    times_s = {"a": 2.0, "b": 1.5}
    order = hold(Track(times_s, 0.0, printed))
    assert comparison.find_verdict(order) == "same"
    assert "comparing the times that they print" in say(comparison.describe_order(order))
    assert [(contender.start_s, contender.cores) for contender in order] == [(1.0, 1.0), (0.5, 1.0)]
    order = hold(Track(times_s, 0.0, printed | {"b": "42"}))
    assert [(contender.name, contender.time_s) for contender in order] == [("b", 1.5), ("a", 2.0)]
    assert "comparing whole runs (b printed no time)" in say(comparison.describe_order(order))
    order = hold(Track(times_s, 0.0, printed), whole=True)
    assert [contender.name for contender in order] == ["b", "a"]
    assert say(comparison.describe_order(order, whole=True)).endswith("comparing whole runs.")


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        ("time 0.2 s\ntime 0.3 s", "a prints more than one “time … s” line"),
        ("time 0.2 s\ntime nan s", "a prints more than one “time … s” line"),
        ("time 77.5 s", "a prints 77.5 s as its time, but its whole run took 1 s"),
        ("time 0.000010 s", "a prints 10 µs as its time, less than a hundredth of its run of 1 s"),
        ("time 0.5 s", "a printed the same time in 5 runs: 500 ms"),
    ],
)
def test_a_printed_time_is_held_against_the_wall(printed, sentence):
    track = Track({"a": 1.0, "b": 1.0}, 0.001, {"a": printed, "b": "time HALF s"})
    with pytest.raises(Failed, match=sentence) as failed:
        hold(track, doubts_times=True, least=2)
    assert "--whole" in str(failed.value)
    assert "--whole" in say(failed.value.message, "ru")


def test_a_line_that_only_looks_like_a_time_is_none():
    track = Track({"a": 1.0, "b": 1.0}, 0.001, {"a": "time 0.5 s per item", "b": "time HALF s"})
    order = hold(track, doubts_times=True)
    assert "comparing whole runs (a printed no time)" in say(comparison.describe_order(order))


def test_times_that_are_not_compared_are_nobodys_fault():
    printed = {"a": "time 77.5 s", "b": "no time"}
    for rules in ({}, {"whole": True, "doubts_times": False}):
        order = hold(
            Track({"a": 1.0, "b": 2.0}, 0.001, printed), **({"doubts_times": True} | rules)
        )
        assert [contender.name for contender in order] == ["a", "b"]


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        ({"exit_code": 3, "stderr": "no such file"}, "status 3. Its last words: no such file"),
        ({"exit_code": None, "signal": "SIGKILL"}, "a was killed by SIGKILL."),
        ({"exit_code": None, "timed_out": True}, "a didn't end within 1 s"),
        ({"exit_code": None, "error": "not found"}, "a couldn't be started: not found."),
        ({"leftovers": 1}, "a left 1 process running, which was stopped."),
        ({"leftovers": 2}, "a left 2 processes running, which were stopped."),
        (
            {"exit_code": 1, "stderr": "EOFError: EOF when reading a line"},
            "a waits for input, and gets none",
        ),
        (
            {"exit_code": 1, "stderr": "in _fixup_main_from_path\nBrokenProcessPool"},
            "Put what it does below “if __name__ == '__main__':”.",
        ),
    ],
)
def test_what_goes_wrong_is_one_sentence(end, sentence):
    with pytest.raises(Failed, match=re.escape(sentence)):
        hold(Track({"a": 1.0, "b": 1.0}, 0.0, ends={"a": end}), least=2)


def test_a_contender_that_fails_is_out_and_the_others_go_on():
    track = Track({"a": 1.0, "b": 2.0, "c": 1.0}, ends={"c": {"exit_code": 3}})
    contenders = [make_contender(name) for name in "abc"]
    clock = lambda: track.now_s  # noqa: E731
    order = comparison.hold_contest(
        contenders, track, lambda _: None, 60.0, comparison.Rules(least=2), clock
    )
    assert [contender.name for contender in order] == ["a", "b"]
    assert say(contenders[2].fault) == "c ended with status 3."
    assert track.ran.count("c") == 1


def test_a_contest_may_have_a_wider_tie():
    track = Track({"a": 1.0, "b": 1.0}, noise=0.3)
    assert len(hold(track, tie=inf)[0].laps) == comparison.FEWEST_ROUNDS


def test_other_output_ends_the_contest_only_if_that_was_asked():
    printed = {name: f"{name}\ntime HALF s" for name in "ab"}
    track = Track({"a": 1.0, "b": 1.0}, printed=printed)
    assert comparison.find_verdict(hold(track)) != "winner"
    with pytest.raises(Failed, match="b printed “b”, but a printed “a”"):
        hold(track, same_output=True)
