"""Versions: one program against its family's baseline on every interpreter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from scripts.host.interpreters import Interpreter
from scripts.judge.evidence import Evidence
from scripts.judge.judge import take_sample
from scripts.judge.releases import order_releases
from scripts.judge.selection import find_largest, select_cells, select_family
from scripts.judge.statistics import Estimate, estimate_median, estimate_ratio
from scripts.records.record import Record
from scripts.render.chart import Chart, fold, make_prefix, show_nothing, show_sign
from scripts.render.dots import MARGINS_PT, draw_dot, lay_rows
from scripts.render.estimates import format_ratio, stack_estimate
from scripts.render.headlines import tell_pythons
from scripts.render.html import cell, program_anchor, row_header, small, strong, table
from scripts.render.names import name_family
from scripts.render.panel import Figure, measure_names, name_row
from scripts.render.pen import Pen
from scripts.render.svg import MUTED
from scripts.render.words import Words

ROW_PT, GAP_PT = 26, 10


@dataclass(frozen=True, slots=True)
class _Version:
    """One interpreter; ``ratio`` is ``None`` where the program or its baseline has no time."""

    interpreter: Interpreter
    program: Record | None
    baseline: Record | None
    ratio: Estimate | None


def draw_versions(evidence: Evidence, words: Words, family: str, program: str) -> Markup:
    """The time inside a program divided by that inside the baseline, on each interpreter.

    Both at the same number of tasks on the same cores: of those measured, the most.

    Raises:
        ValueError: the family has no such program.
    """
    select_family(evidence, family, (program,))
    rows = [
        _compare(evidence, interpreter, family, program)
        for interpreter in order_releases(evidence.interpreters)
    ]
    ratios = {row.interpreter.name: row.ratio for row in rows if row.ratio}
    variant = next((row.program.variant for row in rows if row.program and row.ratio), None)
    if variant is None:
        return show_nothing(words)
    baseline = evidence.experiment.family(family).baseline
    cores, tasks = words.count("cores", variant.cores), words.count("tasks", variant.tasks)
    name = name_family(evidence, family, words)
    caption = words.text("versions_table", cores=cores, tasks=tasks)
    return Chart(
        prefix=make_prefix("versions", evidence.experiment.name, family, program_anchor(program)),
        title=words.text("versions_title", program=program, family=name, cores=cores),
        height_pt=ROW_PT * len(ratios) + MARGINS_PT,
        draw=partial(_draw_ratios, ratios, program, baseline, words),
        signs=[(show_sign("band"), words.text("band"))],
        below=fold(_show_table(rows, program, baseline, caption, words), words),
        found=tell_pythons(
            {name: ratio.invert() for name, ratio in ratios.items()}, program, baseline, words
        ),
    ).show()


def _compare(evidence: Evidence, interpreter: Interpreter, family: str, program: str) -> _Version:
    """A program and its baseline on an interpreter, in the largest cells that are comparable."""
    members = select_cells(evidence.judgements, interpreter=interpreter.id, family=family)
    found = select_cells(members, program=program)
    timed = [
        one
        for one in found
        if one.estimate("inside_s") and one.baseline and _list_times(one.baseline)
    ]
    best = find_largest(timed)
    if best and best.baseline:
        times = (take_sample(one, "inside_s", best.spreads) for one in (best.record, best.baseline))
        ratio = estimate_ratio(*times)
        return _Version(interpreter, best.record, best.baseline, ratio)
    baseline = evidence.experiment.family(family).baseline
    one, other = map(find_largest, (found, select_cells(members, program=baseline)))
    return _Version(interpreter, one.record if one else None, other.record if other else None, None)


def _list_times(record: Record) -> list[float]:
    return record.list_values("inside_s")


def _draw_ratios(
    ratios: Mapping[str, Estimate], program: str, baseline: str, words: Words, figure: Figure
) -> dict[str, str]:
    """A dot for each interpreter, a line where both take the same time; the dots' tooltips."""
    left_pt = measure_names(figure, ratios) + 2 * GAP_PT
    axes = lay_rows(figure, left_pt, words.text("axis_versions", baseline=baseline))
    tooltips: dict[str, str] = {}
    for row, (name, ratio) in enumerate(ratios.items()):
        y_pt = ROW_PT * (row + 0.5)
        key = f"v{row}"
        middle, ends = format_ratio(ratio, words)
        tooltips[key] = f"{program}, {name}: {middle}" + f" ({ends})" * bool(ends)
        draw_dot(axes, ratio, y_pt, Pen(0), key, middle)
        name_row(axes, name, y_pt, GAP_PT)
    axes.axvline(1, color=MUTED, linewidth=1)
    axes.set_xlim(0, max(1, *(ratio.high for ratio in ratios.values())) * 1.04)
    axes.xaxis.set_major_formatter(lambda value, _: f"×{words.plain(value)}")
    return tooltips


def _show_table(
    rows: Sequence[_Version], program: str, baseline: str, caption: str, words: Words
) -> Markup:
    def show(record: Record | None) -> Markup:
        if record is None:
            return cell("—")
        if not record.is_measured or not _list_times(record):
            return cell(words.term("status", record.status))
        return cell(stack_estimate(estimate_median(_list_times(record)), "inside_s", words))

    def show_ratio(ratio: Estimate | None) -> Markup:
        middle, ends = format_ratio(ratio, words) if ratio else ("—", "")
        return cell((strong(middle) if ratio else middle) + small(ends))

    shown = [
        row_header(row.interpreter.name)
        + show(row.program)
        + show(row.baseline)
        + show_ratio(row.ratio)
        for row in rows
        if row.program
    ]
    heads = ("Python", program, baseline, f"{program} ÷ {baseline}")
    return table(words, caption, heads, shown, kind="sizes")
