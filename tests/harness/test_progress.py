"""Progress says what runs and how long the rest will take."""

import io
import random

import pytest

from scripts.harness.plan import Step
from scripts.harness.progress import Progress
from tests.factories import make_variant


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def make_steps(*kinds: str, estimate_s: float = 2.0, rounds: int = 2) -> list[Step]:
    return [
        Step(variant=make_variant(program=kind), round=one, rounds=rounds, estimate_s=estimate_s)
        for one in range(rounds)
        for kind in kinds
    ]


def run_one(progress: Progress, clock: Clock, seconds: float) -> None:
    progress.start()
    clock.now_s += seconds
    progress.finish()


def test_what_has_run_says_how_long_its_kind_takes() -> None:
    clock = Clock()
    progress = Progress(make_steps("a", rounds=5), io.StringIO(), clock)
    for seconds in (3.0, 30.0, 4.0):
        run_one(progress, clock, seconds)
    assert progress.left_s == 2 * 4.0


def test_log_gets_a_plain_line_now_and_then_and_the_last() -> None:
    clock, stream = Clock(), io.StringIO()
    progress = Progress(make_steps("a", "b", "c", rounds=1), stream, clock)
    for seconds in (6.0, 6.0, 6.0):
        run_one(progress, clock, seconds)
    progress.close()
    assert stream.getvalue().splitlines() == [
        "0/3 · round 1/1 · 6 s left · lab/a (1 core)",
        "2/3 · round 1/1 · 6 s left · lab/c (1 core)",
        "3/3 trials in 18 s",
    ]


def test_terminal_gets_one_line_that_rewrites_itself() -> None:
    clock, stream = Clock(), Terminal()
    progress = Progress(make_steps("a", "b", rounds=1), stream, clock)
    run_one(progress, clock, 1.0)
    run_one(progress, clock, 1.0)
    assert "\n" not in stream.getvalue()
    progress.close()
    assert stream.getvalue().split("\r\x1b[K")[1:] == [
        "0/2 · round 1/1 · 4 s left · lab/a (1 core)",
        "1/2 · round 1/1 · 1 s left · lab/b (1 core)",
        "2/2 trials in 2 s\n",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "wrong"), [(0, 0.5), (1, 1.0), (2, 2.0), (3, 0.5)])
def test_time_left_is_right_within_a_fifth_from_a_tenth_of_the_run_on(
    seed: int, wrong: float
) -> None:
    """A run as of quick: experiments one after the other, whose estimates are all wrong alike or not.

    Of every kind there are three rounds of trials, then further ones as long as the budget lasts.
    """
    chance, clock = random.Random(seed), Clock()
    budget_s, began_s = 800.0, clock.now_s
    labs = [[f"{lab}-{number}" for number in range(20)] for lab in range(8)]
    real_s = {kind: wrong * chance.uniform(0.6, 1.4) for lab in labs for kind in lab}
    lefts: list[tuple[float, float]] = []

    def run(steps: list[Step]) -> None:
        left_s = budget_s - (clock.now_s - began_s)
        progress = Progress(steps, io.StringIO(), clock, budget_s=left_s)
        for one in steps:
            lefts.append((clock.now_s, progress.left_s))
            run_one(progress, clock, real_s[one.variant.program] * chance.uniform(0.9, 1.1))

    run([one for lab in labs for one in make_steps(*lab, estimate_s=1.0, rounds=3)])
    while (left_s := budget_s - (clock.now_s - began_s)) > 2.0:
        more: list[Step] = []
        for kind in chance.sample(sorted(real_s), 20):
            if sum(one.estimate_s for one in more) + real_s[kind] < left_s / 2:
                more += make_steps(kind, estimate_s=real_s[kind], rounds=1)
        if not more:
            break
        run(more)
    tenth_s = (clock.now_s - began_s) / 10
    true = {at_s: clock.now_s - at_s for at_s, _ in lefts}
    judged = [
        said_s / true[at_s] for at_s, said_s in lefts if at_s - began_s >= tenth_s <= true[at_s]
    ]
    assert min(judged) >= 0.8
    assert max(judged) <= 1.2
