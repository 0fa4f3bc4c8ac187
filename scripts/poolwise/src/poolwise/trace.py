"""The command ``run --trace``: runs a program as it is, and writes when each thread and task of it ran."""

import json
import os
import signal
import subprocess
from argparse import Namespace
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from poolwise import watch
from poolwise.machine import usable_cores
from poolwise.paths import write_whole
from poolwise.process import listen
from poolwise.pythons import find_current, select
from poolwise.words import Refused

FIELDS = ("lane", "kind", "what", "value", "begin", "end")  # of an event


def record_trace(chosen: Namespace) -> int:
    """Run the chosen program once, watched, and write its trace; the status is 1 if it failed."""
    program = chosen.experiment
    if not program.is_file():
        raise Refused("cli.no-file", file=program)
    if not chosen.trace.parent.is_dir():
        raise Refused("cli.no-folder", file=chosen.trace, folder=chosen.trace.parent)
    if not watch.is_watchable():
        raise Refused("cli.not-watchable")
    python = select(chosen.interpreters or find_current())[0]
    watcher = watch.Watcher(usable_cores())
    with listen() as ear:
        env = {**os.environ, **python.env, **ear.env, **watch.MARKS}
        if folders := os.environ.get("PYTHONPATH"):
            env["PYTHONPATH"] += os.pathsep + folders
        if b"def main(" not in program.read_bytes():
            del env["MAIN_MARK"]  # each call would be looked at up to the end, which takes time
        # Not by the launcher: the program has the terminal, as if somebody had started it by hand.
        process = subprocess.Popen([python.path, program, *chosen.passed_on], env=env)
        # Ctrl-C reaches the program too, which is watched until that has ended it.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            with watcher.watch(os.getpid()):
                status = process.wait()
        finally:
            signal.signal(signal.SIGINT, handler)
        steps = list(watch.read_steps(ear.folder))
        work_us = watch.read_mark_us(ear.folder, "begin.main")
    threads = watcher.threads
    start_us = min((thread.begin_us for thread in threads), default=watcher.begin_us)
    lanes = watch.make_lanes(threads, start_us) + watch.make_task_lanes(steps, threads, start_us)
    trace = make_trace(watch.thin(lanes), work_us - start_us if work_us else 0)
    write_whole(chosen.trace, (json.dumps(trace, indent=1) + "\n").encode())
    return 130 if status == -signal.SIGINT else int(status != 0)


def make_trace(lanes: Sequence[watch.Lane], work_us: int) -> dict[str, Any]:
    """Make a trace of the lanes that ran after the work began, in microseconds from then on."""
    seen = [lane for lane in lanes if _find_last(lane) > work_us]
    names = [f"{kind} {number} {name}".strip() for kind, number, name in watch.number_lanes(seen)]
    events = []
    for number, lane in enumerate(seen):
        for begin_us, end_us, core in lane.spans:
            if end_us > work_us:
                kind, what = ("ready", "") if core == watch.WAITING else ("runs", f"core {core}")
                values = (number, kind, what, "", max(0, begin_us - work_us), end_us - work_us)
                events.append(dict(zip(FIELDS, values, strict=True)))
    return {"unit": "us", "lanes": names, "events": sorted(events, key=itemgetter("begin"))}


def _find_last(lane: watch.Lane) -> int:
    """Find when a lane ran last."""
    return max((end for _, end, core in lane.spans if core != watch.WAITING), default=0)
