"""Tables of what was measured: results by core count, one program in every place, an overview."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

from markupsafe import Markup

from scripts.harness.metrics import METRICS
from scripts.harness.pythons import Rank, rank_interpreter
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Rows
from scripts.site.judge.verdicts import Verdict
from scripts.site.render.estimates import format_parts, format_value
from scripts.site.render.gains import compare_pythons, fold_pythons, name_pythons, order_pythons
from scripts.site.render.html import (
    Cell,
    cell,
    join,
    join_cells,
    prose,
    render,
    slug,
    small,
    strong,
    table,
)
from scripts.site.render.names import link_title, name_family, name_place, tell_sizes, title_program
from scripts.site.render.signs import show_flags, show_verdict
from scripts.site.render.words import Words

LAG = "lag_max_s"
FIGURES = {
    "memory": "peak_pss_bytes",
    LAG: LAG,
    "largest_process": "max_rss_bytes",
    "cpu": "cpu_share",
    "user": "user_s",
    "kernel": "system_s",
}
"""The metric of each column; a telephone shows the first two, after the time and the verdict."""
EXPLAINED = ("wall", "memory", "largest_process", "near_floor", LAG)
OVERVIEW = ("program", "verdict", "time", "speedup", "memory", "work")
LEAST_OUTSIDE_SHARE = 0.10
"""The share of the whole time outside the work from which on the time inside is shown too."""


def show_results(evidence: Evidence, words: Words, families: Sequence[str] = ()) -> Markup:
    """Show a table per core count, the most first; of several Pythons, folded, for each.

    Above those stand the Pythons side by side. Where a program ran with several numbers of tasks,
    it shows the largest. ``families`` asks for these only.
    """
    shown = evidence.rows.largest()
    if families:
        shown = Rows(row for row in shown if row.family in families)
    parts = {
        id_: _show_arenas(evidence, own.arenas(), words, families)
        for id_, own in shown.by("interpreter").items()
    }
    if len(evidence.interpreters) < 2:
        return join(parts.values())
    return compare_pythons(evidence, shown, words) + fold_pythons(evidence, parts, words)


def _show_arenas(
    evidence: Evidence, arenas: Sequence[Rows], words: Words, families: Sequence[str]
) -> Markup:
    """Show the tables of one Python, with links to them if there are several."""
    links = Markup()
    if len(arenas) > 1:
        items = join(
            Markup('<a href="#{}">{}</a>').format(
                arena_id(evidence, arena, families),
                name_place(evidence, arena[0].variant, words, form="cores_nominative"),
            )
            for arena in arenas
        )
        links = Markup('<nav class="core-counts" aria-label="{}">{}</nav>').format(
            words.text("core_counts"), items
        )
    return links + join(_show_arena(evidence, arena, words, families) for arena in arenas)


def arena_id(evidence: Evidence, arena: Rows, families: Sequence[str] = ()) -> str:
    """Name a table's anchor: ``results-2-cores``; other Pythons and families add their names."""
    python = arena[0].interpreter
    first = evidence.interpreters[0].id if evidence.interpreters else python
    suffix = "" if python == first else f"-{slug(python)}"
    if _is_further(evidence, families):
        suffix += f"-{slug(families[0])}"
    return f"results-{arena[0].cores}-cores{suffix}"


def _is_further(evidence: Evidence, families: Sequence[str]) -> bool:
    """Tell whether the first family is left out: a page may show it beside a table that has it."""
    return bool(families) and evidence.experiment.families[0].name not in families


def _show_arena(evidence: Evidence, arena: Rows, words: Words, families: Sequence[str]) -> Markup:
    caption = words.text("results_caption", cores=name_place(evidence, arena[0].variant, words))
    if _is_further(evidence, families):
        names = (name_family(evidence, name, words) for name in families)
        caption = f"{caption}. {', '.join(names)}"

    def name(row: Judgement) -> Markup:
        details = tell_sizes(row, arena, words, ["tasks"])
        details.append(words.count("workers", row.workers))
        return link_title(evidence, row.program, words, details)

    ordered = sort_as_declared(evidence, arena)
    groups = {name_family(evidence, key, words): own for key, own in ordered.by("family").items()}
    return Markup('<section class="results" id="{}">{}</section>').format(
        arena_id(evidence, arena, families),
        _show_figures(evidence, groups, caption, words, corner="program", name=name),
    )


def sort_as_declared(evidence: Evidence, rows: Iterable[Judgement]) -> Rows:
    """Sort as the experiment declares families and programs, then by workers; what it lacks is first."""
    order = {program.name: place for place, program in enumerate(evidence.experiment.programs)}
    places = {family.name: place for place, family in enumerate(evidence.experiment.families)}

    def rank(row: Judgement) -> tuple[int, int, int]:
        return places.get(row.family, 0), order.get(row.program, 0), row.workers

    return Rows(sorted(rows, key=rank))


