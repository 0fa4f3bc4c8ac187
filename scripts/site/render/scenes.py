"""Scenes: the last picture of a play, a table of what happens in it, and the trace that a script plays.

The picture is whole without a script, which only covers what has not happened yet. It is 360 points
wide, as drawings are: that is a phone's width.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise
from typing import Any

import msgspec
from markupsafe import Markup

from scripts.site.declare.scenes import Panel, Scene, read_amount_ms
from scripts.site.render.html import mark_code, prose, render, table
from scripts.site.render.plot import Scale
from scripts.site.render.svg import find_colour
from scripts.site.render.timeline import MOST_TICKS
from scripts.site.render.words import Words
from scripts.site.study.scenes import STEP_US, Event, Play

LEFT, RIGHT, RIGHT_OF_STEPS = 76, 308, 338  # of the axis; the names of lanes stand at its left
LANE, BAR, HEAD, GAP = 26, 20, 22, 8  # heights in points
SEAM = 0.8  # in points, between a bar and the next
LETTER = 6.5  # the width of a letter in a bar, about
LONG_US, SHORT_US = 2_000_000, 1000  # from here on seconds, or milliseconds, are written
WAY_OF = {"thread": "threads", "task": "coroutines", "process": "processes"}
WAY_OF |= {"interpreter": "interpreters", "greenlet": "greenlets", "request": "threads"}
MANY_STEPS_US = 13 * STEP_US  # from here on some steps have no number
DRAWN = (
    *("runs", "holds", "ready", "waits", "sleeps", "locked"),
    *("reads", "writes", "paused", "value", "held"),
)
"""The states that have a shape, in the order of the legend."""
Mark = tuple[int, int, str]  # a moment, the number of a panel, and what its lanes do from then on


@dataclass(frozen=True)
class Stage:
    """A panel as it was played, from ``top_pt`` on in the picture."""

    panel: Panel
    play: Play
    name: str
    top_pt: int
    lanes: list[str]

    @property
    def has_queue(self) -> bool:
        """Tell whether there is a queue to draw, above the lanes."""
        return any(length for _, length in self.play.queue)

    def find_top(self, lane: int) -> int:
        """Find the top of a lane; of the queue it is lane -1."""
        return self.top_pt + HEAD + LANE * (lane + self.has_queue)

    @cached_property
    def bottom_pt(self) -> int:
        """Where the panel ends."""
        return self.find_top(len(self.lanes)) + GAP


@dataclass(frozen=True)
class Staged:
    """A scene with all its panels; ``origin`` is the sentence about where its times come from."""

    name: str
    scene: Scene
    stages: list[Stage]
    prices_ms: Mapping[str, float]
    origin: str
    words: Words

    @property
    def text(self) -> Mapping[str, Any]:
        """The words of the scene."""
        text: Mapping[str, Any] = self.words.catalogue["scene"][self.name]
        return text

    @cached_property
    def guessed_us(self) -> list[int]:
        """The moment that each option means."""
        return [round(1000 * read_amount_ms(at, self.prices_ms)) for at in self.scene.at]

    @cached_property
    def end_us(self) -> int:
        """Where the axis ends."""
        return max(*self.guessed_us, *(stage.play.end_us for stage in self.stages), 1)

    @property
    def scale(self) -> Scale:
        """The axis."""
        return Scale(0, self.end_us, LEFT, self.right_pt)

    @property
    def right_pt(self) -> int:
        """Where the axis ends; steps need no room for moments behind it."""
        return {"ms": RIGHT, "step": RIGHT_OF_STEPS}[self.scene.unit]

    @property
    def options(self) -> list[str]:
        """What can be guessed, with the moments that the options mean."""
        places = map(self.tell_us, self.guessed_us)
        return [text.format(at=next(places, "")) for text in self.text["options"]]

    def tell_us(self, moment_us: int) -> str:
        """Write a moment, in steps where the scene counts these."""
        if self.scene.unit == "step":
            return self.words.count("steps", moment_us / STEP_US)
        digits = f"{moment_us / self.unit_us:.3g}"  # more than three nobody compares
        moment = self.words.plain(float(digits))
        return self.words.measure(moment, self.unit)

    @property
    def unit(self) -> str:
        """The unit of its axis."""
        if self.scene.unit == "step" or SHORT_US <= self.end_us < LONG_US:
            return "ms"
        if self.end_us >= LONG_US:
            return "s"
        return "µs"

    @property
    def step_us(self) -> int:
        """How long a step is, and 0 where the scene counts none."""
        return {"ms": 0, "step": STEP_US}[self.scene.unit]

    @property
    def unit_us(self) -> float:
        """How long that unit is."""
        return {"s": 1e6, "ms": 1e3, "µs": 1}[self.unit]

    def find_label(self, what: str) -> str:
        """Find the word of a label or task; what has none is its own."""
        label: str = self.text.get(what, self.text.get(f"lane_{what}", what))
        return label


def stage_scene(
    name: str,
    scene: Scene,
    plays: Sequence[Play],
    prices_ms: Mapping[str, float],
    origin: str,
    words: Words,
) -> Staged:
    """Place the panels of a scene below one another."""
    stages: list[Stage] = []
    top_pt = 0
    for panel, play, title in zip(
        scene.panels, plays, words.catalogue["scene"][name]["panels"], strict=True
    ):
        lanes = _name_lanes(name, panel, play, words)
        stages.append(Stage(panel, play, title, top_pt, lanes))
        top_pt = stages[-1].bottom_pt
    return Staged(name, scene, stages, prices_ms, origin, words)


def show_scene(staged: Staged) -> Markup:
    """Show a scene: what is asked, the picture, the controls, what is to be seen, and the table."""
    marks = list_marks(staged, is_whole=True)
    return render(
        "scene.html",
        words=staged.words,
        staged=staged,
        text=staged.text,
        after=mark_code(staged.text["after"]),
        panels=[_draw_panel(stage, staged) for stage in staged.stages],
        accents=[find_colour(WAY_OF[stage.panel.lane]) + 1 for stage in staged.stages],
        legend=list_legend(staged),
        ticks=list(_list_ticks(staged)),
        grid=list(_list_lines(staged)),
        left=LEFT,
        bottom=staged.stages[-1].bottom_pt,
        trace=msgspec.json.encode(write_trace(staged, marks)).decode().replace("<", "\\u003c"),
        steps=_list_steps(staged),
        longest=_join_longest(staged, marks),
    )


def list_legend(staged: Staged) -> list[tuple[str, str]]:
    """List the states that are drawn, as classes, and what each means."""
    keys, signs = staged.words.catalogue["scene_key"], dict[str, str]()
    for stage in staged.stages:
        states = {event.state for event in stage.play.events}
        for state in DRAWN:
            if state in states:
                signs.setdefault(state, keys.get(f"{state}_{stage.panel.shared}", keys[state]))
        if _trace_route(stage, staged.scale):
            signs["route"] = keys["route"]
    return list(signs.items())


def write_trace(staged: Staged, marks: Sequence[Mark]) -> dict[str, Any]:
    """Make the trace that a script plays: lanes, events, marks and the guess; times in microseconds.

    A mark is a moment, the number of a panel, and what goes on in it from then on. An event is
    ``[lane, begin, end, token]``: what the lane has of what is shared, from begin to end. Lanes are the tops
    of all lanes of all panels, a queue before its workers; a panel is its top, its bottom and what is
    shared in it.
    """
    lanes: list[int] = []
    panels: list[list[Any]] = []
    events: list[list[Any]] = []
    for stage in staged.stages:
        first = len(lanes) + stage.has_queue
        lanes += [stage.find_top(lane) for lane in range(-stage.has_queue, len(stage.lanes))]
        for event in stage.play.events:
            token = _name_slot(stage.panel, event.slot, staged.words)
            events.append([first + event.lane, event.begin_us, event.end_us, token])
        panels.append([stage.top_pt, stage.bottom_pt, _list_tokens(stage, staged.words)])
    guess = {"right": staged.scene.right, "at": staged.guessed_us}
    unit = {"ms": staged.words.measure("", staged.unit), "step": ""}[staged.scene.unit]
    axis = {
        "left": LEFT,
        "right": staged.right_pt,
        "end": staged.end_us,
        "per": staged.unit_us,
        "unit": unit,
    }
    parts = {"panels": panels, "lanes": lanes, "events": events, "marks": marks}
    return {**parts, "guess": guess, "axis": axis}


def list_marks(staged: Staged, *, is_whole: bool = False) -> list[Mark]:
    """List the moments at which something changes, the number of the panel, and what its lanes do from then on.

    That is what has changed, or the whole with what goes on. A step is told of when it has been made.
    """
    marks: list[Mark] = []
    for number, stage in enumerate(staged.stages):
        states: dict[int, Event] = {}
        for at_us, changes in _group_changes(stage).items():
            states = {**(states if is_whole else {}), **changes}
            said: dict[str, list[str]] = {}
            for event in sorted(states.values(), key=lambda event: event.lane):
                lanes = said.setdefault(_tell_state(stage.panel, event, staged), [])
                lanes.append(_tell_lane(stage, event, staged))
            if said and at_us + staged.step_us <= staged.end_us:
                text = "; ".join(_join_lanes(state, lanes) for state, lanes in said.items())
                marks.append((at_us + staged.step_us, number, text))
    return sorted(marks)


def _join_lanes(state: str, lanes: Sequence[str]) -> str:
    """Join the names of lanes in a state, with a repeated kind once: ``waits: main, thread 1, 3``.

    A state may be worded for a lane and for several: ``waits | wait``.
    """
    names: list[str] = []
    previous = ""
    for lane in lanes:
        kind, _, rest = lane.partition(" ")
        names.append(rest if rest and kind == previous else lane)
        previous = kind
    forms = state.split(" | ")
    return f"{forms[0 if len(names) == 1 else -1]}: {', '.join(names)}"


def _group_changes(stage: Stage) -> dict[int, dict[int, Event]]:
    """Group by moment what each lane begins then; the end of its last state is a change, too."""
    is_cut = not stage.panel.tasks and stage.panel.until_ms
    changes: dict[int, dict[int, Event]] = defaultdict(dict)
    last: dict[int, Event] = {}
    for event in stage.play.events:
        if event.state == "value":  # which is told of where it is written
            continue
        last[event.lane] = max(event, last.get(event.lane, event), key=lambda event: event.end_us)
        changes[event.begin_us][event.lane] = event
    for event in last.values():
        goes_on = is_cut and event.end_us == stage.play.end_us
        if event.state not in ("locked", "held", "free") and not goes_on:  # a lock, or who is stuck
            changes[event.end_us][event.lane] = event._replace(state="done")
    return dict(sorted(changes.items()))


def _tell_state(panel: Panel, event: Event, staged: Staged) -> str:
    """Tell what a lane does, with the task of a worker; of a trace, what it is written to do."""
    if event.kind and event.state != "done":
        kind = staged.words.term_if_known("scene_kind", event.kind)
        value = f" = {event.value}" if event.value else ""
        return f"{kind} {event.what}".strip() + value
    says = staged.words.catalogue["scene_says"]
    label = staged.find_label(event.what)
    key = f"{event.state}_{panel.shared}"
    if event.state == "runs" and not event.slot:
        key = "runs"  # native code needs nothing that is shared
    state: str = says.get(key, says[event.state]).format(what=label)
    return state


def _tell_lane(stage: Stage, event: Event, staged: Staged) -> str:
    """Name the lane of an event, and the task or the label that it is about."""
    lane = stage.lanes[event.lane]
    if not event.what or event.kind or event.state not in ("runs", "waits", "holds"):
        return lane
    if event.what == stage.play.names[event.lane]:
        return lane
    return f"{lane} ({staged.find_label(event.what)})"


def _list_tokens(stage: Stage, words: Words) -> list[str]:
    """List what there is of what is shared, and the cores besides."""
    slots = max((event.slot for event in stage.play.events), default=0)
    tokens = [_name_slot(stage.panel, slot, words) for slot in range(1, slots + 1)]
    core = words.term("scene_token", "core")
    return tokens + [f"{core} {number}" for number in range(slots + 1, stage.panel.cores + 1)]


def _name_slot(panel: Panel, slot: int, words: Words) -> str:
    """Name what a lane has of what is shared; nothing for 0."""
    if not slot:
        return ""
    name = words.term("scene_token", panel.shared)
    return f"{name} {slot}" if panel.shared == "core" or panel.slots > 1 else name


def _name_lanes(name: str, panel: Panel, play: Play, words: Words) -> list[str]:
    kind, named = words.term("lane", panel.lane), words.catalogue["scene"][name]
    lanes: list[str] = []
    numbers = count(1)
    for task in play.names:
        known = named.get(f"lane_{task}")
        lanes.append(known or f"{kind} {task or next(numbers)}")
    return [*lanes, *(named.get(f"lane_{thing}", thing) for thing in play.things)]


def _list_ticks(staged: Staged) -> Iterator[tuple[float, str]]:
    """List the places of round moments on the axis, and what is written there; of steps, the middles."""
    if staged.scene.unit == "step":
        for step in range(1, staged.end_us // STEP_US + 1, 1 + staged.end_us // MANY_STEPS_US):
            label = staged.words.plain(step) if step > 1 else staged.tell_us(STEP_US)
            yield round(staged.scale.find((step - 0.5) * STEP_US), 1), label
        return
    unit_us = staged.unit_us
    scale = Scale(0, staged.end_us / unit_us, LEFT, staged.right_pt)
    moments = scale.list_ticks(MOST_TICKS)
    for moment in moments:
        is_last = moment == moments[-1]
        label = staged.tell_us(round(moment * unit_us)) if is_last else staged.words.plain(moment)
        yield round(scale.find(moment), 1), label


def _list_lines(staged: Staged) -> Iterator[float]:
    """List the places of the grid's lines: at what is written on the axis, or between steps."""
    for x, _ in _list_ticks(staged):
        yield round(x - staged.scale.find(staged.step_us / 2) + LEFT, 1)


