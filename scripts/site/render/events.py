"""Events: a timeline in the Trace Event format, which Perfetto and Chrome's tracing open.

The form is that of "Trace Event Format" (Google, 2016): complete events of ``ph`` X with ``ts`` and
``dur`` in microseconds, metadata of ``ph`` M, and counters of ``ph`` C. Perfetto names a thread by its
``tid`` alone, and takes one that has the number of its process for the main thread; of ``pid`` 0 it
thinks as of the idle task. So processes and threads are counted together, and none is 0.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any

from scripts.harness.timeline import WAITING, Lane, Timeline

Event = dict[str, Any]


def make_events(timeline: Timeline) -> dict[str, Any]:
    """The whole file as an object; in English, as such tools are."""
    return {
        "displayTimeUnit": "ms",
        "otherData": {
            "program": f"{timeline.experiment}/{timeline.program}",
            "machine": timeline.machine,
            "interpreter": timeline.interpreter,
            "cores": timeline.cores,
            "measured_at": timeline.measured_at.isoformat(timespec="seconds"),
            "seen_share_of_cpu_time": round(timeline.coverage, 4),
            "at_most_too_short_to_be_seen": timeline.unseen,
        },
        "traceEvents": [*_list_events(timeline)],
    }


def _list_events(timeline: Timeline) -> Iterator[Event]:
    numbers = count(1)
    processes = sorted({lane.process for lane in timeline.lanes} or {1})
    pids = {process: next(numbers) for process in processes}
    for process, pid in pids.items():
        name = {"name": f"process {process}"}
        yield {"ph": "M", "name": "process_name", "pid": pid, "tid": pid, "args": name}
    for lane in timeline.lanes:
        pid = pids[lane.process]
        is_main = lane.thread == 1 and not lane.task
        place = {"pid": pid, "tid": pid if is_main else next(numbers)}
        yield {"ph": "M", "name": "thread_name", **place, "args": {"name": _name(lane)}}
        for begin, end, core in lane.spans:
            event: Event = {"ph": "X", "ts": begin, "dur": end - begin, **place, "cat": "sched"}
            if lane.task:
                yield event | {"name": lane.name or "task"}
            elif core == WAITING:
                yield event | {"name": "waits for a core"}
            else:
                yield event | {"name": "runs", "args": {"core": core}}
    for cell, busy in enumerate(timeline.busy):
        moment = timeline.wall_us * cell // len(timeline.busy)
        running = {"threads": busy / 1000}
        place = {"pid": pids[processes[0]], "tid": pids[processes[0]], "ts": moment}
        yield {"ph": "C", "name": "running at once", **place, "args": running}


def _name(lane: Lane) -> str:
    return f"task {lane.task} {lane.name}".strip() if lane.task else f"thread {lane.thread}"
