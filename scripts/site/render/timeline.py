"""Timelines: who ran when in a watched run of a program, one run or several on one time axis.

Runs stand below one another where the work begins; what is before and after it is shaded. A picture is
stretched to the width of its column, so it has no letters: the names of its lanes stand beside it, and
the moments below.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from poolwise.watch import WAITING, Lane, number_lanes
from scripts.site.render.figures import LONGEST_ID, Figure, hide_note, write_spans
from scripts.site.render.html import render
from scripts.site.render.plot import NO_FINDING, Finding, Scale, make_prefix
from scripts.site.render.svg import Canvas, Place, outline_box
from scripts.site.render.words import Words, capitalise
from scripts.site.study.timeline import Timeline

MOST_LANES = 16  # in a picture; where there are more, the last one only counts the others
WIDTH = 1000  # of a picture, in its own units
SHORTEST = 0.6  # a run that is shorter could not be seen, so it is drawn so long
LANE_PX, BAR_PX, BUSY_PX, GAP_PX = 17, 10, 34, 8
LONGEST_NAME = 14  # of a lane: there is no room beside the picture for more letters
SHADES = 4  # of so many colours are cores; then they begin again
MOST_TICKS = 4
OF_WORK = ("inside_s", "lag_max_s")  # the metrics that leave out how a program starts and ends
LEAST_MEAN = 0.05  # of threads at once; fewer are as good as none


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A timeline to show: what people call its program, its colour, and the address of its data.

    ``is_whole`` says that its claim counts the whole run, from the start of Python to its end.
    """

    timeline: Timeline
    name: str
    colour: int
    data: str
    is_whole: bool = False

    @property
    def begin_us(self) -> int:
        """When the work begins: where ``main`` is called, or where the clock of the program starts."""
        return self.timeline.work_us if self.is_whole else self.timeline.begin_us

    @property
    def end_us(self) -> int:
        """When the work has ended."""
        return self.timeline.wall_us if self.is_whole else self.timeline.end_us

    @property
    def span_us(self) -> int:
        """The time from the beginning of the work until all that is drawn has ended."""
        ends_us = [lane.end_us for lane in self.timeline.lanes]
        begin_us = self.begin_us
        return max(self.timeline.wall_us, *ends_us, begin_us + 1) - begin_us


def show_timelines(runs: Sequence[Watched], words: Words, finding: Finding = NO_FINDING) -> Markup:
    """Show one picture below the other, all on one time axis, and how each run was watched.

    Its title is the claim which it shows, or else names the programs.
    """
    if check := finding.check:
        is_whole = any(item.comparison.metric not in OF_WORK for item in check.findings)
        runs = [replace(run, is_whole=is_whole) for run in runs]
    span_us = max(run.span_us for run in runs)
    lead_us = min(max(run.begin_us for run in runs), span_us)  # of longer ones the start is cut off
    timelines = [run.timeline for run in runs]
    names = "; ".join(dict.fromkeys(run.name for run in runs))
    programs = [timeline.program for timeline in timelines]
    spans = write_spans((run.timeline, run.begin_us) for run in runs)
    return render(
        "timeline.html",
        words=words,
        id=make_prefix("timeline", timelines[0].experiment, *programs)[:LONGEST_ID],
        title=words.text(
            "timeline_title", names=names, interpreter=timelines[0].interpreter.replace("-", " ", 1)
        ),
        sentence=finding.sentence,
        note=hide_note(Figure(claim=finding.claim, unit="us", numbers=spans)),
        panels=[_make_panel(run, lead_us, span_us, words) for run in runs],
        ticks=list_ticks(lead_us, span_us, words),
        zero=round(WIDTH * lead_us / (lead_us + span_us), 1),
        shades=range(1, min(max(run.timeline.cores for run in runs), SHADES) + 1),
    )


def _make_panel(watched: Watched, lead_us: int, span_us: int, words: Words) -> dict[str, Any]:
    timeline = watched.timeline
    lanes, others = choose_lanes(timeline, watched.begin_us)
    names = list(name_lanes(lanes, words))
    if others:
        names.append(words.text("timeline_others", n=words.plain(others)))
    wall_us = timeline.wall_us if watched.is_whole else watched.end_us - watched.begin_us
    figures = [
        words.text(
            "timeline_ran",
            threads=words.count("threads", timeline.threads),
            processes=words.count("processes", timeline.processes),
            wall=format_micros(wall_us, words),
        ),
        words.text(
            "timeline_start_in" if watched.is_whole else "timeline_start_before",
            time=format_micros(watched.begin_us, words),
        ),
        _tell_mean(watched, words),
    ]
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
    name = capitalise(watched.name)
    title = f"{name}: {' '.join(figures)}"  # for those who do not see the picture
    scale = Scale(watched.begin_us - lead_us, watched.begin_us + span_us, 0, WIDTH)
    ticks = [WIDTH * share / 100 for share, _ in list_ticks(lead_us, span_us, words)]
    canvas = _draw_panel(watched, lanes, names, scale, ticks, words)
    return {
        "watched": watched,
        "names": names,
        "picture": canvas.format_stretched(f"series-{watched.colour + 1}", title),
        "name": name,
        "figures": figures,
        "notes": [run, seen],
    }


def _tell_mean(watched: Watched, words: Words) -> str:
    timeline = watched.timeline
    mean = find_mean(timeline, watched.begin_us, watched.end_us)
    if mean < LEAST_MEAN:
        return words.text("timeline_idle")
    cores = words.count("cores", timeline.cores)
    return words.text("timeline_mean", mean=words.number(mean, 2), cores=cores)


