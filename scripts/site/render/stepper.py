"""The stepper: programs side by side, who of their tasks ran when, and which line, under one cursor.

What it shows are timelines whose lanes have lines. Without script the pictures stand still.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import PythonLexer  # type: ignore[import-untyped]

from scripts.harness.timeline import WAITING, Lane, Timeline
from scripts.site.render.html import program_anchor, render
from scripts.site.render.lanes import name_lane
from scripts.site.render.timeline import format_micros
from scripts.site.render.words import Words

WIDTH, LEFT, LANE, BAR = 360, 78, 26, 16
PARTS = 500
"""What is closer together than one of so many parts of the time is drawn as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One program: its picture, its function, and what the script needs to move the cursor.

    ``told`` has the time in microseconds, and of each lane the name, the spans in which it ran and
    the moments at which a line began, counted from the first.
    """

    word: str
    program: str
    end: str
    rows: list[tuple[str, str, float]]
    height: int
    code: Markup
    told: dict[str, object]


def show_stepper(
    timelines: Mapping[str, Timeline],
    sources: Mapping[str, str],
    function: str,
    words: Words,
    assets: str,
) -> Markup:
    """The panels with their controls, by the word that each program stands for.

    ``function`` is the one whose lines are told, ``assets`` the way to the folder of the script.
    """
    panels = [
        _make_panel(word, timeline, sources[word], function, words)
        for word, timeline in timelines.items()
    ]
    return render("stepper.html", words=words, panels=panels, width=WIDTH, left=LEFT, assets=assets)


def _make_panel(word: str, timeline: Timeline, source: str, function: str, words: Words) -> Panel:
    lanes = [lane for lane in timeline.lanes if lane.lines]
    start_us = min(at for lane in lanes for at, _ in lane.lines)
    ends_us = [end for lane in lanes for _, end, core in lane.spans if core != WAITING]
    end_us = max([start_us + 1, *ends_us])  # a panel has a width, whatever was seen
    kind = "process" if len({lane.process for lane in lanes}) > 1 else "thread"
    names = [
        name_lane(f"{'task' if lane.task else kind} {number}", words)
        for number, lane in enumerate(lanes, 1)
    ]
    scale = (WIDTH - LEFT - 2) / (end_us - start_us)
    runs = [_list_runs(lane, start_us, end_us) for lane in lanes]
    rows = [
        (name, _draw(spans, LANE * number + (LANE - BAR) / 2, scale), LANE * (number + 0.5))
        for number, (name, spans) in enumerate(zip(names, runs, strict=True))
    ]
    told = [
        {"name": name, "runs": spans, "lines": [[at - start_us, line] for at, line in lane.lines]}
        for name, spans, lane in zip(names, runs, lanes, strict=True)
    ]
    return Panel(
        word=word,
        program=timeline.program,
        end=format_micros(end_us - start_us, words),
        rows=rows,
        height=LANE * len(lanes),
        code=_highlight(source, function, program_anchor(timeline.program)),
        told={"end": end_us - start_us, "lanes": told},
    )


def _list_runs(lane: Lane, start_us: int, end_us: int) -> list[list[int]]:
    """When a lane ran on any core, those close together as one."""
    gap_us = (end_us - start_us) // PARTS
    runs: list[list[int]] = []
    for begin, end, core in lane.spans:
        if core == WAITING or end <= start_us or begin >= end_us:
            continue
        begin, end = max(begin, start_us) - start_us, min(end, end_us) - start_us  # noqa: PLW2901
        if runs and begin - runs[-1][1] <= gap_us:
            runs[-1][1] = end
        else:
            runs.append([begin, end])
    return runs


def _draw(runs: list[list[int]], top: float, scale: float) -> str:
    return "".join(
        f"M{LEFT + begin * scale:.1f} {top:g}h{max((end - begin) * scale, 0.5):.1f}v{BAR}"
        f"H{LEFT + begin * scale:.1f}z"
        for begin, end in runs
    )


def _highlight(source: str, function: str, prefix: str) -> Markup:
    """The function alone, each line of it an element whose id ends with its number in the file."""
    (found,) = (
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function
    )
    text = "\n".join(source.splitlines()[found.lineno - 1 : found.end_lineno])
    formatter = HtmlFormatter(
        cssclass="highlight", wrapcode=True, linenostart=found.lineno, linespans=f"{prefix}-line"
    )
    return Markup(highlight(text, PythonLexer(), formatter))  # noqa: S704 - Pygments escapes
