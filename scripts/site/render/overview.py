"""The overview of an experiment: a row for each program, work and core count, to sort and filter.

It is whole without script; with it, a form above the table chooses rows and their order.
"""

from collections.abc import Sequence
from typing import get_args

from markupsafe import Markup

from scripts.site.declare.claims import Verdict
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import (
    choose_interpreter,
    choose_largest,
    list_sizes,
    select_cells,
    select_measured,
)
from scripts.site.render.estimates import format_parts
from scripts.site.render.html import cell, join_cells, link_program, prose, render, slug
from scripts.site.render.names import name_family
from scripts.site.render.pythons import name_pythons
from scripts.site.render.signs import show_flags, show_verdict
from scripts.site.render.words import Words

COLUMNS = ("program", "verdict", "time", "speedup", "memory", "work")


def show_overview(evidence: Evidence, words: Words) -> Markup:
    """The table on the first interpreter that has any, on all cores and on one, and its form.

    However many cores were measured, it is no longer for them: the tables in full have all. The rows
    of other interpreters are there for the script, which puts those asked for in its place.
    """
    programs = [one.name for one in evidence.experiment.programs]
    families = [one.name for one in evidence.experiment.families]
    largest = choose_largest(evidence.judgements)
    sizes = list_sizes(largest, "cores")
    counts = sorted({sizes[0], sizes[-1]}, reverse=True) if sizes else []

    def rank(judged: Judgement) -> tuple[int, int, int, int]:
        variant = judged.record.variant
        family, program = families.index(variant.family), programs.index(variant.program)
        return -variant.cores, family, program, variant.workers

    known = [
        one
        for one in largest
        if one.record.variant.program in programs and one.record.variant.cores in counts
    ]
    measured = {judged.verdict for judged in known}
    bodies = {
        name: [_show_row(evidence, judged, words) for judged in sorted(own, key=rank)]
        for name, own in _split(evidence, known).items()
    }
    choices: dict[str, dict[str, str]] = {
        "family": {slug(name): name_family(evidence, name, words) for name in families},
        "cores": _list_cores(counts, words),
        "verdict": {
            slug(one): words.term("verdict", one) for one in get_args(Verdict) if one in measured
        },
        "order": {"": words.text("overview_as_declared")}
        | {key: words.text(key) for key in COLUMNS[1:-1]},
    }
    if len(bodies) > 1:
        first, *others = bodies
        choices["python"] = {"": first} | {name: name for name in others}
    return render(
        "overview.html",
        words=words,
        kind="overview-form",
        count="overview_count",
        group="overview",
        caption=words.text("overview_caption"),
        choices=choices,
        columns=COLUMNS,
        bodies=bodies,
    )


def _list_cores(counts: Sequence[int], words: Words) -> dict[str, str]:
    """The most come first, and are shown until others are asked for; then the fewest, and all."""
    named = {str(count): words.count("cores_nominative", count) for count in counts}
    values = ["", *list(named)[1:]]
    several = {"all": words.text("any")} if len(named) > 1 else {}
    return dict(zip(values, named.values(), strict=False)) | several


def _split(evidence: Evidence, known: Sequence[Judgement]) -> dict[str, list[Judgement]]:
    """What each interpreter gave that has measured any, by its name; the first comes first."""
    names = name_pythons(evidence)
    used = {one.record.variant.interpreter for one in select_measured(known)}
    first = {one.record.variant.interpreter for one in choose_interpreter(evidence, known)}
    ordered = sorted(used, key=lambda id_: (id_ not in first, list(names).index(id_)))
    return {names[id_]: select_cells(known, interpreter=id_) for id_ in ordered}


def _show_row(evidence: Evidence, judged: Judgement, words: Words) -> dict[str, object]:
    """The cells of a row, and what the script goes by."""
    variant = judged.record.variant
    facts = {"family": slug(variant.family), "cores": variant.cores}
    place = words.count("cores_nominative", variant.cores)
    work = prose(f"{name_family(evidence, variant.family, words)}, {place}")
    header = link_program(variant.program)
    if judged.wall is None:
        status = words.term("status", judged.record.status)
        told = f"{status}: {words.reason(judged.record.reason)}"
        absent = (header, cell(told, kind="absent"), None, None, None, work)
        return {"facts": facts, "cells": join_cells(absent)}
    memory = judged.median("peak_pss_bytes")
    is_baseline = variant.program == evidence.experiment.family(variant.family).baseline
    gain = judged.speedup.median if judged.speedup else None
    time = judged.estimate(judged.time) or judged.wall  # that by which verdicts compare
    facts |= {"verdict": slug(judged.verdict or ""), "time": time.median}
    facts |= {"speedup": -gain} if gain else {}
    facts |= {"memory": memory} if memory else {}
    cells = [
        header,
        cell(
            show_verdict(judged.verdict, words) + show_flags(judged.noise, words),
            kind="verdict-cell",
        ),
        format_parts(time, judged.time, words)[0],
        words.text("baseline") if is_baseline else words.ratio(gain) if gain else None,
        words.value("peak_pss_bytes", memory) if memory else None,
        work,
    ]
    return {"facts": facts, "cells": join_cells(cells)}
