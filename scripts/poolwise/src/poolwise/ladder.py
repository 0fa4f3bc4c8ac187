"""Ladder: how many workers a way can use, found by a few tries.

The number doubles until more workers gain nothing twice in a row, or until something goes wrong: a
service refuses, results differ, nothing ends. Then the border between the last number that was right
and the first that was wrong is found by bisection. It may be somebody's service, so there is no try
above the border but those of the bisection.
"""

from collections.abc import Callable, Iterable, Sequence

from poolwise.target import Task

MOST_WORKERS = 64  # nothing is called more often at once, unless somebody asks for it
MOST_PROCESSES = 32  # each needs memory for what the function imports; interpreters do as well
STEP_GAIN = 1.05  # more workers gain something if they save more than this factor
# Numbers in a row that gain nothing before the climb ends; one alone may be a slow run.
PATIENCE = 2


def list_numbers(most: int) -> list[int]:
    """Return the numbers of workers to try, doubled from 2 on; the last is the most that may be."""
    numbers = []
    workers = 2
    while workers < most:
        numbers.append(workers)
        workers *= 2
    return [*numbers, max(most, 2)]


def climb(
    numbers: Iterable[int], attempt: Callable[[int], Task | None], loop_s: float
) -> list[Task]:
    """Try rising numbers of workers until one fails, or more of them gain nothing.

    ``attempt`` returns ``None`` where the time is up. A loop, which is one worker, took ``loop_s``.
    """
    rungs: list[Task] = []
    best_s, vain = loop_s, 0
    for workers in numbers:
        rung = attempt(workers)
        if rung is None:
            break
        rungs.append(rung)
        vain = 0 if rung.time_s * STEP_GAIN < best_s else vain + 1
        best_s = min(best_s, rung.time_s)
        if rung.fault or vain == PATIENCE:
            break
    return rungs


def find_border(rungs: Sequence[Task], attempt: Callable[[int], Task | None]) -> list[Task]:
    """Try numbers between the last that was right and the first that was wrong, until they are neighbours.

    Nothing is tried where all were right, or none.
    """
    right = max((rung.workers for rung in rungs if not rung.fault), default=0)
    wrong = min((rung.workers for rung in rungs if rung.fault), default=0)
    tries: list[Task] = []
    while right and wrong - right > 1:
        rung = attempt((right + wrong) // 2)
        if rung is None:
            break
        tries.append(rung)
        if rung.fault:
            wrong = rung.workers
        else:
            right = rung.workers
    return tries
