"""Timelines: who ran when in a watched run of a program, one run or several on one time axis.

A picture begins where the work does. It is stretched to the width of its column, so it has no letters:
the names of its lanes stand beside it, and the moments below.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from scripts.site.render.html import render
from scripts.site.render.plot import Scale
from scripts.site.render.words import Words, capitalise
from scripts.site.study.timeline import WAITING, Lane, Timeline

MOST_LANES = 16
"""In a picture. Where there are more, the last one only counts the others."""
WIDTH = 1000
"""Of a picture, in its own units; a run that is shorter than ``SHORTEST`` of them is drawn so long."""
SHORTEST = 0.6
LANE_PX, BAR_PX, BUSY_PX, GAP_PX = 17, 10, 34, 8
MOST_LETTERS = 14
SHADES = 4
"""Cores are told apart by so many shades; then they begin again."""
MOST_TICKS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A timeline to show: what people call its program, its colour, and the address of its data."""

    timeline: Timeline
    name: str
    colour: int
    data: str

    @property
    def span_us(self) -> int:
        """The time from the beginning of the work until all that is drawn has ended."""
        ends_us = [lane.end_us for lane in self.timeline.lanes]
        work_us = self.timeline.work_us
        return max(self.timeline.wall_us, *ends_us, work_us + 1) - work_us


@dataclass(frozen=True, slots=True)
class Row:
    """A lane of a picture: its name, what is told of it, where it stands, its life and its runs.

    ``paths`` are by the shade of the core, ``w`` while it waited for one.
    """

    name: str
    told: str
    top: int
    begin: float = 0
    end: float = 0
    paths: Mapping[str, str] = field(default_factory=dict)


def show_timelines(shown: Sequence[Watched], words: Words) -> Markup:
    """Show one picture below the other, all on one time axis, and how each run was watched."""
    span_us = max(one.span_us for one in shown)
    return render(
        "timeline.html",
        words=words,
        panels=[_make_panel(one, span_us, words) for one in shown],
        ticks=list_ticks(span_us, words),
        shades=range(1, min(max(one.timeline.cores for one in shown), SHADES) + 1),
        width=WIDTH,
    )


def _make_panel(one: Watched, span_us: int, words: Words) -> dict[str, Any]:
    timeline = one.timeline
    scale = Scale(timeline.work_us, timeline.work_us + span_us, 0, WIDTH)
    lanes, others = choose_lanes(timeline)
    named = zip(lanes, name_lanes(lanes, words), strict=True)
    rows = [_make_row(*one, number, scale, words) for number, one in enumerate(named)]
    if others:
        name = words.text("timeline_others", n=words.plain(others))
        rows.append(Row(name, name, _find_top(len(lanes))))
    highest = max([*timeline.busy, 1000 * timeline.cores, 1000]) / 1000
    length = format_micros(timeline.wall_us - timeline.work_us, words)
    mean, cores = words.number(find_mean(timeline), 2), words.count("cores", timeline.cores)
    figures = [words.text("timeline_mean", mean=mean, cores=cores)]
    if timeline.lag_us is not None:
        figures.append(words.text("timeline_lag", time=format_micros(timeline.lag_us, words)))
    run = words.text(
        "timeline_run",
        interpreter=timeline.interpreter,
        tasks=words.count("tasks", timeline.tasks),
        workers=words.count("workers", timeline.workers),
        profile=timeline.profile,
        date=words.date(timeline.measured_at),
    )
    seen = words.text("timeline_seen", share=words.percent(timeline.coverage))
    return {
        "watched": one,
        # For those who do not see the picture.
        "title": words.text(
            "timeline_alt",
            program=capitalise(one.name),
            threads=words.count("threads", timeline.threads),
            processes=words.count("processes", timeline.processes),
            wall=length,
            mean=mean,
        ),
        "rows": rows,
        "area": _draw_area(timeline, highest, scale),
        "level": BUSY_PX - BUSY_PX * timeline.cores / highest,
        "height": _find_top(len(rows)),
        "length": length,
        "figures": figures,
        "notes": [run, seen],
    }


