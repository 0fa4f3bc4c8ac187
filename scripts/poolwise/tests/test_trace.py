"""``run --trace`` runs a program as if by hand, and writes when each of its threads and tasks ran."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise

import pytest

from making import make_lane
from poolwise import watch
from poolwise.__main__ import main
from poolwise.trace import make_trace

THREADS = """
import sys, threading
def compute():
    for _ in range(5_000_000): pass
def main():
    threads = [threading.Thread(target=compute) for _ in range(2)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    print(sys.argv[1:], sys.stdin.read())
main()
"""
TASKS = """
import asyncio, sys, time
async def fetch():
    for _ in range(2):
        await asyncio.sleep(0.02)
        time.sleep(0.01)
async def main(): await asyncio.gather(fetch(), fetch())
asyncio.run(main())
sys.exit("no luck")
"""
WAITS = "import time; print(1, flush=True); time.sleep(60)"
needs_schedstat = pytest.mark.skipif(
    not watch.is_watchable(), reason="this system does not tell when threads run"
)


@pytest.fixture
def start(tmp_path):
    """Start to trace a program, in a session of its own."""

    def run(text, *arguments):
        (tmp_path / "work.py").write_text(text, encoding="utf-8")
        command = ["run", "--trace", "trace.json", "work.py", *arguments]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(
            [sys.executable, "-m", "poolwise", *command],
            **pipes,
            text=True,
            cwd=tmp_path,
            process_group=0,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    return run


def read_lanes(folder):
    """Read what each lane of a trace did: its events by its name."""
    trace = json.loads((folder / "trace.json").read_text(encoding="utf-8"))
    assert trace["unit"] == "us"
    assert all(0 <= event["begin"] < event["end"] for event in trace["events"])
    begins = [event["begin"] for event in trace["events"]]
    assert begins == sorted(begins)
    return {
        name: [event for event in trace["events"] if event["lane"] == lane]
        for lane, name in enumerate(trace["lanes"])
    }


@needs_schedstat
def test_two_threads_that_compute_take_turns_and_the_program_has_the_terminal(start, tmp_path):
    with start(THREADS, "5", "--lang", "ru", "-h") as process:
        out, err = process.communicate("typed", timeout=60)
    assert (process.returncode, out, err) == (0, "['5', '--lang', 'ru', '-h'] typed\n", "")
    lanes = read_lanes(tmp_path)
    assert [*lanes] == ["thread 1", "thread 2", "thread 3"]
    runs = [
        event
        for name in ("thread 2", "thread 3")
        for event in lanes[name]
        if event["kind"] == "runs" and event["end"] - event["begin"] > 2000
    ]
    runs.sort(key=lambda event: event["begin"])
    assert all(event["what"].startswith("core ") for event in runs)
    if getattr(sys, "_is_gil_enabled", lambda: True)():
        assert sum(run["lane"] != after["lane"] for run, after in pairwise(runs)) > 4


@needs_schedstat
def test_each_task_has_a_lane_and_a_program_that_fails_has_a_trace_too(start, tmp_path):
    with start(TASKS) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (1, "", "no luck\n")
    lanes = read_lanes(tmp_path)
    assert [*lanes] == ["thread 1", "task 1 main", "task 2 fetch", "task 3 fetch"]
    assert lanes["task 1 main"][0]["begin"] < 10_000  # there the work begins
    for name in ("task 2 fetch", "task 3 fetch"):
        steps = [event["end"] - event["begin"] for event in lanes[name]]
        assert [length >= 10_000 for length in steps] == [False, True, True]


@needs_schedstat
def test_a_program_that_hangs_is_traced_until_ctrl_c(start, tmp_path):
    with start(WAITS) as process:
        assert process.stdout.readline() == "1\n"
        time.sleep(0.1)  # for the tool to leave Ctrl-C to the program
        os.killpg(process.pid, signal.SIGINT)
        err = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert [*read_lanes(tmp_path)] == ["thread 1"]


def test_what_ended_before_the_work_began_is_left_out():
    spans = [(0, 40, 1), (50, 60, 0), (60, 80, 2)]
    lanes = [make_lane(spans=spans[:1]), make_lane(thread=2, spans=spans)]
    event = {"lane": 0, "value": ""}
    assert make_trace(lanes, 55) == {
        "unit": "us",
        "lanes": ["thread 2"],
        "events": [
            event | {"kind": "ready", "what": "", "begin": 0, "end": 5},
            event | {"kind": "runs", "what": "core 2", "begin": 5, "end": 25},
        ],
    }


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["work.py"], "With --trace in front, it watches one program"),
        (["--trace", "trace.json", "examples/json"], "run measures the folder of an experiment."),
        (["--trace", "trace.json"], "run measures the folder of an experiment."),
        (["--trace", "trace.json", "gone.py"], "There's no file gone.py."),
        (["--trace", "gone/trace.json", __file__], "because there's no folder gone."),
        (["--trace", "trace.json", __file__], "This system doesn't count when threads run"),
    ],
)
def test_what_cannot_be_traced_is_refused_with_what_to_write(
    arguments, sentence, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr(watch, "PROC", tmp_path)
    assert main(["run", *arguments]) == 2
    assert sentence in capsys.readouterr().err
