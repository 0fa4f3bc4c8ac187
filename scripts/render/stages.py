"""Stages: the peak memory of each program where one family adds to the work of the one before."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement
from scripts.judge.selection import choose_largest, select_family
from scripts.render.chart import show_note, show_nothing
from scripts.render.html import cell, join, link_program, row_header, small, strong, table
from scripts.render.names import name_family, name_method, name_place
from scripts.render.words import Words

_Peaks = Mapping[str, Judgement]
"""What was measured of one program with one number of workers, by family."""


def show_stages(evidence: Evidence, words: Words, families: Sequence[str]) -> Markup:
    """A row for each program and number of workers, a column for each family.

    The families stand in the order in which they add to the work: a cell has the median peak, and
    below it what that is above the column before. Of several numbers of tasks the largest counts.
    """
    rows = _list_rows(evidence, families)
    if not rows:
        return show_nothing(words)
    shown = [_show_row(evidence, row, families, words) for row in rows]
    first = next(iter(rows[0].values())).record.variant
    caption = words.text("stages_caption", cores=name_place(evidence, first, words))
    head = [words.text("program")]
    head += [name_family(evidence, family, words) for family in families]
    content = table(words, caption, head, shown, kind="stages")
    return content + show_note(words.text("stages_note"))


def _list_rows(evidence: Evidence, families: Sequence[str]) -> list[_Peaks]:
    """In the order of the programs, then of workers; without rows in which there is no memory."""
    found: dict[str, dict[int, dict[str, Judgement]]] = {}
    order = {program.name: place for place, program in enumerate(evidence.experiment.programs)}
    members = [
        judgement
        for family in families
        for judgement in choose_largest(select_family(evidence, family))
        if judgement.median("peak_pss_bytes")
    ]
    for judgement in sorted(members, key=lambda one: order[one.record.variant.program]):
        variant = judgement.record.variant
        by_workers = found.setdefault(name_method(evidence, variant), defaultdict(dict))
        by_workers[variant.workers][variant.family] = judgement
    return [rows[count] for rows in found.values() for count in sorted(rows)]


def _show_row(evidence: Evidence, row: _Peaks, families: Sequence[str], words: Words) -> Markup:
    variant = next(iter(row.values())).record.variant
    header = row_header(
        link_program(variant.program, name_method(evidence, variant))
        + small(words.count("workers", variant.workers))
    )
    peaks = [row[family].median("peak_pss_bytes") if family in row else None for family in families]
    earlier = [None, *peaks[:-1]]
    return header + join(
        _show_peak(peak, before, words) for peak, before in zip(peaks, earlier, strict=True)
    )


def _show_peak(peak: float | None, before: float | None, words: Words) -> Markup:
    if peak is None:
        return cell("—")
    shown = strong(words.memory(peak))
    if before is not None:
        sign = "+" if peak >= before else "\N{MINUS SIGN}"
        shown += small(f"{sign}{words.memory(abs(peak - before))}")
    return cell(shown)
