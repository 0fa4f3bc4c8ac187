"""A task that only waits, and one that computes in a thread; a busy machine changes neither much."""

from threading import Thread
from time import sleep, thread_time

from checks.words import say

COMPUTES = 0.05
"""The least share of a task that computes, even if it has to queue for a core."""


def compute():
    end = thread_time() + 0.2
    while thread_time() < end:
        pass


def compute_in_a_thread():
    thread = Thread(target=compute)
    thread.start()
    thread.join()


def find_fault(program):
    waiting, computing = map(program.measure_share, (lambda: sleep(0.2), compute_in_a_thread))
    if computing < COMPUTES:
        return say(
            "a task that computes in another thread counts as {:.0%} of computing", computing
        )
    if waiting > computing / 2:
        return say("a task that only waits counts as {:.0%} of computing", waiting)
    return ""
