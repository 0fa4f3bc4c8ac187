"""What a program's threads and tasks did is seen from outside, and drawn as lanes."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

import making
from making import make_lane
from poolwise import watch
from poolwise.machine import usable_cores
from poolwise.process import Command, Launcher, Outcome, listen
from poolwise.watch import (
    MARKS,
    MOST_LANES,
    MOST_SPANS,
    PARTS,
    TaskStep,
    Watcher,
    count_busy,
    is_watchable,
    join_spans,
    make_lanes,
    make_task_lanes,
    read_mark_us,
    read_steps,
    thin,
)

ATTEMPTS = 5  # on a busy machine the last look may come long before the end
PROGRAMS = Path(making.__file__).parent / "programs"
SLEEPERS = """\
import threading, time
end = threading.Event()
threads = [threading.Thread(target=end.wait) for _ in range(1000)]
for thread in threads: thread.start()
time.sleep(0.5)
end.set()
for thread in threads: thread.join()
"""
TURNS = """
import asyncio
async def count():
    for _ in range(2): await asyncio.sleep(0)
async def main(): await asyncio.gather(count(), count())
asyncio.run(main())
"""
GREENLETS = """
import gevent
def count():
    for _ in range(2): gevent.sleep(0)
gevent.joinall([gevent.spawn(count), gevent.spawn(count)])
"""
LOST = """
import asyncio, gc, weakref
async def main():
    task = weakref.ref(asyncio.ensure_future(asyncio.sleep(0)))
    await asyncio.sleep(0.01)
    gc.collect()
    print(task() is None)
asyncio.run(main())
"""
MAIN = """
import subprocess, sys, time
def main():
    print(sys.getprofile(), *subprocess.check_output(again, universal_newlines=True).split())
