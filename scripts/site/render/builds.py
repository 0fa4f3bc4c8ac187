"""Builds of Python side by side: what threads gain with the GIL and without it, and what that costs.

A picture is a grid of panels, each of one Python, with a bar for each program. A panel says in words and
by a padlock, shut or open, whether its Python has the GIL. Bars are ratios within one Python, or between
two builds alike, as the sentences of claims tell them.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Literal

from markupsafe import Markup

from poolwise.declaration import Reason
from poolwise.experiment import Experiment
from poolwise.pythons import Interpreter
from poolwise.statistics import Estimate
from scripts.site.declare.claims import Side
from scripts.site.judge.agreement import GAIN
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.ratios import (
    Build,
    Ratio,
    choose_builds,
    choose_upgrade,
    pool_gains,
    pool_prices,
)
from scripts.site.judge.rows import list_records
from scripts.site.render.estimates import format_ratio, make_point
from scripts.site.render.facts import name_machine
from scripts.site.render.html import small
from scripts.site.render.names import title_program
from scripts.site.render.plot import (
    NO_FINDING,
    Finding,
    Plot,
    Row,
    Scale,
    make_prefix,
    pivot,
    show_note,
    show_nothing,
)
from scripts.site.render.svg import (
    DASHED,
    INK,
    LETTER_PT,
    MUTED,
    SMALL_PT,
    WIDE_PT,
    Canvas,
    Pen,
    Place,
    find_colour,
    outline_box,
)
from scripts.site.render.words import Words

BAR_PT, LINE_PT = 11, 19  # the height of a bar, and from one to the next
HEADING_PT, GAP_PT, EDGE_PT = 26, 16, 4
BOLD_PT, VALUE_PT = 6.8, 46  # the width of a bold letter, and of the value beside a bar
SHADE, PALE = 0.85, 0.25  # of bars; of those that rest on too few trials
PRICE = "price"  # the metric of how many times as long something takes; a gain is how many as fast


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One Python: its name, a word on it, and a row for each label, ``None`` where there is no value.

    ``lock`` is whether its padlock is shut; without it, it has none.
    """

    heading: str
    note: str = ""
    lock: Literal["on", "off", ""] = ""
    rows: Sequence[Row | None] = ()


