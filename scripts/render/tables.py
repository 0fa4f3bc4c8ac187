"""Tables of what was measured: results by core count, and what they come from."""

from collections.abc import Sequence
from itertools import groupby
from typing import get_args

from markupsafe import Markup

from scripts.declare.claim import Verdict
from scripts.declare.metrics import METRICS
from scripts.judge.evidence import Evidence
from scripts.judge.findings import ClaimStatus
from scripts.judge.judgement import Judgement
from scripts.judge.noise import (
    BUSY_SERVER,
    FAR_MAXIMUM,
    FEW_TRIALS,
    FLAGS,
    OUTLIER_SCORE,
    SHORT_CPU_S,
    WIDE_SPREAD,
)
from scripts.judge.selection import choose_largest, list_arenas
from scripts.judge.verdicts import LAG
from scripts.records.variant import DISTURBED_CORES
from scripts.render.html import cell, join, link_program, row_header, slug, small, strong, table
from scripts.render.names import name_family, name_place
from scripts.render.words import Words

ICONS: dict[Verdict | ClaimStatus, str] = {
    "confirmed": "✔",
    "refuted": "✖",
    "not applicable": "–",
    "recommended": "✔",
    "works, costs more": "◐",
    "no gain": "○",
    "worse": "✖",
    "borderline": "≈",
    "undecided": "?",
}
COLUMNS = (
    *("program", "wall", "verdict", "user", "kernel", "cpu"),
    *("memory", "largest_process", "near_floor"),
)
"""Has a column where a program of the table runs an event loop."""
EXPLAINED = ("wall", "memory", "largest_process", "near_floor", LAG)
INSIDE_DIFFERS = 0.10
"""The time inside a program is shown too where it is shorter than the whole by this share."""


def show_results(
    evidence: Evidence, words: Words, cores: int | None = None, families: Sequence[str] = ()
) -> Markup:
    """A table per core count and interpreter, the most cores first.

    Where a program ran with several numbers of tasks, it shows the largest.

    Args:
        evidence: of one experiment.
        words: of the page's language.
        cores: only this core count; ``None`` for every one that was measured.
        families: only these; none for all.
    """
    shown = [
        judgement
        for judgement in choose_largest(evidence.judgements)
        if not families or judgement.record.variant.family in families
    ]
    arenas = list_arenas(shown)
    if cores is not None:
        arenas = [arena for arena in arenas if arena[0].record.variant.cores == cores]
    links = Markup()
    if len(arenas) > 1:
        items = join(_link_arena(evidence, arena, words) for arena in arenas)
        links = Markup('<nav class="core-counts" aria-label="{}">{}</nav>').format(
            words.text("core_counts"), items
        )
    return links + join(_show_arena(evidence, arena, words) for arena in arenas)


def arena_id(evidence: Evidence, arena: Sequence[Judgement]) -> str:
    """The anchor of a table: ``results-2-cores``, for other interpreters with their name."""
    variant = arena[0].record.variant
    first = evidence.interpreters[0].id if evidence.interpreters else variant.interpreter
    suffix = "" if variant.interpreter == first else f"-{slug(variant.interpreter)}"
    return f"results-{variant.cores}-cores{suffix}"


def _link_arena(evidence: Evidence, arena: Sequence[Judgement], words: Words) -> Markup:
    name = name_place(evidence, arena[0].record.variant, words, form="cores_nominative")
    return Markup('<a href="#{}">{}</a>').format(arena_id(evidence, arena), name)


def _show_arena(evidence: Evidence, arena: Sequence[Judgement], words: Words) -> Markup:
    place = name_place(evidence, arena[0].record.variant, words)
    caption = words.text("results_caption", cores=place)
    columns = (*COLUMNS, LAG) if any(one.median(LAG) for one in arena) else COLUMNS
    head = [
        (words.text(key), words.text(f"{key}_help")) if key in EXPLAINED else words.text(key)
        for key in columns
    ]
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
            _show_row(judgement, words, columns, methods=methods, sized=sized)
            for judgement in family
        ]
        for name, family in groupby(rows, key=lambda judgement: judgement.record.variant.family)
    }
    return Markup('<section class="results" id="{}">{}{}</section>').format(
        arena_id(evidence, arena),
        table(words, caption, head, groups, kind="results"),
        _show_failures(rows, words),
    )