def _draw_panel(stage: Stage, staged: Staged) -> dict[str, Any]:
    """Return the shapes of a panel: paths by state, labels, and the outline of its queue."""
    scale = staged.scale
    paths: dict[str, list[str]] = defaultdict(list)
    labels: list[tuple[float, int, str, str]] = []
    for event in stage.play.events:
        if event.state not in DRAWN:
            continue
        left, right = scale.find(event.begin_us), scale.find(event.end_us)
        top = stage.find_top(event.lane) + (LANE - BAR) / 2
        width = round(right - left, 1)
        if event.state in ("waits", "sleeps"):
            paths[event.state].append(f"M{left:.1f} {top + BAR / 2:g}h{width:g}")
        else:
            bar = max(round(width - SEAM, 1), SEAM)
            paths[event.state].append(f"M{left:.1f} {top:g}h{bar:g}v{BAR}h-{bar:g}z")
        if label := _choose_label(stage, event, staged, width):
            y = top + BAR / 2 + (-3 if event.state == "waits" else 4)  # above a line, in a bar
            x, kind = (left + right) / 2, str(event.state)
            if kind == "held":  # its bar is long, and who has the lock is of interest at once
                x, kind = left + LETTER, "held left"
            labels.append((round(x, 1), round(y), label, kind))
    for begin_us, end_us, length in _list_lengths(stage):
        left, right = scale.find(begin_us), scale.find(end_us)
        if length and right - left > LETTER * len(str(length)):
            labels.append((round((left + right) / 2, 1), stage.find_top(-1) + 17, str(length), ""))
    return {
        "name": stage.name,
        "top": stage.top_pt,
        "lanes": [(stage.find_top(lane), name) for lane, name in enumerate(stage.lanes)],
        "paths": {state: "".join(paths[state]) for state in DRAWN if state in paths},
        "labels": labels,
        "queue": stage.has_queue and _outline_queue(stage, staged),
        "queue_top": stage.find_top(-1),
        "route": _trace_route(stage, scale),
        "tokens": ", ".join(_list_tokens(stage, staged.words)),
        "end": _place_end(stage, staged),
        "bars": (stage.top_pt + HEAD, stage.bottom_pt - GAP),
    }


