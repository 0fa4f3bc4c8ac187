"""Traces: a run of a program of its own, watched from outside, as a timeline."""

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import cast

from msgspec.structs import replace

from scripts.harness.experiment import StartMethod
from scripts.harness.lag import MARKS, Step, listen
from scripts.harness.process import Command
from scripts.harness.record import Variant
from scripts.harness.timeline import (
    CELLS,
    MOST_LANES,
    MOST_SPANS,
    WAITING,
    Lane,
    Span,
    Timeline,
    split_runs,
)
from scripts.harness.trial import Bench, set_environment
from scripts.harness.watcher import Thread, Watcher

LIMIT_S = 5.0
"""How long a program is watched at the most; what is still running then is ended."""
JOINED_US = 500
"""A run that others broke for less than this is drawn as one: looking itself breaks it as often."""
MOST_LETTERS = 40
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""Of a function; of one inside others, ``Lab.fetch``, the last."""


def trace_program(
    bench: Bench, variant: Variant, cores: tuple[int, ...], fingerprint: str
) -> Timeline | None:
    """Run a program once, watched; ``None`` if nothing was seen of it.

    Whether it did its work is a matter of its trials: one that fails has a timeline, too, which is
    valid for ``fingerprint``.
    """
    watcher = Watcher(cores)
    with listen(bench.launcher.folder) as ear:
        command = Command(
            argv=(str(bench.installation.path), f"{variant.program}.py"),
            env=set_environment(os.environ, bench, variant) | ear.env | MARKS,
            cwd=bench.experiment.folder,
            cores=cores,
            timeout_s=min(LIMIT_S, bench.profile.timeout_s),
            grace_s=LIMIT_S,
        )
        outcome = bench.launcher.run(command, watcher)
        late_s, steps = [max(beats) for beats in ear.hear()], list(ear.read_steps())
    threads, usage = watcher.threads, outcome.usage
    if outcome.error or not threads:
        return None
    start_us, wall_us = min(one.begin_us for one in threads), round(outcome.wall_s * 1e6)
    return Timeline(
        experiment=variant.experiment,
        program=variant.program,
        family=variant.family,
        machine=variant.machine,
        interpreter=variant.interpreter,
        start_method=cast("StartMethod | None", variant.start_method),
        cores=variant.cores,
        workers=variant.workers,
        tasks=variant.tasks,
        profile=bench.profile.name,
        fingerprint=fingerprint,
        measured_at=datetime.now(UTC),
        wall_us=wall_us,
        cpu_us=round((usage["ru_utime"] + usage["ru_stime"]) * 1e6),
        seen_us=sum(one.running_us for one in threads),
        interval_us=wall_us // max(1, watcher.looks),
        processes=len({one.pid for one in threads}),
        threads=len(threads),
        unseen=watcher.unseen,
        gave_way=int(usage["ru_nvcsw"]),
        taken=int(usage["ru_nivcsw"]),
        longest_us=max(one.longest_us for one in threads),
        lag_us=round(max(late_s) * 1e6) if late_s else None,
        busy=count_busy([one.spans for one in threads], start_us, wall_us),
        lanes=thin([*make_lanes(threads, start_us), *make_task_lanes(steps, threads, start_us)]),
    )


def make_lanes(threads: Sequence[Thread], start_us: int) -> list[Lane]:
    """Lanes of the threads that ran longest, processes and threads numbered as they were seen."""
    lanes = []
    for one, (process, thread) in zip(threads, number_threads(threads), strict=True):
        spans = [(begin - start_us, end - start_us, core) for begin, end, core in one.spans]
        lanes.append(
            Lane(
                process=process,
                thread=thread,
                begin_us=one.begin_us - start_us,
                end_us=one.end_us - start_us,
                running_us=one.running_us,
                waiting_us=one.waiting_us,
                spans=join(spans, JOINED_US),
            )
        )
    lanes.sort(key=lambda lane: lane.running_us, reverse=True)
    return sorted(lanes[:MOST_LANES], key=lambda lane: (lane.process, lane.thread))


def number_threads(threads: Iterable[Thread]) -> Iterator[tuple[int, int]]:
    """For each thread the number of its process and its own in that, from 1, as they were seen."""
    numbers: dict[int, int] = {}
    counts: dict[int, int] = {}
    for one in threads:
        process = numbers.setdefault(one.pid, len(numbers) + 1)
        counts[process] = counts.get(process, 0) + 1
        yield process, counts[process]


def make_task_lanes(steps: Iterable[Step], threads: Sequence[Thread], start_us: int) -> list[Lane]:
    """Lanes of the tasks that ran first, on the cores where their threads were then."""
    numbers = number_threads(threads)
    places = {
        (one.pid, one.tid): (one, *place) for one, place in zip(threads, numbers, strict=True)
    }
    tasks: dict[tuple[int, int, int], list[Step]] = {}
    for step in steps:
        is_own = not step.function.startswith("BaseEventLoop.")  # it shuts itself down by some
        if is_own and (step.pid, step.thread) in places and step.begin_us <= step.end_us:
            tasks.setdefault((step.pid, step.thread, step.task), []).append(step)
    lanes = []
    for own in sorted(tasks.values(), key=lambda steps: steps[0].begin_us)[:MOST_LANES]:
        thread, process, number = places[own[0].pid, own[0].thread]
        begin_us = max(own[0].begin_us, start_us)
        last_us, spans = begin_us, []
        for step in own:
            if step.begin_us >= last_us:
                core = find_core(thread, step.begin_us)
                spans.append((step.begin_us - start_us, step.end_us - start_us, core))
                last_us = step.end_us
        lanes.append(
            Lane(
                process=process,
                thread=number,
                task=own[0].task,
                name=(_NAME.findall(own[0].function) or [""])[-1][:MOST_LETTERS],
                begin_us=begin_us - start_us,
                end_us=last_us - start_us,
                running_us=sum(end - begin for begin, end, _ in spans),
                waiting_us=0,
                spans=spans,
            )
        )
    return lanes


def find_core(thread: Thread, moment_us: int) -> int:
    """The core on which a thread ran at a moment, or did before it; 1 if it was not seen to."""
    last = bisect_right(thread.spans, moment_us, key=lambda span: span[0])
    return next((core for *_, core in reversed(thread.spans[:last][-4:]) if core), 1)


def join(spans: Iterable[Span], gap_us: int) -> list[Span]:
    """Spans without the waits shorter than a gap, runs on one core that are closer than it as one."""
    joined: list[Span] = []
    for begin, end, kind in spans:
        if kind == WAITING and end - begin < gap_us:
            continue
        if joined and joined[-1][2] == kind and begin - joined[-1][1] < gap_us:
            begin = joined.pop()[0]  # noqa: PLW2901
        joined.append((begin, end, kind))
    return joined


def count_busy(every: Iterable[Sequence[Span]], start_us: int, wall_us: int) -> list[int]:
    """How many threads ran at once in each of ``CELLS`` equal parts of the time, in thousandths."""
    busy_us = [0.0] * CELLS
    for spans in every:
        since = [(begin - start_us, end - start_us, core) for begin, end, core in spans]
        for cell, inside_us in split_runs(since, wall_us, CELLS):
            busy_us[cell] += inside_us
    return [round(1000 * one * CELLS / wall_us) for one in busy_us] if wall_us else []


def thin(lanes: Sequence[Lane]) -> list[Lane]:
    """Lanes of at most ``MOST_SPANS`` spans: where there are more, joined over ever larger gaps."""
    gap_us, found = JOINED_US, list(lanes)
    while sum(len(lane.spans) for lane in found) > MOST_SPANS:
        gap_us *= 2
        found = [replace(lane, spans=join(lane.spans, gap_us)) for lane in lanes]
    return found