def choose_lanes(timeline: Timeline, begin_us: int) -> tuple[list[Lane], int]:
    """Choose the lanes that are shown, those of a task last; and how many threads there are besides.

    What had ended before the work began has none.
    """
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
    """Name each lane in as many letters as there is room for."""
    for kind, number, function in number_lanes(lanes):
        name = f"{words.term('lane', kind)} {number} {function}".strip()
        yield name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _find_top(number: int) -> int:
    return BUSY_PX + GAP_PX + LANE_PX * number


def _draw_panel(
    watched: Watched,
    lanes: Sequence[Lane],
    names: Sequence[str],
    scale: Scale,
    ticks: Sequence[float],
    words: Words,
) -> Canvas:
    """Draw how many ran at once, and below it a lane for each name, on a shade where the work is not."""
    timeline = watched.timeline
    canvas = Canvas(WIDTH, _find_top(len(names)))
    for stretch in ((0, watched.begin_us), (watched.end_us, timeline.wall_us)):
        left, right = (round(scale.find(moment_us), 1) for moment_us in stretch)
        if left < right:
            canvas.fill(outline_box(left, 0, right, canvas.height_pt), "u")
    canvas.draw([[(x, 0), (x, canvas.height_pt)] for x in ticks], kind="g")
    highest = max([*timeline.busy, 1000 * timeline.cores, 1000]) / 1000
    canvas.fill(_outline_busy(timeline, highest, scale), "a")
    level = BUSY_PX - BUSY_PX * timeline.cores / highest
    canvas.draw([[(0, level), (WIDTH, level)]], kind="l")
    for number, name in enumerate(names):
        top, tooltip = _find_top(number), name
        bottom = top + LANE_PX
        lane = None
        if number < len(lanes):  # the last one may only count the others
            lane = lanes[number]
            tooltip = words.text(
                "timeline_lane",
                name=name,
                running=format_micros(lane.running_us, words),
                waiting=format_micros(lane.waiting_us, words),
            )
        canvas.fill(outline_box(0, top, WIDTH, bottom), "point h", tooltip)
        if lane:
            _draw_lane(canvas, lane, top + (LANE_PX + BAR_PX) / 2, scale)
    return canvas


def _draw_lane(canvas: Canvas, lane: Lane, bottom: float, scale: Scale) -> None:
    """Draw the life of a thread, and on it its runs: the width of their lines is their height."""
    canvas.draw([[(scale.find(us), bottom) for us in (lane.begin_us, lane.end_us)]], kind="s")
    for kind, runs in _join_runs(lane, scale).items():
        height = BAR_PX // 3 if kind == "w" else BAR_PX
        y = bottom - height / 2
        ends = [(begin, round(max(end, begin + SHORTEST), 1)) for begin, end in runs]
        canvas.draw([[(begin, y), (end, y)] for begin, end in ends], kind=kind)


def _join_runs(lane: Lane, scale: Scale) -> dict[str, list[tuple[float, float]]]:
    """Join the spans of a lane that nobody could see apart: beginnings and ends, by kind."""
    joined: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for begin_us, end_us, core in lane.spans:
        if end_us <= scale.low:
            continue
        kind = "w" if core == WAITING else f"c{(core - 1) % SHADES + 1}"
        # A tenth of a unit is less than a pixel, and further digits weigh.
        begin, end = round(scale.find(begin_us), 1), round(scale.find(end_us), 1)
        runs = joined[kind]
        if runs and begin - runs[-1][1] < SHORTEST:
            begin = runs.pop()[0]
        runs.append((begin, end))
    return joined


def _outline_busy(timeline: Timeline, highest: float, scale: Scale) -> list[Place]:
    """Outline how many ran at once, as steps from the left end on."""
    outline: list[Place] = [(round(scale.find(0), 1), BUSY_PX)]
    for cell, busy in enumerate(timeline.busy, 1):
        end = round(scale.find(timeline.wall_us * cell / len(timeline.busy)), 1)
        if end > outline[0][0]:
            height = round(BUSY_PX - BUSY_PX * busy / 1000 / highest, 1)
            outline += [(outline[-1][0], height), (end, height)]
    return [*outline, (outline[-1][0], BUSY_PX)]


def list_ticks(lead_us: int, span_us: int, words: Words) -> list[tuple[float, str]]:
    """List the places of round moments from the beginning of the work on, in per cent of the whole axis.

    With each is what is written there; ``lead_us`` is the time before.
    """
    unit_us, name = (1e6, "s") if span_us >= 1e6 else (1e3, "ms")
    scale = Scale(0, span_us / unit_us, 100 * lead_us / (lead_us + span_us), 100)
    moments = scale.list_ticks(MOST_TICKS)
    labels = [words.plain(moment) for moment in moments]
    labels[-1] = words.measure(labels[-1], name)
    return [(scale.find(moment), label) for moment, label in zip(moments, labels, strict=True)]


def format_micros(time_us: float, words: Words) -> str:
    """Write a time in milliseconds below a second, else in seconds."""
    if time_us < 1e6:
        return words.measure(words.number(time_us / 1000, 0 if time_us >= 10_000 else 1), "ms")
    return words.seconds(time_us / 1e6, 2)


def find_mean(timeline: Timeline, begin_us: int, end_us: int) -> float:
    """Find how many threads ran at once on average, from the beginning of the work to its end."""
    cells = len(timeline.busy)
    first = min(begin_us * cells // timeline.wall_us, cells - 1)
    busy = timeline.busy[first : max(first + 1, -(-end_us * cells // timeline.wall_us))]
    return sum(busy) / len(busy) / 1000