def _place_end(stage: Stage, staged: Staged) -> tuple[float, int, str]:
    """Place the moment at which a panel ends behind the bar that ends last; steps have none."""
    drawn = [event for event in stage.play.events if event.state in DRAWN]
    last = max(drawn, key=lambda event: event.end_us, default=None)
    if last is None or staged.scene.unit == "step":
        return 0, 0, ""
    x = round(staged.scale.find(last.end_us) + 4, 1)
    return x, stage.find_top(last.lane) + 17, staged.tell_us(last.end_us)


def _choose_label(stage: Stage, event: Event, staged: Staged, width_pt: float) -> str:
    """Choose the longest text about an event that fits into its bar, if its lane doesn't say it already."""
    label = staged.find_label(event.what)
    if label in (stage.lanes[event.lane], *stage.play.names[event.lane : event.lane + 1]):
        return ""
    texts = [label]
    if event.state == "locked":
        texts = [f"{staged.words.term('scene_kind', 'waits')} {label}", label]
    elif event.kind:
        short = f"{label.partition('.')[0]} {event.value}".strip()
        texts = [_tell_state(stage.panel, event, staged), short, label]
    return next((text for text in texts if len(text) * LETTER < width_pt), "")


def _trace_route(stage: Stage, scale: Scale) -> str:
    """Trace how what only one lane can have passes from lane to lane: the end of a run to the next begin."""
    held = [event for event in stage.play.events if event.slot]
    if stage.panel.slots > 1 or not stage.panel.tasks:
        return ""
    path = ""
    for before, after in pairwise(held):
        if before.lane != after.lane and before.end_us == after.begin_us:
            x, middle = scale.find(after.begin_us), LANE / 2
            path += f"M{x:.1f} {stage.find_top(before.lane) + middle:g}V{stage.find_top(after.lane) + middle:g}"
    return path