def choose_lanes(timeline: Timeline) -> tuple[list[Lane], int]:
    """Choose the lanes that are shown, those of a task last; and how many threads there are besides."""
    begin_us = timeline.work_us
    lanes = [lane for lane in timeline.lanes if lane.end_us > begin_us]
    threads = [lane for lane in lanes if not lane.task]
    tasks = [lane for lane in lanes if lane.task]
    gone = len(timeline.lanes) - len(lanes)
    room = MOST_LANES - min(len(tasks), MOST_LANES // 2)
    if timeline.threads - gone > room:
        longest = sorted(threads, key=lambda lane: lane.running_us, reverse=True)[: room - 1]
        threads = [lane for lane in threads if lane in longest]
    others = timeline.threads - gone - len(threads)
    return threads + tasks[: MOST_LANES - len(threads) - bool(others)], others


def name_lanes(lanes: Sequence[Lane], words: Words) -> Iterator[str]:
    """Name each lane; of several processes, each once, before its threads."""
    several = len({lane.process for lane in lanes}) > 1
    last = 0
    for lane in lanes:
        if lane.task:
            name = f"{words.term('lane', 'task')} {lane.task} {lane.name}".strip()
        elif several and lane.process != last:
            name = f"{words.term('lane', 'process')} {lane.process}"
        else:
            name = f"{words.term('lane', 'thread')} {lane.thread}"
        last = lane.process
        yield name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def _find_top(number: int) -> int:
    return BUSY_PX + GAP_PX + LANE_PX * number


def _make_row(lane: Lane, name: str, number: int, scale: Scale, words: Words) -> Row:
    bottom = _find_top(number) + (LANE_PX + BAR_PX) / 2
    paths: dict[str, str] = defaultdict(str)
    for kind, runs in _join_runs(lane, scale).items():
        height = BAR_PX // 3 if kind == "w" else BAR_PX
        for begin, end in runs:
            width = max(end - begin, SHORTEST)
            paths[kind] += f"M{begin:.1f} {bottom - height:g}h{width:.1f}v{height}h-{width:.1f}z"
    told = words.text(
        "timeline_lane",
        name=name,
        running=format_micros(lane.running_us, words),
        waiting=format_micros(lane.waiting_us, words),
    )
    begin, end = scale.find(lane.begin_us), scale.find(lane.end_us)
    return Row(name, told, _find_top(number), begin, end, paths)


def _join_runs(lane: Lane, scale: Scale) -> dict[str, list[tuple[float, float]]]:
    """Join the spans of a lane that nobody could see apart: beginnings and ends, by kind."""
    joined: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for begin_us, end_us, core in lane.spans:
        if end_us <= scale.low:
            continue
        kind = "w" if core == WAITING else f"c{(core - 1) % SHADES + 1}"
        begin, end = scale.find(begin_us), scale.find(end_us)
        own = joined[kind]
        if own and begin - own[-1][1] < SHORTEST:
            begin = own.pop()[0]
        own.append((begin, end))
    return joined


def _draw_area(timeline: Timeline, highest: float, scale: Scale) -> str:
    """Draw how many ran at once, as steps from the left end on."""
    steps, cells = "", len(timeline.busy)
    for cell, busy in enumerate(timeline.busy, 1):
        end = scale.find(timeline.wall_us * cell / cells)
        if end:
            steps += f"V{BUSY_PX - BUSY_PX * busy / 1000 / highest:.1f}H{end:.1f}"
    return f"M0 {BUSY_PX}{steps}V{BUSY_PX}z" if steps else ""


def list_ticks(span_us: int, words: Words) -> list[tuple[float, str]]:
    """List the places of round moments along the axis, in per cent, with what is written there."""
    unit_us, name = (1e6, "s") if span_us >= 1e6 else (1e3, "ms")
    scale = Scale(0, span_us / unit_us, 0, 100)
    moments = scale.list_ticks(MOST_TICKS)
    labels = [words.plain(moment) for moment in moments]
    labels[-1] = words.measure(labels[-1], name)
    return [(scale.find(moment), label) for moment, label in zip(moments, labels, strict=True)]


def format_micros(time_us: float, words: Words) -> str:
    """Write a time in milliseconds below a second, else in seconds."""
    if time_us < 1e6:
        return words.measure(words.number(time_us / 1000, 0 if time_us >= 10_000 else 1), "ms")
    return words.seconds(time_us / 1e6, 2)


def find_mean(timeline: Timeline) -> float:
    """Find how many threads ran at once on average, from the beginning of the work on."""
    cells = len(timeline.busy)
    first = timeline.work_us * cells // timeline.wall_us
    own = timeline.busy[min(first, cells - 1) :]
    return sum(own) / len(own) / 1000
