"""Traces: a run of a program of its own, watched from outside, as a timeline."""

import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import cast

from msgspec.structs import replace

from scripts.declare.program import StartMethod
from scripts.measure.command import Command
from scripts.measure.lag import listen
from scripts.measure.trial import Bench, set_environment
from scripts.measure.watcher import Thread, Watcher
from scripts.records.timeline import CELLS, MOST_LANES, MOST_SPANS, WAITING, Lane, Span, Timeline
from scripts.records.variant import Variant

LIMIT_S = 5.0
"""How long a program is watched at the most; what is still running then is ended."""
JOINED_US = 500
"""A run that others broke for less than this is drawn as one: looking itself breaks it as often."""
FINEST_CELLS = 2000
"""Of a timeline with too many spans only this many parts of its time are told apart, or fewer."""


def trace_program(
    bench: Bench, variant: Variant, cores: tuple[int, ...], fingerprint: str
) -> Timeline | None:
    """Run a program once, watched; ``None`` if nothing was seen of it.

    Whether it did its work is a matter of its trials: one that fails has a timeline, too.

    Args:
        bench: what it runs with.
        variant: at which size.
        cores: the CPUs that it is given.
        fingerprint: of what the timeline is valid for.
    """
    watcher = Watcher(cores)
    with listen() as ear:
        command = Command(
            argv=(str(bench.installation.path), f"{variant.program}.py"),
            env=set_environment(os.environ, bench, variant) | ear.env,
            cwd=bench.experiment.folder,
            cores=cores,
            timeout_s=min(LIMIT_S, bench.profile.timeout_s),
            grace_s=LIMIT_S,
        )
        outcome = bench.launcher.run(command, watcher)
        late_s = [max(beats) for beats in ear.hear()]
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
        lanes=thin(make_lanes(threads, start_us), wall_us),
    )


def make_lanes(threads: Sequence[Thread], start_us: int) -> list[Lane]:
    """Lanes of the threads that ran longest, processes and threads numbered as they were seen."""
    numbers: dict[int, int] = {}
    counts: dict[int, int] = {}
    lanes = []
    for one in threads:
        process = numbers.setdefault(one.pid, len(numbers) + 1)
        counts[process] = counts.get(process, 0) + 1
        lanes.append(
            Lane(
                process=process,
                thread=counts[process],
                begin_us=one.begin_us - start_us,
                end_us=one.end_us - start_us,
                running_us=one.running_us,
                waiting_us=one.waiting_us,
                spans=join(one.spans, start_us),
            )
        )
    lanes.sort(key=lambda lane: lane.running_us, reverse=True)
    return sorted(lanes[:MOST_LANES], key=lambda lane: (lane.process, lane.thread))


def join(spans: Iterable[Span], start_us: int) -> list[Span]:
    """Spans counted from ``start_us``, without short waits, runs on one core close together as one."""
    joined: list[Span] = []
    for begin, end, kind in spans:
        if kind == WAITING and end - begin < JOINED_US:
            continue
        begin, end = begin - start_us, end - start_us  # noqa: PLW2901
        if joined and joined[-1][2] == kind and begin - joined[-1][1] < JOINED_US:
            begin = joined.pop()[0]  # noqa: PLW2901
        joined.append((begin, end, kind))
    return joined


def count_busy(every: Iterable[Sequence[Span]], start_us: int, wall_us: int) -> list[int]:
    """How many threads ran at once in each of ``CELLS`` equal parts of the time, in thousandths."""
    busy_us = [0.0] * CELLS
    for spans in every:
        ran = [(begin - start_us, end - start_us, core) for begin, end, core in spans if core]
        for cell, _, inside_us in _split(ran, wall_us, CELLS):
            busy_us[cell] += inside_us
    return [round(1000 * one * CELLS / wall_us) for one in busy_us] if wall_us else []


def thin(lanes: Sequence[Lane], wall_us: int) -> list[Lane]:
    """Lanes of at most ``MOST_SPANS`` spans: where there are more, in ever coarser parts of time.

    A part is what the lane was in it for the longest: running, on the core where it ran most,
    waiting for a core, or neither.
    """
    cells, found = FINEST_CELLS, list(lanes)
    while sum(len(lane.spans) for lane in found) > MOST_SPANS:
        found = [
            replace(lane, spans=_coarsen(lane, max(wall_us, lane.end_us), cells)) for lane in lanes
        ]
        cells //= 2
    return found


def _coarsen(lane: Lane, wall_us: int, cells: int) -> list[Span]:
    shares: dict[int, dict[int, float]] = {}
    for cell, kind, inside_us in _split(lane.spans, wall_us, cells):
        kinds = shares.setdefault(cell, {})
        kinds[kind] = kinds.get(kind, 0.0) + inside_us
    spans: list[Span] = []
    for cell, kinds in sorted(shares.items()):
        waited_us = kinds.pop(WAITING, 0.0)
        ran_us = sum(kinds.values())
        if wall_us / cells - waited_us - ran_us > max(ran_us, waited_us):
            continue
        kind = max(kinds, key=lambda core: kinds[core]) if ran_us > waited_us else WAITING
        begin, end = (round(wall_us * one / cells) for one in (cell, cell + 1))
        begin, end = max(begin, lane.begin_us), min(end, lane.end_us)
        if spans and spans[-1][2] == kind and spans[-1][1] >= begin:
            begin = spans.pop()[0]
        spans.append((begin, end, kind))
    return [span for span in spans if span[0] < span[1]]


def _split(spans: Iterable[Span], wall_us: int, cells: int) -> Iterable[tuple[int, int, float]]:
    """Of each span the parts in each cell of the time: cell, kind, microseconds in it."""
    for begin, end, kind in spans:
        for cell in range(begin * cells // wall_us, min(end * cells // wall_us + 1, cells)):
            inside_us = min(end, wall_us * (cell + 1) / cells) - max(begin, wall_us * cell / cells)
            if inside_us > 0:
                yield cell, kind, inside_us
