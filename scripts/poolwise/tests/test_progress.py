"""Progress says how far a run is and how long the rest will take; by clocks of ours."""

import io
import sys
import time
from typing import Any

import pytest

from making import make_variant
from poolwise import progress
from poolwise.plan import Step
from poolwise.progress import Bar, Outlook, Progress, report

PATIENCE_S = 60.0  # how long is waited for what must come


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def make_steps(*kinds: str, estimate_s: float = 2.0, rounds: int = 2) -> list[Step]:
    return [
        Step(variant=make_variant(program=kind), round=one, rounds=rounds, estimate_s=estimate_s)
        for one in range(rounds)
        for kind in kinds
    ]


def run_one(shown: Progress, clock: Clock, seconds: float) -> None:
    shown.start()
    clock.now_s += seconds
    shown.finish()


@pytest.fixture(autouse=True)
def bars(monkeypatch):
    """The bars of a test end with it."""
    made: list[Bar] = []

    def make(*arguments: Any) -> Bar:
        made.append(Bar(*arguments))
        return made[-1]

    monkeypatch.setattr(progress, "Bar", make)
    yield
    for bar in made:
        bar.close()


def test_what_has_run_says_how_long_its_kind_takes():
    clock = Clock()
    shown = Progress(make_steps("a", rounds=5), io.StringIO(), clock)
    for seconds in (3.0, 30.0, 4.0):
        run_one(shown, clock, seconds)
    assert shown.left_s == 2 * 4.0


def test_what_follows_is_part_of_the_time_left():
    clock = Clock()
    outlook = Outlook(budget_s=20.0, later_s=100.0)
    shown = Progress(make_steps("a", rounds=5), io.StringIO(), clock, outlook)
    assert shown.left_s == 120.0
    run_one(shown, clock, 2.0)
    assert shown.left_s == 118.0


def test_log_gets_a_plain_line_now_and_then_and_the_last():
    clock, stream = Clock(), io.StringIO()
    steps = make_steps("a", "b", "c", rounds=1)
    shown = Progress(steps, stream, clock, Outlook(stage="1/2 lab"))
    for seconds in (6.0, 6.0, 6.0):
        run_one(shown, clock, seconds)
    shown.close()
    assert stream.getvalue().splitlines() == [
        "1/2 lab 0/3 · 6 s left · lab/a (1 core)",
        "1/2 lab 2/3 · 6 s left · lab/c (1 core)",
        "1/2 lab 3/3 trials in 18 s",
    ]


def test_a_load_is_told_before_the_name_of_the_trial():
    stream = io.StringIO()
    Progress(make_steps("a", rounds=1), stream, Clock()).start("busy: others 1.5 of 2 cores · ")
    assert stream.getvalue().endswith("left · busy: others 1.5 of 2 cores · lab/a (1 core)\n")


def test_terminal_gets_a_line_that_goes_and_what_is_reported_stays(monkeypatch):
    clock, stream = Clock(), io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    shown = Progress(make_steps("a", "b", rounds=1), stream, clock)
    run_one(shown, clock, 1.0)
    report("something else")
    run_one(shown, clock, 1.0)
    assert stream.getvalue().count("\n") == 1
    assert "\r\x1b[K1/2 · 1 s left · lab/b (1 core)" in stream.getvalue()
    shown.close()
    assert stream.getvalue().endswith("\r\x1b[K2/2 trials in 2 s\n")


def test_what_takes_long_in_one_piece_is_no_silence(monkeypatch):
    monkeypatch.setattr(progress, "LOG_INTERVAL_S", 0.001)
    clock, stream = Clock(), io.StringIO()
    with Bar("pages", 2, stream, clock) as bar:
        bar.show(0, "en, ru")
        clock.now_s += 60.0
        until_s = time.monotonic() + PATIENCE_S
        while "pages 0/2 · en, ru · for 1 min 00 s\n" not in stream.getvalue():
            assert time.monotonic() < until_s
            time.sleep(0.001)


def test_an_estimate_is_corrected_by_how_those_before_it_compare_with_theirs():
    clock = Clock()
    shown = Progress(make_steps("a", "b", "c", rounds=1), io.StringIO(), clock)
    run_one(shown, clock, 6.0)  # three times the 2 s that were expected
    assert shown.left_s == 12.0
    run_one(shown, clock, 2.0)
    assert shown.left_s == 4.0