def _outline_queue(stage: Stage, staged: Staged) -> str:
    """Outline how many tasks are in the queue, as steps that are as high in each panel."""
    scale, bottom = staged.scale, stage.find_top(-1) + (LANE + BAR) / 2
    longest = max(length for each in staged.stages for _, length in each.play.queue)
    path = f"M{LEFT} {bottom:g}"
    for at_us, length in stage.play.queue:
        path += f"H{scale.find(at_us):.1f}V{bottom - BAR * length / longest:.1f}"
    return f"{path}H{scale.find(stage.play.end_us):.1f}V{bottom:g}z"


def _list_lengths(stage: Stage) -> Iterator[tuple[int, int, int]]:
    """List from when, and until when, how many tasks are in the queue."""
    moments = [*stage.play.queue, (stage.play.end_us, 0)]
    for (begin_us, length), (end_us, _) in pairwise(moments):
        yield begin_us, end_us, length


def _join_longest(staged: Staged, marks: Sequence[Mark]) -> Markup:
    """Join the longest texts of all panels, as long as what is said at a moment can get."""
    lines = [""] * len(staged.stages)
    for _, number, text in marks:
        title = f"{staged.stages[number].name} — " if len(lines) > 1 else ""
        lines[number] = max(lines[number], title + text, key=len)
    return Markup("&#10;").join(lines)


def _list_steps(staged: Staged) -> Markup:
    """List what happens as a table."""
    words = staged.words
    is_stepwise = staged.scene.unit == "step"
    time = "scene_step" if is_stepwise else "scene_time"
    heads = words.texts(time, "scene_happens")
    if len(staged.stages) > 1:
        heads.insert(1, words.text("scene_panel"))
    rows = []
    for at_us, number, text in list_marks(staged):
        moment = words.plain(at_us // STEP_US) if is_stepwise else staged.tell_us(at_us)
        cells = [moment, prose(staged.stages[number].name), prose(text)]
        rows.append([cells[0], *cells[-len(heads) + 1 :]])
    return table(words, staged.text["title"], heads, rows)
