"""Tables of what was measured: results by core count, and what they come from."""

from collections.abc import Sequence
from html import escape
from itertools import groupby

from scripts.declare.claim import Verdict
from scripts.judge.cells import choose_largest, rank_interpreter
from scripts.judge.evidence import Evidence
from scripts.judge.judgement import Estimate, Judgement
from scripts.judge.noise import (
    BUSY_SERVER,
    FAR_MAXIMUM,
    FEW_TRIALS,
    FLAGS,
    OUTLIER_SCORE,
    SHORT_CPU_S,
    WIDE_SPREAD,
)
from scripts.render.drawing import name_place
from scripts.render.html import body, cell, column, program_anchor, row_header, slug, table
from scripts.render.words import Words

ICONS: dict[Verdict, str] = {
    "recommended": "✔",
    "works, costs more": "◐",
    "no gain": "○",
    "worse": "✖",
    "inconclusive": "?",
}
COLUMNS = 9
INSIDE_DIFFERS = 0.10
"""The time inside a program is shown too where it is shorter than the whole by this share."""


def show_results(
    evidence: Evidence, words: Words, cores: int | None = None, families: Sequence[str] = ()
) -> str:
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
    links = ""
    if len(arenas) > 1:
        items = "".join(_link_arena(evidence, arena, words) for arena in arenas)
        links = f'<nav class="core-counts" aria-label="{words.text("core_counts")}">{items}</nav>'
    return links + "".join(_show_arena(evidence, arena, words) for arena in arenas)


def list_arenas(judgements: Sequence[Judgement]) -> list[list[Judgement]]:
    """The judgements of each core count and interpreter, most cores and oldest versions first."""

    def arena(judgement: Judgement) -> tuple[int, list[str | int]]:
        variant = judgement.record.variant
        return (-variant.cores, rank_interpreter(variant.interpreter))

    return [list(group) for _, group in groupby(sorted(judgements, key=arena), key=arena)]


def arena_id(evidence: Evidence, arena: Sequence[Judgement]) -> str:
    """The anchor of a table: ``results-2-cores``, for other interpreters with their name."""
    variant = arena[0].record.variant
    first = evidence.interpreters[0].id if evidence.interpreters else variant.interpreter
    suffix = "" if variant.interpreter == first else f"-{slug(variant.interpreter)}"
    return f"results-{variant.cores}-cores{suffix}"


def _link_arena(evidence: Evidence, arena: Sequence[Judgement], words: Words) -> str:
    name = name_place(evidence, arena[0].record.variant, words, form="cores_nominative")
    return f'<a href="#{arena_id(evidence, arena)}">{escape(name)}</a>'


def _show_arena(evidence: Evidence, arena: Sequence[Judgement], words: Words) -> str:
    place = name_place(evidence, arena[0].record.variant, words)
    caption = words.text("results_caption", cores=place)
    head = [
        column(words.text("program")),
        column(words.text("wall"), words.text("wall_help")),
        column(words.text("verdict")),
        column(words.text("user")),
        column(words.text("kernel")),
        column(words.text("cpu")),
        column(words.text("memory"), words.text("memory_help")),
        column(words.text("largest_process"), words.text("largest_process_help")),
        column(words.text("near_floor"), words.text("near_floor_help")),
    ]
    order = {program.name: place for place, program in enumerate(evidence.experiment.programs)}
    places = {family.name: place for place, family in enumerate(evidence.experiment.families)}
    methods = len({judgement.record.variant.start_method for judgement in arena} - {None})

    def rank(judgement: Judgement) -> tuple[int, int, int]:
        variant = judgement.record.variant
        return (
            places.get(variant.family, 0),
            order.get(variant.program, 0),
            variant.workers,
        )

    rows = sorted(arena, key=rank)
    sized = len({judgement.record.variant.tasks for judgement in arena}) > 1
    bodies = [
        body(
            [_show_row(judgement, words, methods=methods, sized=sized) for judgement in family],
            escape(words.choose(evidence.experiment.family(name).title)),
            COLUMNS,
        )
        for name, family in groupby(rows, key=lambda judgement: judgement.record.variant.family)
    ]
    return (
        f'<section class="results" id="{arena_id(evidence, arena)}">'
        f"{table(words, escape(caption), head, bodies, kind='results')}"
        f"{_show_failures(rows, words)}</section>"
    )


