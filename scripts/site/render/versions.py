"""Versions: one program against its family's baseline on every interpreter."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record
from scripts.site.judge.judge import Evidence, take_sample
from scripts.site.judge.rows import order_releases
from scripts.site.judge.selection import find_largest, select_cells, select_family
from scripts.site.judge.statistics import Estimate, estimate_median, estimate_ratio
from scripts.site.render.chart import Chart, fold, make_prefix, show_nothing, show_sign
from scripts.site.render.dots import Dot, Dots, Group
from scripts.site.render.estimates import format_ratio, stack_estimate, tell_ratio
from scripts.site.render.headlines import tell_pythons
from scripts.site.render.html import program_anchor, small, strong, table
from scripts.site.render.names import name_family
from scripts.site.render.pen import Pen
from scripts.site.render.words import Words


@dataclass(frozen=True, slots=True)
class _Version:
    """What one interpreter gave; ``ratio`` is ``None`` where the program or its baseline has no time."""

    name: str
    program: Record | None
    baseline: Record | None
    ratio: Estimate | None = None


def draw_versions(evidence: Evidence, words: Words, family: str, program: str) -> Markup:
    """The time inside a program divided by that inside the baseline, on each interpreter.

    Both at the same number of tasks on the same cores: of those measured, the most.

    Raises:
        ValueError: the family has no such program.
    """
    select_family(evidence, family, (program,))
    pythons = order_releases(evidence.interpreters)
    rows = [_compare(evidence, interpreter, family, program) for interpreter in pythons]
    ratios = {row.name: row.ratio for row in rows if row.ratio}
    variant = next((row.program.variant for row in rows if row.program and row.ratio), None)
    if variant is None:
        return show_nothing(words)
    baseline = evidence.experiment.family(family).baseline
    cores, tasks = words.count("cores", variant.cores), words.count("tasks", variant.tasks)
    name = name_family(evidence, family, words)
    caption = words.text("versions_table", cores=cores, tasks=tasks)
    dots = {
        name: [[Dot(one, Pen(0), f"{program}, {name}: {tell_ratio(one, words)}", told)]]
        for name, one in ratios.items()
        for told, _ in [format_ratio(one, words)]
    }
    axis = words.text("axis_versions", baseline=baseline)
    return Chart(
        prefix=make_prefix("versions", evidence.experiment.name, family, program_anchor(program)),
        title=words.text("versions_title", program=program, family=name, cores=cores),
        picture=Dots([Group("", dots)], axis, words, is_log=False),
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
        return _Version(interpreter.name, best.record, best.baseline, estimate_ratio(*times))
    baseline = evidence.experiment.family(family).baseline
    one, other = map(find_largest, (found, select_cells(members, program=baseline)))
    return _Version(interpreter.name, one.record if one else None, other.record if other else None)


def _list_times(record: Record) -> list[float]:
    return record.list_values("inside_s")


def _show_table(
    rows: Sequence[_Version], program: str, baseline: str, caption: str, words: Words
) -> Markup:
    def show(record: Record | None) -> str | None:
        if record is None:
            return None
        if not record.is_measured or not _list_times(record):
            return words.term("status", record.status)
        return stack_estimate(estimate_median(_list_times(record)), "inside_s", words)

    def show_ratio(ratio: Estimate | None) -> Markup | None:
        if ratio is None:
            return None
        middle, ends = format_ratio(ratio, words)
        return strong(middle) + small(ends)

    shown = [
        (row.name, show(row.program), show(row.baseline), show_ratio(row.ratio))
        for row in rows
        if row.program
    ]
    heads = ("Python", program, baseline, f"{program} ÷ {baseline}")
    return table(words, caption, heads, shown, kind="sizes")
