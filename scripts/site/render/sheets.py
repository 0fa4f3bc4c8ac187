"""Sheets: what there is of one program: its figures everywhere here, and what an article has of it."""

from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup

from scripts.harness.pythons import Rank, rank_interpreter
from scripts.harness.record import Variant
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import choose_largest, select_cells
from scripts.site.render.html import join, small, table
from scripts.site.render.names import name_family, name_place
from scripts.site.render.tables import choose_columns, name_columns, show_cells, show_failures
from scripts.site.render.words import Words


def show_figures(evidence: Evidence, words: Words, program: str) -> Markup:
    """A table per family of a program: a row for each core count and interpreter.

    The first interpreter of the build comes first, and the most cores.
    """
    shown = choose_largest(evidence.judgements)
    own = select_cells(shown, program=program)
    places = {one.id: place for place, one in enumerate(evidence.interpreters)}

    def rank(judgement: Judgement) -> tuple[str, int, Rank, int, int]:
        variant = judgement.record.variant
        place = places.get(variant.interpreter, len(places))
        oldest = rank_interpreter(variant.interpreter)
        return (variant.family, place, oldest, -variant.cores, variant.workers)

    families = groupby(sorted(own, key=rank), key=lambda one: one.record.variant.family)
    return join(
        _show_family(evidence, family, list(rows), shown, words) for family, rows in families
    )


def _show_family(
    evidence: Evidence,
    family: str,
    rows: Sequence[Judgement],
    shown: Sequence[Judgement],
    words: Words,
) -> Markup:
    columns = choose_columns(rows)
    title = name_family(evidence, family, words)
    head = [words.text("place"), *name_columns(columns[1:], words)]
    lines = [
        (
            name_place(evidence, variant, words, form="cores_nominative")
            + small(
                ", ".join((words.count("workers", variant.workers), *_name_method(variant, rows)))
            ),
            show_cells(
                judged,
                words,
                columns,
                select_cells(shown, cores=variant.cores, interpreter=variant.interpreter),
            ),
        )
        for judged in rows
        for variant in [judged.record.variant]
    ]
    caption = words.text("figures_caption", family=title)
    return table(words, caption, head, lines, kind="results") + show_failures(rows, words)


def _name_method(variant: Variant, rows: Sequence[Judgement]) -> list[str]:
    """The start method, if the rows have several."""
    methods = {one.record.variant.start_method for one in rows}
    return [variant.start_method] if variant.start_method and len(methods) > 1 else []