def _show_row(judgement: Judgement, words: Words, *, methods: int, sized: bool) -> str:
    variant = judgement.record.variant
    method = (
        f" <small>{variant.start_method}</small>" if variant.start_method and methods > 1 else ""
    )
    tasks = f"{words.count('tasks', variant.tasks)}, " if sized else ""
    header = row_header(
        f'<a href="#{program_anchor(variant.program)}">{escape(variant.program)}</a>{method}'
        f"<small>{tasks}{words.count('workers', variant.workers)}</small>"
    )
    if judgement.wall_s is None:
        return header + _show_absence(judgement, words)
    floor = judgement.floor_s
    near = words.percent(floor / judgement.wall_s.median) if floor else "—"
    interval = words.interval(judgement.wall_s)
    return "".join(
        [
            header,
            cell(
                f"<strong>{words.duration(judgement.wall_s)}</strong>"
                f"{'' if judgement.wall_s.is_point else f'<small>{interval}</small>'}"
                f"{_show_inside(judgement, words)}"
            ),
            cell(
                show_verdict(judgement.verdict, words) + _show_noise(judgement.noise, words),
                kind="verdict-cell",
            ),
            cell(_seconds(judgement.user_s, words)),
            cell(_seconds(judgement.system_s, words)),
            cell("—" if judgement.cpu_share is None else words.percent(judgement.cpu_share)),
            cell(_memory(judgement.peak_pss_bytes, words)),
            cell(_memory(judgement.max_rss_bytes, words)),
            cell(near),
        ]
    )


def _show_inside(judgement: Judgement, words: Words) -> str:
    """The program's own time, where the start of the interpreter and the imports tell."""
    inside = judgement.inside_s
    if inside is None or judgement.wall_s is None:
        return ""
    if inside.median > (1 - INSIDE_DIFFERS) * judgement.wall_s.median:
        return ""
    return f"<small>{words.text('inside', time=words.duration(inside))}</small>"


def _show_absence(judgement: Judgement, words: Words) -> str:
    record = judgement.record
    status = words.term("status", record.status)
    reason = escape(words.term("reason", record.reason))
    return (
        f'<td class="absent" colspan="{COLUMNS - 1}"><strong class="status-{record.status}">'
        f"{escape(status)}</strong> {reason}</td>"
    )


def _show_failures(judgements: Sequence[Judgement], words: Words) -> str:
    return "".join(
        f"<details class='failure'><summary>{escape(judgement.record.variant.program)}: "
        f"{escape(words.text('stderr'))}</summary><pre tabindex='0'>"
        f"{escape(judgement.record.stderr)}</pre></details>"
        for judgement in judgements
        if judgement.record.stderr
    )


def show_verdict(verdict: Verdict | None, words: Words) -> str:
    """An icon and a word; what it means on hovering."""
    if verdict is None:
        return "—"
    return (
        f'<span class="verdict verdict-{slug(verdict)}" '
        f'title="{escape(words.term("verdict_help", verdict))}"><span aria-hidden="true">'
        f"{ICONS[verdict]}</span>\N{NO-BREAK SPACE}{escape(words.term('verdict', verdict))}</span>"
    )


def _show_noise(flags: Sequence[str], words: Words) -> str:
    marks = ", ".join(
        f'<abbr title="{escape(explain_flag(flag, words))}">{escape(words.term("noise", flag))}</abbr>'
        for flag in flags
    )
    return f'<small class="noise">{marks}</small>' if marks else ""


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
    )


def show_noise_legend(words: Words) -> str:
    """Every noise flag with its meaning."""
    rows = [
        row_header(escape(words.term("noise", flag)))
        + cell(escape(explain_flag(flag, words)), kind="prose")
        for flag in FLAGS
    ]
    head = [column(words.text("noise")), column(words.text("meaning"))]
    return table(words, words.text("noise_caption"), head, [body(rows)], kind="legend")


def show_verdict_legend(words: Words) -> str:
    """Every verdict with its meaning."""
    rows = [
        row_header(show_verdict(verdict, words))
        + cell(escape(words.term("verdict_help", verdict)), kind="prose")
        for verdict in ICONS
    ]
    head = [column(words.text("verdict")), column(words.text("meaning"))]
    return table(words, words.text("verdict_legend"), head, [body(rows)], kind="legend")


def _seconds(estimate: Estimate | None, words: Words) -> str:
    return "—" if estimate is None else words.seconds(estimate.median, 2)


def _memory(estimate: Estimate | None, words: Words) -> str:
    return "—" if estimate is None else words.memory(estimate.median)
