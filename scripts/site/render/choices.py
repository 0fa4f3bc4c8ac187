"""Choices: which program to take for which task, with what it gave here."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from scripts.site.declare.choices import Choice
from scripts.site.judge.choosing import Chosen, find_chosen
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import list_recommended
from scripts.site.render.estimates import format_parts, format_ratio
from scripts.site.render.html import (
    Cell,
    Row,
    code,
    join,
    program_anchor,
    render,
    small,
    strong,
    table,
)
from scripts.site.render.names import name_family, name_place
from scripts.site.render.signs import show_verdict
from scripts.site.render.words import Words, capitalise

COLUMNS = ("situation", "advice", "measured", "why", "unless")
AXES = ("work", "tasks", "library", "cores", "memory", "gil")
LATENESS = ("sooner", "sooner_not")
GAINS = {
    "inside_s": ("faster", "faster_not"),
    "wall_s": ("faster", "faster_not"),
    "peak_pss_bytes": ("lighter", "lighter_not"),
}
"""What it is called that a metric is better, and that it is not; the others tell how late a loop runs."""

Evidences = Mapping[str, Evidence]
"""By the experiment's name."""


def show_choices(choices: Sequence[Choice], evidences: Evidences, words: Words) -> Markup:
    """A form with the questions, which the page's script brings to life, and a row per answer."""
    rows = [_show_row(choice, evidences, words) for choice in choices]
    form = render("choices-form.html", words=words, axes=AXES)
    return form + _show_table(COLUMNS, rows, words)


def show_start(
    choices: Sequence[Choice], evidences: Evidences, words: Words, address: str
) -> Markup:
    """A row for each answer that stands on Home: the task, what to take, what that gave here."""
    rows = [
        (
            Markup('<a href="{}#choice-{}">{}</a>').format(
                address, choice.id, words.choose(choice.home)
            ),
            _label_cell("advice", strong(words.choose(choice.advice)), words),
            _label_cell("measured", show_evidence(choice, evidences, words), words),
        )
        for choice in choices
        if choice.home
    ]
    return _show_table(COLUMNS[:3], rows, words)


def show_choice(choice: Choice, evidences: Evidences, words: Words, address: str) -> Markup:
    """One answer in a paragraph, with the way to the page with all of them."""
    link = Markup('<a href="{}#choice-{}">{}</a>').format(
        address, choice.id, words.term("choose", "caption")
    )
    evidence = show_evidence(choice, evidences, words)
    advice = strong(capitalise(words.choose(choice.advice)))
    return Markup("<p>{}. {}: {}.</p>{}").format(
        link, words.choose(choice.situation), advice, evidence
    )


def show_evidence(choice: Choice, evidences: Evidences, words: Words) -> Markup:
    """What the program of a choice gave: by how much it is better, at what work, its verdict."""
    evidence = evidences[choice.take.partition("/")[0]]
    chosen = find_chosen(choice, evidence)
    if chosen is None:
        return small(_explain(choice, evidence, words))
    # A verdict compares a whole family: it answers no choice that is held against one other program.
    recommended = [] if choice.against else list_recommended(evidence.rows, chosen.judged)
    shown = strong(_format_gain(chosen, evidence, words))
    shown += Markup('<small class="choice-work">{}</small>').format(
        _describe_work(chosen, evidence, words)
    )
    shown += small(_format_values(chosen, words))
    if chosen.judged.verdict and not choice.against:
        shown += small(_tell_verdict(chosen, recommended, words))
    variant = chosen.judged.record.variant
    gain = chosen.ratio.median if chosen.ratio else ""
    return Markup(
        '<div class="choice-evidence" data-take="{}" data-recommended="{}"'
        ' data-tasks="{}" data-gain="{}">{}</div>'
    ).format(variant.program, " ".join(recommended), variant.tasks, gain, shown)


def _show_table(columns: Sequence[str], rows: Sequence[Row], words: Words) -> Markup:
    head = [words.term("choose", key) for key in columns]
    return table(words, words.term("choose", "caption"), head, rows, kind="choices")


def _show_row(choice: Choice, evidences: Evidences, words: Words) -> Row:
    experiment, _, program = choice.take.partition("/")
    home = Markup('<a href="../{}/#{}">{}</a>').format(experiment, program_anchor(program), program)
    situation = render("choice.html", words=words, choice=choice, axes=AXES)
    cells = (
        strong(words.choose(choice.advice)) + small(home),
        show_evidence(choice, evidences, words),
        words.choose(choice.why),
        words.choose(choice.unless),
    )
    labelled = zip(COLUMNS[1:], cells, strict=True)
    return (situation, *(_label_cell(key, content, words) for key, content in labelled))


def _label_cell(column: str, content: str, words: Words) -> Cell:
    """A cell that, as a line of a card, tells whose column it is of."""
    label = words.term("choose", column)
    return Cell('<td class="prose" data-label="{}">{}</td>').format(label, content)


def _format_gain(chosen: Chosen, evidence: Evidence, words: Words) -> str:
    """By how many times it is better than what it is held against; without that, its value."""
    if chosen.other is None or chosen.ratio is None:
        return _format_value(chosen.judged, chosen.metric, words)
    other = evidence.experiment.program(chosen.other.record.variant.program)
    name = words.term("choose", "one_by_one") if other.ways == ("sequential",) else other.name
    gain = GAINS.get(chosen.metric, LATENESS)[chosen.ratio.median < 1]
    ratio, _ = format_ratio(chosen.ratio, words)
    return words.term("choose", gain).format(ratio=ratio, other=name)


def _format_values(chosen: Chosen, words: Words) -> str:
    """What was measured, by name, of both programs."""
    cells = [chosen.judged, *([chosen.other] if chosen.other else [])]
    values = join(
        (
            Markup("{} {}").format(
                code(one.record.variant.program), _format_value(one, chosen.metric, words)
            )
            for one in cells
        ),
        ", ",
    )
    return Markup("{}: {}").format(words.metric(chosen.metric), values)


def _format_value(judged: Judgement, metric: str, words: Words) -> str:
    estimate = judged.estimate(metric)
    return format_parts(estimate, metric, words)[0] if estimate else "—"


def _describe_work(chosen: Chosen, evidence: Evidence, words: Words) -> str:
    """What was done, how often, by how many, on how many cores."""
    variant = chosen.judged.record.variant
    sizes = [words.count("tasks", variant.tasks), words.count("workers", variant.workers)]
    sizes.append(name_place(evidence, variant, words, form="cores_nominative"))
    nearest = "" if chosen.is_of_size else f" ({words.term('choose', 'nearest')})"
    return f"{name_family(evidence, variant.family, words)}: {', '.join(sizes)}{nearest}"


def _tell_verdict(chosen: Chosen, recommended: Sequence[str], words: Words) -> str:
    """The verdict, and what else is recommended."""
    told = Markup.escape(words.term("choose", "verdict"))
    verdict = told.format(verdict=show_verdict(chosen.judged.verdict, words))
    if not recommended or chosen.judged.record.variant.program in recommended:
        return verdict
    others = words.term("choose", "recommended").format(programs=", ".join(recommended))
    return Markup("{}; {}").format(verdict, others)


def _explain(choice: Choice, evidence: Evidence, words: Words) -> str:
    """Why nothing is shown of a choice."""
    if choice.gil and all(one.gil not in choice.gil for one in evidence.interpreters):
        return words.term("choose", f"needs_gil_{choice.gil[0]}")
    return words.text("not_measured")