def show_everywhere(evidence: Evidence, words: Words, program: str) -> Markup:
    """Show a table per family of a program: a row for each core count and Python.

    The first Python of the build comes first, and the most cores.
    """
    shown = evidence.rows.largest()
    places = {one.id: place for place, one in enumerate(evidence.interpreters)}

    def rank(row: Judgement) -> tuple[str, int, Rank, int, int]:
        place = places.get(row.interpreter, len(places))
        return row.family, place, rank_interpreter(row.interpreter), -row.cores, row.workers

    families = Rows(sorted(shown.where(program=program), key=rank)).by("family")
    return join(_show_family(evidence, family, rows, words) for family, rows in families.items())


def _show_family(evidence: Evidence, family: str, rows: Rows, words: Words) -> Markup:
    def name(row: Judgement) -> Markup:
        details = [*tell_sizes(row, rows, words, ()), words.count("workers", row.workers)]
        place = name_place(evidence, row.variant, words, form="cores_nominative")
        return Markup.escape(place) + small(", ".join(details))

    caption = words.text("figures_caption", family=name_family(evidence, family, words))
    about = rows[0].program
    return _show_figures(
        evidence, {"": rows}, caption, words, corner="place", name=name, about=about
    )


def _show_figures(
    evidence: Evidence,
    groups: Mapping[str, Rows],
    caption: str,
    words: Words,
    *,
    corner: str,
    name: Callable[[Judgement], Markup],
    about: str = "",
) -> Markup:
    """Show a row with all figures for each of the rows."""
    rows = [row for own in groups.values() for row in own]
    # One has a column where a program of the table has the figure.
    found = [key for key, metric in FIGURES.items() if any(row.median(metric) for row in rows)]
    columns = ["wall", "verdict", *found, "near_floor"]
    heads: list[str | tuple[str, str]] = [words.text(corner)]
    for key in columns:
        told = words.text(key)
        heads.append((told, words.text(f"{key}_help")) if key in EXPLAINED else told)
    lines = {
        heading: [(name(row), _list_figures(row, evidence, words, columns)) for row in own]
        for heading, own in groups.items()
    }
    shown = table(words, caption, heads, lines, kind="results", about=about)
    return shown + _show_failures(rows, words)


def _list_figures(row: Judgement, evidence: Evidence, words: Words, columns: Sequence[str]) -> Cell:
    """List what stands in a row after its name, or why nothing was measured."""
    if row.wall is None:
        status = row.record.status
        absence = Cell(
            '<td class="absent" colspan="{}"><strong class="status-{}">{}</strong> {}</td>'
        )
        told = words.term("status", status), words.reason(row.record.reason)
        return absence.format(len(columns), status, *told)
    wall, interval = format_parts(row.wall, "wall_s", words)
    near = words.percent(row.floor_s / row.wall.median) if row.floor_s else None
    verdict = show_verdict(row.verdict, words) + _explain_verdict(row, evidence, words)
    cells = [
        cell(strong(wall) + small(interval) + small(_tell_inside(row, words))),
        cell(verdict + show_flags(row.noise, words), kind="verdict-cell"),
    ]
    cells += [
        cell(_show_lag(row, words) if key == LAG else _show(FIGURES[key], row, words))
        for key in columns[2:-1]
    ]
    return Cell().join([*cells, cell(near)])


def _explain_verdict(row: Judgement, evidence: Evidence, words: Words) -> Markup:
    """Tell what disqualifies a program, or which of those that it ties with is the cheapest."""
    if row.why:
        return small(words.choose(row.why))
    if not row.cheaper:
        return Markup()
    title = title_program(evidence.experiment, row.cheaper, words)
    return small(words.text("cheapest", program=title))


def _show_lag(row: Judgement, words: Words) -> Markup | None:
    """Show the longest lag of the event loop, below it those that half and most timers keep to."""
    if not row.median(LAG):
        return None
    usual = words.text(
        "lag_usual", p50=_show("lag_p50_s", row, words), p99=_show("lag_p99_s", row, words)
    )
    return Markup.escape(_show(LAG, row, words)) + small(usual)


def _tell_inside(row: Judgement, words: Words) -> str:
    """Tell the program's own time, where the start of the interpreter and the imports matter."""
    inside = row.estimate("inside_s")
    if inside is None or row.wall is None:
        return ""
    if inside.median > (1 - LEAST_OUTSIDE_SHARE) * row.wall.median:
        return ""
    return words.text("inside", time=format_parts(inside, "inside_s", words)[0])