again = [sys.executable, "-c", "import sys; print(sys.getprofile())"]
time.sleep(0.2)
main()
"""
needs_schedstat = pytest.mark.skipif(
    not is_watchable(), reason="this system does not tell when threads run"
)


def look_at(*argv: str) -> tuple[Outcome, Watcher]:
    watcher = Watcher(usable_cores())
    argv = (sys.executable, *argv)
    command = Command(argv=argv, env=os.environ, cwd=PROGRAMS, timeout_s=180.0)
    with Launcher() as launcher:
        outcome = launcher.run(command, watcher)
    return outcome, watcher


@needs_schedstat
@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.slow
def test_as_many_ran_at_once_as_cpu_time_divided_by_wall_time_says(processes: int) -> None:
    for _ in range(ATTEMPTS):
        outcome, watcher = look_at("burn.py", "0.4", str(processes))
        used_s = outcome.usage["ru_utime"] + outcome.usage["ru_stime"]
        seen_s = sum(thread.running_us for thread in watcher.threads) / 1e6
        assert seen_s < 1.1 * used_s
        spans = [span for thread in watcher.threads for span in thread.spans]
        drawn_s = sum(end - begin for begin, end, core in spans if core) / 1e6
        if seen_s > 0.9 * used_s and drawn_s == pytest.approx(used_s, rel=0.2):
            break
    else:
        pytest.fail(f"seen {seen_s} s and drawn {drawn_s} s of {used_s} s")
    lanes = make_lanes(watcher.threads, watcher.begin_us)
    assert {lane.process for lane in lanes} >= set(range(1, processes + 1))
    cores = {core for lane in lanes for *_, core in lane.spans}
    assert cores <= set(range(len(usable_cores()) + 1))


@needs_schedstat
def test_a_thousand_threads_are_survived_and_counted_and_no_file_stays_open() -> None:
    before = len(os.listdir("/proc/self/fd")), resource.getrlimit(resource.RLIMIT_NOFILE)
    outcome, watcher = look_at("-c", SLEEPERS)
    after = len(os.listdir("/proc/self/fd")), resource.getrlimit(resource.RLIMIT_NOFILE)
    assert after == before
    assert outcome.exit_code == 0
    assert len(watcher.threads) > 500
    assert len(make_lanes(watcher.threads, watcher.begin_us)) == MOST_LANES


def test_where_the_system_does_not_count_nothing_can_be_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "PROC", tmp_path)
    assert not is_watchable()
    (tmp_path / "self").mkdir()
    for counted, watchable in (("0 0 0\n", False), ("1 2 3\n", True)):
        (tmp_path / "self" / "schedstat").write_text(counted)
        assert is_watchable() == watchable


def test_a_run_that_others_broke_for_a_moment_is_one_but_not_on_another_core() -> None:
    spans = [(0, 2000, 1), (2000, 2100, 0), (2100, 4000, 1), (4000, 8000, 0), (8000, 8500, 2)]
    assert join_spans(spans, 500) == [(0, 4000, 1), (4000, 8000, 0), (8000, 8500, 2)]
    assert join_spans([(0, 1000, 1), (1600, 2000, 1)], 500) == [(0, 1000, 1), (1600, 2000, 1)]


def test_how_many_ran_at_once_does_not_count_those_that_waited() -> None:
    busy = count_busy([[(100, 700, 1)], [(100, 400, 2), (400, 700, 0)]], 100, 600)
    assert busy == [2000] * (PARTS // 2) + [1000] * (PARTS // 2)


def test_too_many_spans_are_joined_and_what_is_whole_stays_as_it_is() -> None:
    flicker = [(at, at + 10, at // 20 % 2) for at in range(0, 800_000, 20)]
    busy = [(0, 700_000, 2)]
    thinned = thin([make_lane(end_us=800_000, spans=spans) for spans in (flicker, busy)])
    assert 0 < sum(len(lane.spans) for lane in thinned) <= MOST_SPANS
    assert thinned[1].spans == busy


@needs_schedstat
def test_a_task_has_a_lane_of_its_own_inside_its_thread() -> None:
    threads = look_at("-c", "import time; time.sleep(0.2)")[1].threads[:1]
    thread, start_us = threads[0], threads[0].begin_us
    steps = []
    for task, name, begin_us, end_us in (
        (7, "Lab.fetch", 10, 30),
        (7, "Lab.fetch", 50, 60),
        (8, "main.<locals>.visit", 30, 40),
    ):
        times_us = start_us + begin_us, start_us + end_us
        steps.append(TaskStep(thread.pid, thread.tid, task, name, *times_us))
    steps.append(TaskStep(1, 1, 9, "stranger", start_us, start_us + 1))
    first, second = make_task_lanes(steps, threads, start_us)
    assert (first.process, first.thread, first.task, first.name) == (1, 1, 7, "fetch")
    assert [span[:2] for span in first.spans] == [(10, 30), (50, 60)]
    assert second.name == "visit"


def run(program: str, marks: Mapping[str, str] = MARKS) -> tuple[str, list[TaskStep], int | None]:
    """Run a program with marks; gives what it printed, the steps of its tasks and when it began."""
    with listen() as ear:
        env = {**os.environ, **ear.env, **marks}
        argv = [sys.executable, "-c", program]
        done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.stdout, list(read_steps(ear.folder)), read_mark_us(ear.folder, "begin.main")


def test_the_work_begins_where_main_is_called_and_nothing_is_looked_at_from_then_on() -> None:
    began_us = time.perf_counter() * 1e6
    printed, _, begin_us = run(MAIN)
    assert printed == "None None\n"
    assert begin_us is not None
    assert begin_us - began_us > 200_000


def test_steps_of_tasks_are_marked_only_if_that_is_asked_for() -> None:
    assert run(TURNS, {})[1] == []
    steps = run(TURNS)[1]
    tasks = [step.task for step in steps if step.function == "count"]
    assert tasks == tasks[:2] * 3
    assert len({*tasks}) == 2
    assert all(step.begin_us <= step.end_us for step in steps)
    assert [step.begin_us for step in steps] == sorted(step.begin_us for step in steps)


def test_greenlets_are_marked_too_and_the_one_that_waits_for_all_is_not() -> None:
    pytest.importorskip("gevent")
    tasks = [step.task for step in run(GREENLETS)[1]]
    counting = sorted({task for task in tasks if tasks.count(task) == 3})
    assert len(counting) == 2
    assert [task for task in tasks if task in counting] == counting * 3


def test_tasks_live_no_longer_because_they_are_marked() -> None:
    assert run(LOST)[0] == "True\n"
