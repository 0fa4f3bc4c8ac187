"""What a program's threads did is seen from outside, and kept in a file that is read only if it is one."""

import json
import os
import resource
import sys
from pathlib import Path

import pytest

import making
from poolwise.machine import usable_cores
from poolwise.process import Command, Launcher, Outcome
from poolwise.store import DamagedRecords, RecordsError
from scripts.site.study.timeline import (
    LARGEST_BYTES,
    list_timelines,
    locate_timeline,
    read_timeline,
    write_timeline,
)
from scripts.site.study.watch import (
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
    thin,
)
from tests.factories import make_lane, make_timeline

ATTEMPTS = 5
"""On a busy machine the last look may come long before the end."""
SLEEPERS = """\
import threading, time
end = threading.Event()
threads = [threading.Thread(target=end.wait) for _ in range(1000)]
for thread in threads: thread.start()
time.sleep(0.5)
end.set()
for thread in threads: thread.join()
"""

PROGRAMS = Path(making.__file__).parent / "programs"
needs_schedstat = pytest.mark.skipif(
    not is_watchable(), reason="this system does not tell when threads run"
)


def watch(*argv: str) -> tuple[Outcome, Watcher]:
    watcher = Watcher(usable_cores())
    argv = (sys.executable, *argv)
    command = Command(argv=argv, env=os.environ, cwd=PROGRAMS, timeout_s=180.0)
    with Launcher() as launcher:
        outcome = launcher.run(command, watcher)
    return outcome, watcher


@needs_schedstat
@pytest.mark.parametrize("processes", [1, 3])
def test_as_many_ran_at_once_as_cpu_time_divided_by_wall_time_says(processes: int) -> None:
    for _ in range(ATTEMPTS):
        outcome, watcher = watch("burn.py", "0.4", str(processes))
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
    outcome, watcher = watch("-c", SLEEPERS)
    after = len(os.listdir("/proc/self/fd")), resource.getrlimit(resource.RLIMIT_NOFILE)
    assert after == before
    assert outcome.exit_code == 0
    assert len(watcher.threads) > 500
    assert len(make_lanes(watcher.threads, watcher.begin_us)) == MOST_LANES


def test_where_the_system_does_not_count_nothing_can_be_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scripts.site.study.watch.PROC", tmp_path)
    assert not is_watchable()
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "schedstat").write_text("0 0 0\n")
    assert not is_watchable()
    (tmp_path / "self" / "schedstat").write_text("1 2 3\n")
    assert is_watchable()


def test_a_run_that_others_broke_for_a_moment_is_one_but_not_on_another_core() -> None:
    spans = [(0, 2000, 1), (2000, 2100, 0), (2100, 4000, 1), (4000, 8000, 0), (8000, 8500, 2)]
    assert join_spans(spans, 500) == [(0, 4000, 1), (4000, 8000, 0), (8000, 8500, 2)]
    assert join_spans([(0, 1000, 1), (1600, 2000, 1)], 500) == [(0, 1000, 1), (1600, 2000, 1)]


def test_how_many_ran_at_once_does_not_count_those_that_waited() -> None:
    busy = count_busy([[(100, 700, 1)], [(100, 400, 2), (400, 700, 0)]], 100, 600)
    assert len(busy) == PARTS
    assert set(busy[:60]) == {2000}
    assert set(busy[60:]) == {1000}


def test_too_many_spans_are_joined_and_what_is_whole_stays_as_it_is() -> None:
    flicker = [(at, at + 10, at // 20 % 2) for at in range(0, 800_000, 20)]
    busy = [(0, 700_000, 2)]
    found = thin([make_lane(end_us=800_000, spans=spans) for spans in (flicker, busy)])
    assert 0 < sum(len(lane.spans) for lane in found) <= MOST_SPANS
    assert found[1].spans == busy


@needs_schedstat
def test_a_task_has_a_lane_of_its_own_inside_its_thread() -> None:
    threads = watch("-c", "import time; time.sleep(0.2)")[1].threads[:1]  # long enough to be seen
    one, start_us = threads[0], threads[0].begin_us
    steps = [
        TaskStep(one.pid, one.tid, 7, "Lab.fetch", start_us + 10, start_us + 30),
        TaskStep(one.pid, one.tid, 7, "Lab.fetch", start_us + 50, start_us + 60),
        TaskStep(one.pid, one.tid, 8, "main.<locals>.visit", start_us + 30, start_us + 40),
        TaskStep(1, 1, 9, "stranger", start_us, start_us + 1),
    ]
    first, second = make_task_lanes(steps, threads, start_us)
    assert (first.process, first.thread, first.task, first.name) == (1, 1, 7, "fetch")
    assert [span[:2] for span in first.spans] == [(10, 30), (50, 60)]
    assert second.name == "visit"


def write(folder: Path, **changes: object) -> Path:
    """A file with some fields changed, as somebody may have done by hand."""
    timeline = make_timeline()
    write_timeline(folder, timeline)
    path = locate_timeline(folder, timeline.machine, timeline.experiment, timeline.program)
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    timeline = make_timeline(lanes=[make_lane(task=2, name="fetch"), make_lane()])
    write_timeline(tmp_path, timeline)
    (path,) = list_timelines(tmp_path)
    assert read_timeline(path) == timeline
    assert read_timeline(path.with_name("other.json")) is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"schema": 2}, "Invalid enum value 2"),
        ({"program": "../../etc/passwd"}, "matching regex"),
        ({"wall_us": 0}, "wall_us"),
        ({"measured_at": "2026-01-01T00:00:00"}, "timezone"),
        ({"machine": "elsewhere"}, "belongs into elsewhere/timelines"),
    ],
)
def test_a_file_of_another_form_or_place_is_refused_in_a_sentence(
    tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    path = write(tmp_path, **changes)
    with pytest.raises(DamagedRecords) as caught:
        read_timeline(path)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_too_large_or_none_is_not_even_read(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_bytes(b"[]".ljust(LARGEST_BYTES))
    with pytest.raises(DamagedRecords, match="Expected `object`"):
        read_timeline(path)
    path.write_bytes(b"[" * (LARGEST_BYTES + 1))
    with pytest.raises(DamagedRecords, match="larger than 256 KiB"):
        read_timeline(path)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(RecordsError, match="a symbolic link"):
        read_timeline(path)
