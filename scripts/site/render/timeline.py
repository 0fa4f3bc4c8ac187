"""Schedules: a timeline on a page, with the picture of who ran when in a watched run of a program.

The picture is a file beside the page and not a part of it: a page has many of them, and few readers
open all. As what stands in a file has no style of the page, its colours are copied from there: the
dark ones hold where its address ends in ``#only-dark``, by which the theme tells such pictures too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from markupsafe import Markup

from scripts.harness.timeline import WAITING, Lane, Timeline, split_runs
from scripts.site.render.html import render, slug
from scripts.site.render.svg import SERIES, read_colours
from scripts.site.render.words import Words, capitalise

MOST_LANES = 16
"""In the picture. Where there are more, the last one is all the others together."""
WIDTH, LEFT, RIGHT = 360, 94, 350
LANE, BAR, BUSY, HEAD, FOOT = 17, 10, 34, 22, 66
MOST_LETTERS = 12
COLOURS = len(SERIES)
MOST_TICKS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A lane of the picture: its name, where it stands, its life, and a path for each colour."""

    name: str
    top: int
    begin: float
    end: float
    paths: dict[str, str]


def name_picture(timeline: Timeline) -> str:
    """The file of a timeline's picture."""
    return f"{timeline.experiment}-{slug(timeline.program)}.svg"


def draw_timeline(timeline: Timeline, name: str, words: Words) -> Markup:
    """The picture as the text of an SVG file: how many ran at once, and below it the lanes.

    ``name`` is what people call the program, as below.
    """
    end_us = max((lane.end_us for lane in timeline.lanes), default=0)
    scale = (RIGHT - LEFT) / max(timeline.wall_us, end_us, 1)
    shown, others = choose_lanes(timeline)
    rows = [
        _make_row(lane, name, number, scale)
        for number, (lane, name) in enumerate(zip(shown, name_lanes(shown, words), strict=True))
    ]
    if others:
        rows.append(_make_bundle(timeline, shown, others, len(rows), scale, words))
    light, dark = read_colours()
    highest = max(*timeline.busy, 1000 * timeline.cores, 1000) / 1000
    bottom = HEAD + BUSY + LANE * len(rows) + 14
    return render(
        "timeline.svg",
        words=words,
        timeline=timeline,
        title=describe(timeline, name, words),
        light=light,
        dark=dark,
        rows=rows,
        area=_draw_area([one / 1000 for one in timeline.busy], highest, timeline.wall_us * scale),
        level=HEAD + BUSY - BUSY * timeline.cores / highest,
        ticks=[(LEFT + at * scale, label) for at, label in list_ticks(1 / scale, words)],
        bottom=bottom,
        height=bottom + FOOT,
        swatches=min(timeline.cores, COLOURS),
    )


def name_lane(lane: str, words: Words) -> str:
    """``thread 1`` in the language of the page; a noun that it does not know stays."""
    noun, *number = lane.split(" ", 1)
    return " ".join([words.term_if_known("lane", noun), *number])