def _show_row(
    judgement: Judgement, words: Words, columns: Sequence[str], *, methods: int, sized: bool
) -> Markup:
    variant = judgement.record.variant
    method = small(variant.start_method) if variant.start_method and methods > 1 else ""
    tasks = f"{words.count('tasks', variant.tasks)}, " if sized else ""
    sizes = small(f"{tasks}{words.count('workers', variant.workers)}")
    header = row_header(link_program(variant.program) + method + sizes)
    if judgement.wall is None:
        return header + _show_absence(judgement, words, len(columns) - 1)
    floor = judgement.floor_s
    near = words.percent(floor / judgement.wall.median) if floor else "—"
    interval = "" if judgement.wall.is_point else words.interval(judgement.wall)
    return join(
        [
            header,
            cell(
                strong(words.duration(judgement.wall))
                + small(interval)
                + small(_show_inside(judgement, words))
            ),
            cell(
                show_verdict(judgement.verdict, words) + _show_noise(judgement.noise, words),
                kind="verdict-cell",
            ),
            cell(_show("user_s", judgement, words)),
            cell(_show("system_s", judgement, words)),
            cell(_show("cpu_share", judgement, words)),
            cell(_show("peak_pss_bytes", judgement, words)),
            cell(_show("max_rss_bytes", judgement, words)),
            cell(near),
            cell(_show_lag(judgement, words)) if LAG in columns else Markup(),
        ]
    )


def _show_lag(judgement: Judgement, words: Words) -> Markup:
    """The longest lag of the event loop, below it those that half and most timers do not exceed."""
    if not judgement.median(LAG):
        return Markup("—")
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
    return words.text("inside", time=words.duration(inside))


def _show_absence(judgement: Judgement, words: Words, width: int) -> Markup:
    record = judgement.record
    return Markup(
        '<td class="absent" colspan="{}"><strong class="status-{}">{}</strong> {}</td>'
    ).format(
        width,
        record.status,
        words.term("status", record.status),
        words.reason(record.reason),
    )


def _show_failures(judgements: Sequence[Judgement], words: Words) -> Markup:
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


def show_verdict(verdict: Verdict | None, words: Words) -> Markup:
    """An icon and a word; what it means on hovering."""
    if verdict is None:
        return Markup("—")
    return Markup(
        '<span class="verdict verdict-{}" title="{}">'
        '<span aria-hidden="true">{}</span>\N{NO-BREAK SPACE}{}</span>'
    ).format(
        slug(verdict),
        words.term("verdict_help", verdict),
        ICONS[verdict],
        words.term("verdict", verdict),
    )


def _show_noise(flags: Sequence[str], words: Words) -> Markup:
    shape = Markup('<abbr title="{}">{}</abbr>')
    marks = [shape.format(explain_flag(flag, words), words.term("noise", flag)) for flag in flags]
    noise = Markup('<small class="noise">{}</small>').format(join(marks, ", "))
    return noise if marks else Markup()


def explain_flag(flag: str, words: Words) -> str:
    """What a noise flag means, with the real thresholds in it."""
    explanation: str = words.term("noise_help", flag)
    return explanation.format(
        few=words.number(FEW_TRIALS, 0),
        spread=words.percent(WIDE_SPREAD),
        maximum=words.plain(FAR_MAXIMUM),
        outlier=words.plain(OUTLIER_SCORE),
        short=words.seconds(SHORT_CPU_S, 0),
        server=words.percent(BUSY_SERVER),
        disturbed=words.percent(DISTURBED_CORES),
    )


def show_noise_legend(words: Words) -> Markup:
    """Every noise flag with its meaning."""
    rows = [
        row_header(words.term("noise", flag)) + cell(explain_flag(flag, words), kind="prose")
        for flag in FLAGS
    ]
    head = words.texts("noise", "meaning")
    return table(words, words.text("noise_caption"), head, rows, kind="legend")


def show_verdict_legend(words: Words) -> Markup:
    """Every verdict with its meaning."""
    rows = [
        row_header(show_verdict(verdict, words))
        + cell(words.term("verdict_help", verdict), kind="prose")
        for verdict in get_args(Verdict)
    ]
    head = words.texts("verdict", "meaning")
    return table(words, words.text("verdict_legend"), head, rows, kind="legend")


def _show(metric: str, judgement: Judgement, words: Words) -> str:
    value = judgement.median(metric)
    if value is None:
        return "—"
    if METRICS[metric].unit == "CPU s":  # the column says of what
        return words.seconds(value, 2)
    return words.value(metric, value)