Grid = Sequence[Sequence[Panel]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A bar of each panel: a program, its family, and how it is labelled."""

    label: str
    side: Side
    colour: int


def show_builds(
    evidence: Evidence,
    words: Words,
    others: Sequence[Evidence],
    families: Sequence[str],
    programs: Sequence[str],
    finding: Finding = NO_FINDING,
) -> Markup:
    """Show how many times as fast as one thread programs are, on builds with the GIL and without it.

    Every program is held against the baseline of its family on its own Python.

    Args:
        evidence: of an experiment, on the machine shown.
        words: of the page's language.
        others: of the same experiment, one of each other machine.
        families: where to look for a program, the first of its own counts.
        programs: those with a bar, in their order.
        finding: the claim that is the title.
    """
    experiment = evidence.experiment
    kinds = {name: experiment.program(name).ways[-1] for name in programs}
    is_of_kinds = len(set(kinds.values())) == len(programs)  # then a word for each is enough
    first: list[Row] = []  # what all bars are held against
    labels: list[str] = []
    if is_of_kinds:
        labels.append(words.text("builds_one"))
        first.append(Row(series=labels[0], pen=Pen(0), value=make_point(1), label="×1"))
    questions: list[Question] = []
    pairs: list[tuple[Side, Side]] = []
    for name, kind in kinds.items():
        question = _ask(experiment, name, families, words)
        if is_of_kinds:
            question = replace(question, label=words.term("kind", kind))
        questions.append(question)
        labels.append(question.label)
        baseline = experiment.family(question.side.family).baseline
        pairs.append((question.side, Side(program=baseline, family=question.side.family)))
    cores = _count_cores(evidence)
    alike = [evidence, *(other for other in others if _count_cores(other) == cores)]
    builds = choose_builds(alike, [pool_gains(machine, pairs) for machine in alike])
    if not builds:
        return show_nothing(words)
    grid: list[list[Panel]] = []
    drawn: list[Build] = []
    for of_minor in builds.values():
        pair = [of_minor[gil] for gil in ("on", "off") if gil in of_minor]
        grid.append([_make_panel(build, first, questions, words) for build in pair])
        drawn += pair
    title = words.text("builds_title", cores=words.count("cores", cores))
    name, zero = "", 0
    if not is_of_kinds:
        name, zero = "shared", 1
        if not finding.sentence:
            finding = Finding("", _tell_range(grid[0][-1], words))
    return _show(
        make_prefix("builds", experiment.name, *families, name),
        title,
        grid,
        labels,
        words,
        finding,
        base=zero,
        below=_tell_sizes(grid, words) + _tell_machines(drawn, words),
    )


def _tell_sizes(grid: Grid, words: Words) -> Markup:
    """Tell how many tasks each bar is of, where one is of more than another."""
    tasks: dict[str, int] = {}
    for panel in chain.from_iterable(grid):
        for row in panel.rows:
            if row and row.record:
                tasks[row.series] = row.record.tasks
    if len(set(tasks.values())) < 2:
        return Markup()
    sizes = [f"{name}: {words.count('tasks', count)}" for name, count in tasks.items()]
    return show_note(words.text("builds_sizes", sizes="; ".join(sizes)))


def _tell_range(panel: Panel, words: Words) -> str:
    """Tell how different the gains of a Python are, if the least is a loss and the most is none."""
    rows = [row for row in panel.rows if row and row.ends]
    if panel.lock != "off" or not rows:
        return ""
    rows.sort(key=lambda row: row.values[0])
    least, most = rows[0], rows[-1]
    if not least.values[2] < 1 < most.values[1]:
        return ""
    names = {"best": most.series, "worst": least.series, "python": panel.heading}
    return words.text("builds_range", most=most.label, least=least.label, **names)


def show_prices(
    evidence: Evidence,
    words: Words,
    others: Sequence[Evidence],
    family: str,
    finding: Finding = NO_FINDING,
) -> Markup:
    """Show what one thread pays for life without the GIL, against the build with it of the same version.

    It is of the baseline of a family.
    """
    experiment, machines = evidence.experiment, [evidence, *others]
    question = _ask(experiment, experiment.family(family).baseline, [family], words)
    prices = [pool_prices(machine, [question.side]) for machine in machines]
    builds: list[Build] = []
    labels: list[str] = []
    rows: list[Row | None] = []
    for of_minor in choose_builds(machines, prices).values():
        if build := of_minor.get("off"):
            names = {"free": _name(build.python), "plain": build.python.version}
            builds.append(build)
            labels.append(words.text("prices_label", **names))
            rows += _make_rows(build, [question], words, PRICE)
    if not builds:
        return show_nothing(words)
    if not finding.sentence:
        finding = Finding("", _tell_prices(rows, builds, words))
    return _show(
        make_prefix("prices", experiment.name, family),
        words.text("prices_title"),
        [[Panel(heading=question.label, rows=rows)]],
        labels,
        words,
        finding,
        base=1,
        below=_tell_machines(builds, words),
    )


def show_upgrade(
    evidence: Evidence, words: Words, others: Sequence[Evidence], family: str
) -> Markup:
    """Show how many times as fast programs are on the newest release as on the last minor version."""
    experiment = evidence.experiment
    members = [program.name for program in experiment.programs if family in program.families]
    questions = [_ask(experiment, name, [family], words) for name in members]
    sides = [question.side for question in questions]
    upgrade = choose_upgrade([evidence, *others], family, sides)
    if upgrade is None:
        return show_nothing(words)
    build, older = upgrade
    rows: list[Row] = []
    faster = slower = 0
    for row in _make_rows(build, questions, words, GAIN):
        if row and row.ends:  # of too few trials nothing is sure
            rows.append(row)
            faster += row.ends[0] > 1
            slower += row.ends[1] < 1
    if not rows:
        return show_nothing(words)
    places = {"newer": _name(build.python), "older": _name(older)}
    places["all"] = words.number(len(rows), 0)
    sentence = words.text("upgrade_same", **places)
    if faster or slower:
        counts = {"faster": words.number(faster, 0), "slower": words.number(slower, 0)}
        sentence = words.text("upgrade_found", **counts, **places)
    return _show(
        make_prefix("upgrade", experiment.name, family),
        words.text("upgrade_title", **places),
        [[Panel(heading=places["newer"], note=words.text("upgrade_note", **places), rows=rows)]],
        [row.series for row in rows],
        words,
        Finding("", sentence),
        base=1,
        below=show_note(name_machine(build.evidence.machine, words)),
    )


def _tell_prices(rows: Sequence[Row | None], builds: Sequence[Build], words: Words) -> str:
    """Tell how much longer one thread takes, if it surely does on each build."""
    prices = []
    for row, build in zip(rows, builds, strict=True):
        if not row or not row.ends or row.ends[0] <= 1:
            return ""
        price = row.label.removeprefix("+")
        prices.append(words.text("prices_item", price=price, python=_name(build.python)))
    return words.text("prices_found", prices=", ".join(prices))


def _ask(experiment: Experiment, name: str, families: Sequence[str], words: Words) -> Question:
    """Ask for a program of the first of some families that has it, with as many workers as cores.

    Raises:
        ValueError: none of them has it.
    """
    program = experiment.program(name)
    having = [family for family in families if family in program.families]
    if not having:
        raise ValueError(f"no {name} in {', '.join(families)}")
    return Question(
        label=title_program(experiment, name, words),
        side=Side(program=name, family=having[0]),
        colour=find_colour(program.ways[-1]),
    )


def _count_cores(evidence: Evidence) -> int:
    return max((record.cores for record in list_records([evidence])), default=0)


def _write_gain(ratio: Estimate, words: Words) -> str:
    if ratio.is_sure:
        return format_ratio(ratio, words)[0]
    return f"×{words.number(ratio.median, 1)}"


def _write_price(ratio: Estimate, words: Words) -> str:
    """Tell how much longer, ``+6%``, or how much less long."""
    change = round(ratio.median - 1, 2)
    sign = {1: "+", 0: "", -1: "−"}[(change > 0) - (change < 0)]
    return sign + words.percent(abs(change))


_WRITERS: Mapping[str, Callable[[Estimate, Words], str]] = {GAIN: _write_gain, PRICE: _write_price}


def _make_panel(
    build: Build, first: Sequence[Row], questions: Sequence[Question], words: Words
) -> Panel:
    rows, gil = [*first, *_make_rows(build, questions, words, GAIN)], build.python.gil
    return Panel(heading=_name(build.python), note=words.text(f"builds_{gil}"), lock=gil, rows=rows)


def _make_rows(
    build: Build, questions: Sequence[Question], words: Words, metric: str
) -> list[Row | None]:
    """Make a row for each question, ``None`` where it was not measured."""
    rows: list[Row | None] = []
    for question, ratio in zip(questions, build.ratios, strict=True):
        row = None
        if ratio:
            row = _make_row(build, ratio, question, words, metric)
        rows.append(row)
    return rows


def _make_row(build: Build, ratio: Ratio, question: Question, words: Words, metric: str) -> Row:
    value = ratio.estimate
    if not value.is_sure:  # too few trials: there is a median and no more
        value = replace(value, low=value.median, high=value.median)
    label, (_, ends) = _WRITERS[metric](value, words), format_ratio(value, words)
    cell = Markup.escape(label) + small(ends)
    if ends:
        ends = f" ({ends})"
    return Row(
        series=question.label,
        pen=Pen(question.colour),
        value=value,
        tooltip=f"{build.python.title}, {question.label}: {label}{ends}",
        label=label,
        cell=cell,
        metric=metric,
        record=ratio.record,
    )


def _show(
    prefix: str,
    title: str,
    grid: Grid,
    labels: Sequence[str],
    words: Words,
    finding: Finding,
    *,
    base: float,
    below: Markup,
) -> Markup:
    """Show panels as a figure, with their numbers in a table whose columns they are."""
    rows: list[Row] = []
    panels = list(chain.from_iterable(grid))
    for place, panel in enumerate(panels):
        rows += [replace(row, x=place) for row in panel.rows if row and row.tooltip]
    names = [panel.heading for panel in panels]
    return Plot(
        prefix=prefix,
        title=title,
        rows=rows,
        words=words,
        finding=finding,
        below=below + pivot(rows, words, title, words.text("program"), names),
        paint=partial(draw_panels, grid=grid, labels=labels, base=base),
    ).show()


def _tell_machines(builds: Iterable[Build], words: Words) -> Markup:
    """Tell which Python ran on which machine, where there are several."""
    pythons: dict[str, list[str]] = {}
    for build in builds:
        name = name_machine(build.evidence.machine, words)
        pythons.setdefault(name, []).append(_name(build.python))
    if len(pythons) < 2:
        return Markup()
    return show_note("; ".join(f"{', '.join(on)}: {name}" for name, on in pythons.items()))


def _name(python: Interpreter) -> str:
    return python.id.removeprefix("cpython-")


# The picture.


def draw_panels(
    plot: Plot, width_pt: float, *, grid: Grid, labels: Sequence[str], base: float
) -> Canvas:
    """Draw panels in columns, each with bars from a base: 1, or 0 with a line at 1.

    Where there is room the labels stand to the left of the bars, else above them.
    """
    is_wide = width_pt == WIDE_PT
    side_pt, above_pt, heading_pt = 0.0, 13.0, HEADING_PT + 13
    if is_wide:
        side_pt = min(max(map(len, labels)) * LETTER_PT + 8, width_pt / 3)
        above_pt, heading_pt = 0, HEADING_PT
    columns = max(map(len, grid))
    panel_pt = (width_pt - side_pt - GAP_PT * (columns - 1)) / columns
    line_pt = LINE_PT + above_pt
    height_pt = heading_pt + line_pt * len(labels) + GAP_PT
    canvas = Canvas(width_pt, height_pt * len(grid) - GAP_PT + EDGE_PT)
    ends = [base, 1.0]
    for value in plot.drawn:
        ends += [end for end in value.values if end < math.inf]
    low, room_pt = min(ends), 2.0
    if low < base:  # a value stands beyond the end of its bar
        room_pt = VALUE_PT
    for number, line in enumerate(grid):
        top_pt = height_pt * number
        first_pt = top_pt + heading_pt
        for column, panel in enumerate(line):
            left_pt = side_pt + (panel_pt + GAP_PT) * column
            scale = Scale(low, max(ends), left_pt + room_pt, left_pt + panel_pt - VALUE_PT)
            _write_heading(canvas, panel, (left_pt, top_pt), is_wide=is_wide)
            one_pt = scale.find(1)
            ones: list[Sequence[Place]] = []  # beside bars alone: it would cross labels above them
            for place, row in enumerate(panel.rows):
                y_pt = first_pt + line_pt * place + above_pt + LINE_PT / 2
                _draw_bar(canvas, plot.words, row, (scale.find(base), y_pt), scale)
                if row:
                    ones.append([(one_pt, y_pt - LINE_PT / 2), (one_pt, y_pt + LINE_PT / 2)])
            canvas.draw(ones, MUTED, 1, DASHED)
        for place, label in enumerate(labels):
            y_pt = first_pt + line_pt * place + (above_pt or LINE_PT) / 2
            canvas.write(label, (0, y_pt), size_pt=SMALL_PT)
    return canvas


def _write_heading(canvas: Canvas, panel: Panel, corner: Place, *, is_wide: bool) -> None:
    """Write the heading of a panel with its padlock, and its note beside it or below."""
    x_pt, y_pt = corner[0], corner[1] + 10
    if panel.lock:
        draw_padlock(canvas, (x_pt, y_pt), is_shut=panel.lock == "on")
        x_pt += 15
    canvas.write(panel.heading, (x_pt, y_pt), is_bold=True)
    place = (x_pt, y_pt + 13)
    if is_wide:
        place = (x_pt + (len(panel.heading) + 1) * BOLD_PT, y_pt)
    canvas.write(panel.note, place, colour=MUTED, size_pt=SMALL_PT)


def draw_padlock(canvas: Canvas, place: Place, *, is_shut: bool) -> None:
    """Draw a padlock whose left end and middle are at a place."""
    left_pt, y_pt = place[0] + 1, place[1] + 2
    canvas.draw([[(left_pt, y_pt), (left_pt + 9, y_pt)]], INK, 7)
    raised_pt = 2.5 * (not is_shut)
    arc = [(left_pt + 1.5, y_pt)]
    for step in range(9):
        angle = math.pi * step / 8
        height_pt = 5 + 3 * math.sin(angle) + raised_pt
        arc.append((left_pt + 4.5 - 3 * math.cos(angle), y_pt - height_pt))
    if is_shut:
        arc.append((left_pt + 7.5, y_pt))
    canvas.draw([arc], INK, 1.5)


def _draw_bar(canvas: Canvas, words: Words, row: Row | None, start: Place, scale: Scale) -> None:
    """Draw a bar from a place, its interval as a band, and its value beyond both."""
    start_pt, y_pt = start
    if row is None or row.value is None:
        reason = words.reason(Reason("not-measured"))
        canvas.write(reason, (start_pt + 4, y_pt), colour=MUTED, size_pt=SMALL_PT)
        return
    end_pt = scale.find(row.value.median)
    upper_pt, lower_pt = y_pt - BAR_PT / 2, y_pt + BAR_PT / 2
    outline = outline_box(start_pt, upper_pt, end_pt, lower_pt)
    shade = SHADE
    if row.is_single and row.tooltip:
        canvas.draw([[*outline, outline[0]]], row.pen.sentinel)
        shade = PALE
    kind = "point" if row.tooltip else ""
    canvas.fill(outline, kind, row.tooltip, colour=row.pen.sentinel, alpha=shade)
    reached = [end_pt, *map(scale.find, row.ends or ())]
    canvas.draw([[(end, y_pt) for end in reached[1:]]], INK, 3, alpha=0.45)
    if end_pt < start_pt:
        canvas.write(row.label, (min(reached) - 4, y_pt), at="right", size_pt=SMALL_PT)
    else:
        canvas.write(row.label, (max(reached) + 4, y_pt), size_pt=SMALL_PT)