def _show_failures(rows: Sequence[Judgement], words: Words) -> Markup:
    """Show what programs wrote to stderr, folded."""
    shape = Markup(
        '<details class="failure"><summary>{}: {}</summary><pre tabindex="0">\n{}</pre></details>'
    )
    told = words.text("stderr")
    failed = [row for row in rows if row.record.stderr]
    return join(shape.format(row.program, told, row.record.stderr) for row in failed)


def _show(metric: str, row: Judgement, words: Words) -> str:
    value = row.median(metric)
    if value is None:
        return "—"
    in_seconds = METRICS[metric].unit == "CPU s"  # the column says of what
    return format_value(value, "wall_s" if in_seconds else metric, words)


def show_overview(evidence: Evidence, words: Words) -> Markup:
    """Show a row for each program, work and core count, with a form to sort and filter.

    It is whole without script, on the first Python that has any, on all cores and on one: however
    many cores were measured, it is no longer for them. The rows of other Pythons are there for the
    script, which puts those asked for in its place.
    """
    programs = [one.name for one in evidence.experiment.programs]
    largest = evidence.rows.largest()
    sizes = largest.values("cores")
    counts = sorted({sizes[0], sizes[-1]}, reverse=True) if sizes else []

    known = Rows(row for row in largest if row.program in programs and row.cores in counts)
    ordered = sorted(sort_as_declared(evidence, known), key=lambda row: -row.cores)
    # Split by the Pythons that have measured any; the first comes first.
    pythons, used = Rows(ordered).by("interpreter"), known.measured.by("interpreter")
    names = name_pythons(evidence)
    bodies = {
        names[id_]: [_show_row(evidence, row, words) for row in pythons[id_]]
        for id_ in order_pythons(evidence, used)
    }
    verdicts = {row.verdict for row in known}
    choices: dict[str, dict[str, str]] = {
        "family": _list_families(evidence, bodies, words),
        "cores": _list_cores(counts, words),
        "verdict": {
            slug(one): words.term("verdict", one) for one in get_args(Verdict) if one in verdicts
        },
        "order": {"": words.text("overview_as_declared")}
        | {key: words.text(key) for key in OVERVIEW[1:-1]},
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
        columns=OVERVIEW,
        bodies=bodies,
    )


def _list_families(
    evidence: Evidence, bodies: Mapping[str, Sequence[dict[str, Any]]], words: Words
) -> dict[str, str]:
    """Offer the family of the first row, which is shown until others are asked for, the rest, and all."""
    names = [one.name for one in evidence.experiment.families]
    named = {slug(name): name_family(evidence, name, words) for name in names}
    first = next((rows[0]["facts"]["family"] for rows in bodies.values() if rows), None)
    if first is None or len(named) < 2:
        return named
    return {"": named.pop(first), **named, "all": words.text("any")}


def _list_cores(counts: Sequence[int], words: Words) -> dict[str, str]:
    """Offer the most cores, which are shown until others are asked for, the fewest, and all."""
    named = {str(count): words.count("cores_nominative", count) for count in counts}
    values = ["", *list(named)[1:]]
    several = {"all": words.text("any")} if len(named) > 1 else {}
    return dict(zip(values, named.values(), strict=False)) | several


def _show_row(evidence: Evidence, row: Judgement, words: Words) -> dict[str, Any]:
    """List the cells of a row, and what the script goes by."""
    facts = {"family": slug(row.family), "cores": row.cores}
    place = words.count("cores_nominative", row.cores)
    work = prose(f"{name_family(evidence, row.family, words)}, {place}")
    header = link_title(evidence, row.program, words)
    if row.wall is None:
        status = words.term("status", row.record.status)
        told = f"{status}: {words.reason(row.record.reason)}"
        absent = (header, cell(told, kind="absent"), None, None, None, work)
        return {"facts": facts, "cells": join_cells(absent)}
    memory = row.median("peak_pss_bytes")
    gain = row.speedup.median if row.speedup else None
    is_baseline = row.program == evidence.experiment.family(row.family).baseline
    speedup = words.ratio(gain) if gain else None
    time = row.estimate(row.time) or row.wall  # that by which verdicts compare
    facts |= {"verdict": slug(row.verdict or ""), "time": time.median}
    facts |= {"speedup": -gain} if gain else {}
    facts |= {"memory": memory} if memory else {}
    verdict = show_verdict(row.verdict, words)
    cells = [
        header,
        cell(verdict, kind="verdict-cell"),
        format_parts(time, row.time, words)[0],
        words.text("baseline") if is_baseline else speedup,
        words.value("peak_pss_bytes", memory) if memory else None,
        work,
    ]
    return {"facts": facts, "cells": join_cells(cells)}
