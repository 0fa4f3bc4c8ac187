"""Pythons: what each program gains on each of them, side by side, and what else there is of each.

Times of two interpreters are never divided: each program is held against the baseline of its family
on the same interpreter.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from markupsafe import Markup

from scripts.harness.declaration import Reason
from scripts.harness.experiment import Program
from scripts.harness.pythons import order_interpreters
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import UNCLEAR
from scripts.site.judge.selection import list_sizes, select_cells
from scripts.site.judge.statistics import Estimate
from scripts.site.render.estimates import (
    format_estimate,
    format_parts,
    format_ratio,
    stack_estimate,
)
from scripts.site.render.html import Cell, Row, cell, join, link_program, render, small, table
from scripts.site.render.names import name_family
from scripts.site.render.signs import cell_gain, show_signs
from scripts.site.render.words import Words

Show = Callable[[Judgement, Words], Cell]


def name_pythons(evidence: Evidence) -> dict[str, str]:
    """What the Pythons of a build are called beside each other, newest first, by their ids."""
    ordered = order_interpreters(evidence.interpreters)
    short = [one.name for one in ordered]
    return {
        one.id: one.name if short.count(one.name) == 1 else one.id.removeprefix("cpython-")
        for one in ordered
    }


def compare_pythons(evidence: Evidence, shown: Sequence[Judgement], words: Words) -> Markup:
    """A table per core count, the most first: the gain of each program, a column for each Python.

    ``shown`` of the evidence has each program in one size.
    """
    return join(
        _compare(evidence, select_cells(shown, cores=cores), words.count("cores", cores), words)
        for cores in reversed(list_sizes(shown, "cores"))
    )


def fold_pythons(evidence: Evidence, parts: dict[str, Markup], words: Words) -> Markup:
    """``parts`` by the interpreter's id, of which the reader chooses one; first that of this build."""
    names = name_pythons(evidence)
    first = next((one.id for one in evidence.interpreters if one.id in parts), None)
    ordered = sorted(parts, key=lambda id_: (id_ != first, list(names).index(id_)))
    titles = {one.id: one.title for one in evidence.interpreters}
    folded = [(names[id_], titles[id_], parts[id_]) for id_ in ordered]
    return render("pythons.html", words=words, folded=folded)


def _compare(evidence: Evidence, arena: Sequence[Judgement], cores: str, words: Words) -> Markup:
    names = name_pythons(evidence)
    titles = {one.id: one.title for one in evidence.interpreters}
    heads: list[str | tuple[str, str]] = [words.text("program")]
    heads += [(name, titles[id_]) for id_, name in names.items()]
    gains, seconds = (
        table(words, words.text(caption, cores=cores), heads, groups, kind="pythons")
        for caption, groups in (
            ("pythons_caption", _list_groups(evidence, arena, words, _show_gain)),
            ("pythons_seconds", _list_groups(evidence, arena, words, _show_time)),
        )
    )
    signs = show_signs(words)
    return render("side_by_side.html", words=words, gains=gains, signs=signs, seconds=seconds)


def _list_groups(
    evidence: Evidence, arena: Sequence[Judgement], words: Words, show: Show
) -> dict[str, list[Row]]:
    """The rows of each family; a program that runs on none of the Pythons says why."""
    groups = {}
    for family in evidence.experiment.families:
        members = select_cells(arena, family=family.name)
        rows = [
            row
            for program in evidence.experiment.programs
            if members and family.name in program.families
            for row in _list_rows(evidence, program, family.name, members, words, show)
        ]
        if rows:
            groups[name_family(evidence, family.name, words)] = rows
    return groups


def _list_rows(
    evidence: Evidence,
    program: Program,
    family: str,
    members: Sequence[Judgement],
    words: Words,
    show: Show,
) -> list[Row]:
    """A row for each start method and number of workers of a program."""
    found = select_cells(members, program=program.name)
    several = len({one.record.variant.start_method for one in found}) > 1
    sized = len({one.record.variant.workers for one in found}) > 1
    rows: list[Row] = []
    for key in dict.fromkeys(map(_size, found)) or {(None, 0): None}:
        method, workers = key
        cells = {one.record.variant.interpreter: one for one in found if _size(one) == key}
        detail = [method] if several and method else []
        detail += [words.count("workers", workers)] * sized
        clear = {one.verdict for one in cells.values()}.difference(UNCLEAR)
        differs = len(clear) > 1 and program.name != evidence.experiment.family(family).baseline
        told = small(words.text("releases_mark") if differs else "")
        header = link_program(program.name) + small(", ".join(detail)) + told
        rows.append((header, *_list_cells(evidence, program, family, cells, words, show)))
    return rows


def _size(judged: Judgement) -> tuple[str | None, int]:
    return judged.record.variant.start_method, judged.record.variant.workers


def _list_cells(
    evidence: Evidence,
    program: Program,
    family: str,
    cells: dict[str, Judgement],
    words: Words,
    show: Show,
) -> Iterator[Cell]:
    """A cell for each Python; neighbours that lack it for the same reason say so once."""

    def tell(id_: str) -> Markup | None:
        judged = cells.get(id_)
        if judged and judged.wall:
            return None
        return _tell_absence(judged, evidence.find_obstacle(program.name, id_, family), words)

    for absence, run in groupby(name_pythons(evidence), key=tell):
        if absence is None:
            yield from (show(cells[id_], words) for id_ in run)
        else:
            yield Cell('<td class="absent" colspan="{}">{}</td>').format(len(list(run)), absence)


def _tell_absence(judged: Judgement | None, obstacle: Reason | None, words: Words) -> Markup:
    if judged is None:
        return Markup.escape(words.reason(obstacle or Reason("not-measured")))
    record = judged.record
    why = Markup.escape(words.reason(record.reason or Reason("not-measured")))
    if record.status == "unavailable":
        return why
    failed = Markup('<strong class="status-{}">{}</strong>: {}')
    return failed.format(record.status, words.term("status", record.status), why)


def _show_gain(judged: Judgement, words: Words) -> Cell:
    """How many times as fast as the baseline, with the verdict; the seconds to hover."""
    time = _find_time(judged)
    if judged.speedup is None:
        return cell(Markup("—") + small(_tell_median(time, words)))
    is_baseline = judged.baseline is judged.record
    return cell_gain(
        None if is_baseline else judged.verdict,
        ("×1", _tell_median(time, words)) if is_baseline else format_ratio(judged.speedup, words),
        words,
        time=format_estimate(time, "wall_s", words),
    )


def _show_time(judged: Judgement, words: Words) -> Cell:
    return cell(stack_estimate(_find_time(judged), "wall_s", words))


def _find_time(judged: Judgement) -> Estimate:
    time = judged.estimate(judged.time) or judged.wall
    assert time, "only what was measured is shown"
    return time


def _tell_median(time: Estimate, words: Words) -> str:
    return format_parts(time, "wall_s", words)[0]
