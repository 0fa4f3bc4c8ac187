"""Tables of what was measured: results by core count, and what they come from."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup

from scripts.harness.metrics import METRICS
from scripts.site.declare.claims import Verdict
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import Arena, choose_largest, list_arenas, select_cells
from scripts.site.judge.verdicts import LAG
from scripts.site.render.estimates import format_parts, format_value
from scripts.site.render.html import Cell, Row, cell, join, link_program, slug, small, strong, table
from scripts.site.render.names import name_family, name_place
from scripts.site.render.pythons import compare_pythons, fold_pythons
from scripts.site.render.signs import show_flags, show_verdict
from scripts.site.render.words import Words

COLUMNS = (
    *("program", "wall", "verdict", "user", "kernel", "cpu"),
    *("memory", "largest_process", "near_floor"),
)
"""Has a column where a program of the table runs an event loop."""
MEASURED = ("user_s", "system_s", "cpu_share", "peak_pss_bytes", "max_rss_bytes")
RECOMMENDED: Verdict = "recommended"
EXPLAINED = ("wall", "memory", "largest_process", "near_floor", LAG)
INSIDE_DIFFERS = 0.10
"""The time inside a program is shown too where it is shorter than the whole by this share."""


def show_results(evidence: Evidence, words: Words, families: Sequence[str] = ()) -> Markup:
    """A table per core count, the most cores first; of several interpreters, folded, for each.

    Above those stand the interpreters side by side. Where a program ran with several numbers of
    tasks, it shows the largest. ``families`` asks for these only.
    """
    shown = [
        judgement
        for judgement in choose_largest(evidence.judgements)
        if not families or judgement.record.variant.family in families
    ]
    arenas = list_arenas(shown)
    by_python: dict[str, list[list[Judgement]]] = defaultdict(list)
    for arena in arenas:
        by_python[arena[0].record.variant.interpreter].append(arena)
    parts = {id_: _show_arenas(evidence, own, words, families) for id_, own in by_python.items()}
    if len(evidence.interpreters) < 2:
        return join(parts.values())
    together = [judgement for arena in arenas for judgement in arena]
    return compare_pythons(evidence, together, words) + fold_pythons(evidence, parts, words)


def _show_arenas(
    evidence: Evidence, arenas: Sequence[Arena], words: Words, families: Sequence[str]
) -> Markup:
    """The tables of one interpreter, with links to them if there are several."""
    links = Markup()
    if len(arenas) > 1:
        items = join(
            Markup('<a href="#{}">{}</a>').format(
                arena_id(evidence, arena, families),
                name_place(evidence, arena[0].record.variant, words, form="cores_nominative"),
            )
            for arena in arenas
        )
        links = Markup('<nav class="core-counts" aria-label="{}">{}</nav>').format(
            words.text("core_counts"), items
        )
    return links + join(_show_arena(evidence, arena, words, families) for arena in arenas)


def arena_id(evidence: Evidence, arena: Sequence[Judgement], families: Sequence[str] = ()) -> str:
    """The anchor of a table: ``results-2-cores``, for other interpreters and families with their name."""
    variant = arena[0].record.variant
    first = evidence.interpreters[0].id if evidence.interpreters else variant.interpreter
    suffix = "" if variant.interpreter == first else f"-{slug(variant.interpreter)}"
    if _is_further(evidence, families):
        suffix += f"-{slug(families[0])}"
    return f"results-{variant.cores}-cores{suffix}"


def _is_further(evidence: Evidence, families: Sequence[str]) -> bool:
    """Whether it has not the experiment's first family: a page may show it beside one that has."""
    return bool(families) and evidence.experiment.families[0].name not in families


def _show_arena(
    evidence: Evidence, arena: Sequence[Judgement], words: Words, families: Sequence[str]
) -> Markup:
    place = name_place(evidence, arena[0].record.variant, words)
    caption = words.text("results_caption", cores=place)
    if _is_further(evidence, families):
        names = (name_family(evidence, name, words) for name in families)
        caption = f"{caption}. {', '.join(names)}"
    columns = choose_columns(arena)
    head = name_columns(columns, words)
    order = {program.name: place for place, program in enumerate(evidence.experiment.programs)}
    places = {family.name: place for place, family in enumerate(evidence.experiment.families)}
    methods = len({judgement.record.variant.start_method for judgement in arena} - {None})

    def rank(judgement: Judgement) -> tuple[int, int, int]:
        variant = judgement.record.variant
        return places.get(variant.family, 0), order.get(variant.program, 0), variant.workers

    rows = sorted(arena, key=rank)
    sized = len({judgement.record.variant.tasks for judgement in arena}) > 1
    groups = {
        name_family(evidence, name, words): [
            _show_row(judgement, words, columns, methods=methods, sized=sized, arena=arena)
            for judgement in family
        ]
        for name, family in groupby(rows, key=lambda judgement: judgement.record.variant.family)
    }
    return Markup('<section class="results" id="{}">{}{}</section>').format(
        arena_id(evidence, arena, families),
        table(words, caption, head, groups, kind="results"),
        show_failures(rows, words),
    )