def choose_lanes(timeline: Timeline) -> tuple[list[Lane], int]:
    """The lanes that are shown, those of a task last; and how many threads there are besides."""
    threads = [lane for lane in timeline.lanes if not lane.task]
    tasks = [lane for lane in timeline.lanes if lane.task]
    room = MOST_LANES - min(len(tasks), MOST_LANES // 2)
    if timeline.threads > room:
        longest = sorted(threads, key=lambda lane: lane.running_us, reverse=True)[: room - 1]
        threads = [lane for lane in threads if lane in longest]
    shown = threads + tasks[: MOST_LANES - min(room, timeline.threads)]
    return shown, timeline.threads - len(threads)


def name_lanes(lanes: Sequence[Lane], words: Words) -> Iterator[str]:
    """What each lane is called; of several processes, each once, before its threads."""
    several = len({lane.process for lane in lanes}) > 1
    last = 0
    for lane in lanes:
        if lane.task:
            name = f"{name_lane(f'task {lane.task}', words)} {lane.name}".strip()
        elif several and lane.process != last:
            name = name_lane(f"process {lane.process}", words)
        else:
            name = name_lane(f"thread {lane.thread}", words)
        last = lane.process
        yield name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def _make_row(lane: Lane, name: str, number: int, scale: float) -> Row:
    top = HEAD + BUSY + 8 + LANE * number
    paths: dict[str, list[str]] = {}
    for begin, end, core in lane.spans:
        kind = "w" if core == WAITING else f"c{(core - 1) % COLOURS + 1}"
        height = BAR // 3 if core == WAITING else BAR
        x, width = LEFT + begin * scale, max((end - begin) * scale, 0.3)
        y = top + (LANE + BAR) / 2 - height
        paths.setdefault(kind, []).append(f"M{x:.1f} {y:g}h{width:.1f}v{height}h-{width:.1f}z")
    return Row(
        name=name,
        top=top,
        begin=LEFT + lane.begin_us * scale,
        end=LEFT + lane.end_us * scale,
        paths={kind: "".join(parts) for kind, parts in paths.items()},
    )


def _make_bundle(
    timeline: Timeline, shown: Sequence[Lane], others: int, number: int, scale: float, words: Words
) -> Row:
    """All threads that are not shown in one lane: the higher, the more of them ran."""
    cells, wall_us = len(timeline.busy), timeline.wall_us
    left = [one / 1000 for one in timeline.busy]
    for lane in shown:
        for cell, inside_us in split_runs(() if lane.task else lane.spans, wall_us, cells):
            left[cell] -= inside_us * cells / wall_us
    top = HEAD + BUSY + 8 + LANE * number
    highest = max(1.0, *left)
    path = "".join(
        f"M{LEFT + wall_us * cell / cells * scale:.1f} {top + (LANE + BAR) / 2:g}"
        f"v-{BAR * one / highest:.1f}h{wall_us / cells * scale:.2f}v{BAR * one / highest:.1f}z"
        for cell, one in enumerate(left)
        if one > highest / BAR / 4
    )
    name = words.text("timeline_others", n=words.plain(others))
    return Row(name=name, top=top, begin=LEFT, end=LEFT + wall_us * scale, paths={"o": path})


def _draw_area(busy: Sequence[float], highest: float, width: float) -> str:
    bottom = HEAD + BUSY
    if not busy:
        return ""
    steps = "".join(
        f"V{bottom - BUSY * one / highest:.1f}H{LEFT + width * cell / len(busy):.1f}"
        for cell, one in enumerate(busy, 1)
    )
    return f"M{LEFT} {bottom}{steps}V{bottom}z"


def list_ticks(us_per_unit: float, words: Words) -> list[tuple[float, str]]:
    """Round moments along the axis, in microseconds, with what is written there.

    One unit of the picture stands for ``us_per_unit`` microseconds.
    """
    from matplotlib.ticker import MaxNLocator

    whole_us = us_per_unit * (RIGHT - LEFT)
    unit, name = (1e6, "s") if whole_us >= 1e6 else (1e3, "ms")
    found = MaxNLocator(MOST_TICKS, steps=(1, 2, 5, 10)).tick_values(0, whole_us)
    moments = [float(moment) for moment in found if moment <= whole_us]
    labels = [words.plain(moment / unit) for moment in moments]
    labels[-1] = words.measure(labels[-1], name)
    return list(zip(moments, labels, strict=True))


def describe(timeline: Timeline, name: str, words: Words) -> str:
    """The picture in a sentence, for those who do not see it."""
    return words.text(
        "timeline_alt",
        program=capitalise(name),
        threads=words.count("threads", timeline.threads),
        processes=words.count("processes", timeline.processes),
        wall=format_micros(timeline.wall_us, words),
        mean=words.number(timeline.parallelism, 2),
        longest=format_micros(timeline.longest_us, words),
    )


def format_micros(time_us: float, words: Words) -> str:
    """Milliseconds below a second, else seconds."""
    if time_us < 1e6:
        return words.measure(words.number(time_us / 1000, 0 if time_us >= 10_000 else 1), "ms")
    return words.seconds(time_us / 1e6, 2)


def show_timeline(
    timeline: Timeline, name: str, words: Words, picture: str, data: str, *, is_open: bool = False
) -> Markup:
    """The picture, in a fold unless it ``is_open``, its figures, and the way to the data.

    ``picture`` is the address of what ``draw_timeline`` makes, ``data`` of the same as Trace Event JSON.
    """
    seconds = timeline.wall_us / 1e6 or 1.0
    figures = [
        words.text(
            "timeline_mean",
            mean=words.number(timeline.parallelism, 2),
            cores=words.count("cores", timeline.cores),
        ),
        words.text(
            "timeline_switches",
            gave=words.number(timeline.gave_way / seconds, 0),
            taken=words.number(timeline.taken / seconds, 0),
        ),
        words.text("timeline_longest", time=format_micros(timeline.longest_us, words)),
    ]
    if timeline.lag_us is not None:
        figures.append(words.text("timeline_lag", time=format_micros(timeline.lag_us, words)))
    return render(
        "timeline.html",
        words=words,
        is_open=is_open,
        name=name,
        program=timeline.program,
        picture=picture,
        data=data,
        alt=describe(timeline, name, words),
        width=2 * WIDTH,
        figures=figures,
        seen=_tell_coverage(timeline, words),
        run=words.text(
            "timeline_run",
            interpreter=timeline.interpreter,
            tasks=words.count("tasks", timeline.tasks),
            workers=words.count("workers", timeline.workers),
            profile=timeline.profile,
            date=words.date(timeline.measured_at),
        ),
    )


def _tell_coverage(timeline: Timeline, words: Words) -> str:
    """How much was seen, and how many threads were too short for it at most."""
    told = words.text(
        "timeline_seen",
        share=words.percent(timeline.coverage),
        interval=format_micros(timeline.interval_us, words),
    )
    if timeline.unseen:
        told += f" {words.text('timeline_unseen', n=words.plain(timeline.unseen))}"
    return told


# The Trace Event format ("Trace Event Format", Google, 2016), which Perfetto and Chrome's tracing
# open: complete events of ph X with ts and dur in microseconds, metadata of ph M, counters of ph C.
# Perfetto names a thread by its tid alone, takes one that has the number of its process for the main
# thread, and pid 0 for the idle task. So processes and threads are counted together from 1.

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
        yield {"ph": "M", "name": "thread_name", **place, "args": {"name": _name_track(lane)}}
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


def _name_track(lane: Lane) -> str:
    return f"task {lane.task} {lane.name}".strip() if lane.task else f"thread {lane.thread}"
