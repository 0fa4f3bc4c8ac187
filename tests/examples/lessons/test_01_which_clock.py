"""Lesson 1: which programs measure the share of computing, and what the others hear."""

import pytest

from scripts.site.declare.lessons import LESSONS

NAME = "01-which_clock"
SOLUTIONS = LESSONS / "solutions"
SHAPE = """
def measure_share(task):
    wall_start, cpu_start = {wall}, {cpu}
    task()
    return ({cpu} - cpu_start) / ({wall} - wall_start)
"""
NOW = "datetime.now().timestamp()"
TWICE = """
from time import perf_counter, process_time

def measure(clock, task):
    start = clock()
    task()
    return clock() - start

def measure_share(task):
    return measure(process_time, task) / measure(perf_counter, task)
"""
UPSIDE_DOWN = (
    SOLUTIONS.joinpath(f"{NAME}.py").read_text().replace("cpu_s / wall_s", "wall_s / cpu_s")
)
MIXED = UPSIDE_DOWN.replace("wall_s / cpu_s", "cpu_s / wall_s").replace(
    "cpu_s = process_time", "cpu_s = perf_counter"
)
WAITING = UPSIDE_DOWN.replace("wall_s / cpu_s", "1 - cpu_s / wall_s")
PERCENTAGE = UPSIDE_DOWN.replace("wall_s / cpu_s", "100 * cpu_s / wall_s")
ROUNDED = UPSIDE_DOWN.replace("wall_s / cpu_s", "round(cpu_s / wall_s)")
NOTHING = UPSIDE_DOWN.replace("return wall_s / cpu_s", "print(cpu_s / wall_s)")
CONSTANT = UPSIDE_DOWN.replace("wall_s / cpu_s", "0.25")
LATE = UPSIDE_DOWN.replace("    task()\n", "").replace(
    "    wall_start", "    task()\n    wall_start"
)
UNGUARDED = (
    SOLUTIONS.joinpath(f"{NAME}.py").read_text().replace('if __name__ == "__main__":', "if True:")
)


def fill(wall: str, cpu: str) -> str:
    imports = "import os\nimport time\nimport timeit\nfrom datetime import datetime\n"
    return imports + SHAPE.format(wall=wall, cpu=cpu)


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        (fill("time.perf_counter()", "time.process_time()"), ["praise"]),
        (fill("time.monotonic_ns()", "time.process_time_ns()"), ["praise"]),
        (fill("timeit.default_timer()", "time.process_time()"), ["praise"]),
        (fill("os.times().elapsed", "(os.times().user + os.times().system)"), ["praise"]),
        (fill("time.time()", "time.process_time()"), ["should", "praise"]),
        (fill(NOW, "time.process_time()"), ["should", "praise"]),
        (fill("time.perf_counter()", "time.thread_time()"), ["remark", "praise"]),
        (TWICE, ["should", "praise"]),
        (UNGUARDED, ["praise"]),
    ],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_compares_cpu_time_with_wall_time_is_right(
    source: str, kinds: list[str], language: str, hear
):
    assert [kind for kind, _ in hear(NAME, source, language)] == kinds


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            LESSONS.joinpath(f"{NAME}.py").read_text(),
            "returned 1. It read only perf_counter: wall time",
        ),
        (fill("time.monotonic()", "time.time()"), "It read only monotonic, time: wall time"),
        (fill("time.process_time()", "time.process_time()"), "only process_time: CPU time"),
        (fill("time.process_time()", "time.perf_counter()"), "wall time divided by CPU time"),
        (MIXED, "returned 1246: it subtracts process_time from perf_counter, two clocks"),
        (UPSIDE_DOWN, "returned 4: that is wall time divided by CPU time"),
        (WAITING, "returned 0.75: that is the share of its time that it waits"),
        (PERCENTAGE, "returned 25: return a share, not a percentage"),
        (ROUNDED, "the share is 0.25, and measure_share returned 0"),
        (NOTHING, "the share is 0.25, and measure_share returned None"),
        (LATE, "the share is 0.25, and measure_share returned"),
        ("def measure_share(task):\n    task()\n    return 0.5\n", "It read no clock"),
        (CONSTANT, "the share is 0, and measure_share returned 0.25"),
        ("def measure_share(task):\n    return 0.25\n", "measure_share never calls the task"),
        ("def measure_shares(task):\n    pass\n", "keep the names of functions"),
    ],
)
def test_what_is_not_right_hears_why(source: str, reason: str, hear):
    [(kind, text)] = hear(NAME, source)
    assert kind == "must"
    assert reason in text
    [(kind, _)] = hear(NAME, source, "ru")
    assert kind == "must"