def choose_columns(judgements: Sequence[Judgement]) -> tuple[str, ...]:
    """Those of a table; that of the event loop where one runs."""
    return (*COLUMNS, LAG) if any(one.median(LAG) for one in judgements) else COLUMNS


def name_columns(columns: Sequence[str], words: Words) -> list[str | tuple[str, str]]:
    """The heads of columns, with what needs it explained."""
    return [
        (words.text(key), words.text(f"{key}_help")) if key in EXPLAINED else words.text(key)
        for key in columns
    ]


def _show_row(
    judgement: Judgement,
    words: Words,
    columns: Sequence[str],
    *,
    methods: int,
    sized: bool,
    arena: Sequence[Judgement],
) -> Row:
    variant = judgement.record.variant
    method = small(variant.start_method) if variant.start_method and methods > 1 else ""
    tasks = f"{words.count('tasks', variant.tasks)}, " if sized else ""
    sizes = small(f"{tasks}{words.count('workers', variant.workers)}")
    header = link_program(variant.program) + method + sizes
    return (header, show_cells(judgement, words, columns, arena))


def show_cells(judgement: Judgement, words: Words, columns: Sequence[str], arena: Arena) -> Cell:
    """What stands in a row after its name, or why nothing was measured."""
    if judgement.wall is None:
        return _show_absence(judgement, words, len(columns) - 1)
    floor = judgement.floor_s
    wall, interval = format_parts(judgement.wall, "wall_s", words)
    near = words.percent(floor / judgement.wall.median) if floor else None
    return Cell().join(
        [
            cell(strong(wall) + small(interval) + small(_show_inside(judgement, words))),
            cell(
                show_verdict(judgement.verdict, words)
                + _show_tie(judgement, arena, words)
                + show_flags(judgement.noise, words),
                kind="verdict-cell",
            ),
            *(cell(_show(metric, judgement, words)) for metric in MEASURED),
            cell(near),
            *([cell(_show_lag(judgement, words))] if LAG in columns else []),
        ]
    )


def _show_tie(judgement: Judgement, arena: Sequence[Judgement], words: Words) -> Markup:
    """The other programs that are recommended for the same work: nobody would choose by time."""
    variant = judgement.record.variant
    same = select_cells(arena, family=variant.family, tasks=variant.tasks)
    named = dict.fromkeys(one.record.variant.program for one in same if one.verdict == RECOMMENDED)
    others = [name for name in named if name != variant.program]
    is_tied = judgement.verdict == RECOMMENDED and bool(others)
    return small(words.text("tied", programs=", ".join(others)) if is_tied else "")


def _show_lag(judgement: Judgement, words: Words) -> Markup | None:
    """The longest lag of the event loop, below it those that half and most timers do not exceed."""
    if not judgement.median(LAG):
        return None
    usual = words.text(
        "lag_usual",
        p50=_show("lag_p50_s", judgement, words),
        p99=_show("lag_p99_s", judgement, words),
    )
    return Markup.escape(_show(LAG, judgement, words)) + small(usual)


def _show_inside(judgement: Judgement, words: Words) -> str:
    """The program's own time, where the start of the interpreter and the imports tell."""
    inside = judgement.estimate("inside_s")
    if inside is None or judgement.wall is None:
        return ""
    if inside.median > (1 - INSIDE_DIFFERS) * judgement.wall.median:
        return ""
    return words.text("inside", time=format_parts(inside, "inside_s", words)[0])


def _show_absence(judgement: Judgement, words: Words, width: int) -> Cell:
    record = judgement.record
    return Cell(
        '<td class="absent" colspan="{}"><strong class="status-{}">{}</strong> {}</td>'
    ).format(
        width,
        record.status,
        words.term("status", record.status),
        words.reason(record.reason),
    )


def show_failures(judgements: Sequence[Judgement], words: Words) -> Markup:
    """What programs wrote to stderr, folded."""
    shape = Markup(
        '<details class="failure"><summary>{}: {}</summary><pre tabindex="0">\n{}</pre></details>'
    )
    return join(
        shape.format(
            judgement.record.variant.program, words.text("stderr"), judgement.record.stderr
        )
        for judgement in judgements
        if judgement.record.stderr
    )


def _show(metric: str, judgement: Judgement, words: Words) -> str:
    value = judgement.median(metric)
    if value is None:
        return "—"
    in_seconds = METRICS[metric].unit == "CPU s"  # the column says of what
    return format_value(value, "wall_s" if in_seconds else metric, words)
