"""Choices: which program to take for which task, with what it gave here."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from scripts.site.declare.choices import Choice
from scripts.site.judge.choosing import Chosen, find_chosen
from scripts.site.judge.judge import Evidence, Judgement
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
from scripts.site.render.words import Words, capitalise

COLUMNS = ("situation", "advice", "measured", "why", "unless")
AXES = ("work", "tasks", "library", "cores", "memory", "gil")
LATENESS = ("sooner", "sooner_not")
GAINS = {
    "inside_s": ("faster", "faster_not"),
    "wall_s": ("faster", "faster_not"),
    "peak_pss_bytes": ("lighter", "lighter_not"),
}
"""How to say that a metric is better, and that it is not; the others tell how late a loop runs."""

Evidences = Mapping[str, Evidence]
"""By the experiment's name."""


def show_choices(choices: Sequence[Choice], evidences: Evidences, words: Words) -> Markup:
    """Show a form with the questions, which a script brings to life, and a row per answer."""
    rows = []
    for choice in choices:
        home = Markup('<a href="../{}/#{}">{}</a>').format(
            choice.experiment, program_anchor(choice.program), choice.program
        )
        cells = {
            "advice": strong(words.choose(choice.advice)) + small(home),
            "measured": show_evidence(choice, evidences, words),
            "why": words.choose(choice.why),
            "unless": words.choose(choice.unless),
        }
        situation = render("choice.html", words=words, choice=choice, axes=AXES)
        rows.append((situation, *_label_cells(cells, words)))
    form = render("choices-form.html", words=words, axes=AXES)
    return form + _show_table(COLUMNS, rows, words)


def show_start(
    choices: Sequence[Choice], evidences: Evidences, words: Words, address: str
) -> Markup:
    """Show a row for each answer of Home: the task, what to take, what that gave here."""
    rows = []
    for choice in choices:
        if choice.home:
            cells = {
                "advice": strong(words.choose(choice.advice)),
                "measured": show_evidence(choice, evidences, words),
            }
            name = _link(choice, words.choose(choice.home), address)
            rows.append((name, *_label_cells(cells, words)))
    return _show_table(COLUMNS[:3], rows, words)


def show_choice(choice: Choice, evidences: Evidences, words: Words, address: str) -> Markup:
    """Show one answer in a paragraph, with the way to the page with all of them."""
    return Markup("<p>{}. {}: {}.</p>{}").format(
        _link(choice, words.term("choose", "caption"), address),
        words.choose(choice.situation),
        strong(capitalise(words.choose(choice.advice))),
        show_evidence(choice, evidences, words),
    )


def _link(choice: Choice, name: str, address: str) -> Markup:
    return Markup('<a href="{}#choice-{}">{}</a>').format(address, choice.id, name)


def _show_table(columns: Sequence[str], rows: Sequence[Row], words: Words) -> Markup:
    head = [words.term("choose", key) for key in columns]
    return table(words, words.term("choose", "caption"), head, rows, kind="choices")


def _label_cells(cells: Mapping[str, str], words: Words) -> list[Cell]:
    """Make cells by their columns that, as lines of a card, tell whose column they are of."""
    shape = Cell('<td class="prose" data-label="{}">{}</td>')
    return [shape.format(words.term("choose", key), content) for key, content in cells.items()]


def show_evidence(choice: Choice, evidences: Evidences, words: Words) -> Markup:
    """Show what the program of a choice gave: by how much it is better, at what work."""
    evidence = evidences[choice.experiment]
    chosen = find_chosen(choice, evidence)
    if chosen is None:
        return small(_explain(choice, evidence, words))
    row = chosen.judged
    return render(
        "choice-evidence.html",
        row=row,
        gain=chosen.ratio.median if chosen.ratio else "",
        told=_format_gain(chosen, evidence, words),
        work=_describe_work(chosen, evidence, words),
        values=_format_values(chosen, words),
    )


def _format_gain(chosen: Chosen, evidence: Evidence, words: Words) -> str:
    """Tell by how many times it is better than what it is held against; without that, its value."""
    if chosen.other is None or chosen.ratio is None:
        return _format_value(chosen.judged, chosen.metric, words)
    other = evidence.experiment.program(chosen.other.program)
    name = words.term("choose", "one_by_one") if other.ways == ("sequential",) else other.name
    gain = GAINS.get(chosen.metric, LATENESS)[chosen.ratio.median < 1]
    ratio, _ = format_ratio(chosen.ratio, words)
    return words.term("choose", gain).format(ratio=ratio, other=name)


def _format_values(chosen: Chosen, words: Words) -> str:
    """Tell what was measured, by name, of both programs."""
    shown = [chosen.judged, *([chosen.other] if chosen.other else [])]
    shape = Markup("{} {}")
    values = [
        shape.format(code(row.program), _format_value(row, chosen.metric, words)) for row in shown
    ]
    return Markup("{}: {}").format(words.metric(chosen.metric), join(values, ", "))


def _format_value(row: Judgement, metric: str, words: Words) -> str:
    estimate = row.estimate(metric)
    return format_parts(estimate, metric, words)[0] if estimate else "—"


def _describe_work(chosen: Chosen, evidence: Evidence, words: Words) -> str:
    """Tell what was done, how often, by how many, on how many cores."""
    row = chosen.judged
    sizes = [words.count("tasks", row.tasks), words.count("workers", row.workers)]
    sizes.append(name_place(evidence, row.variant, words, form="cores_nominative"))
    nearest = "" if chosen.is_of_size else f" ({words.term('choose', 'nearest')})"
    return f"{name_family(evidence, row.family, words)}: {', '.join(sizes)}{nearest}"


def _explain(choice: Choice, evidence: Evidence, words: Words) -> str:
    """Tell why nothing is shown of a choice."""
    if choice.gil and all(one.gil not in choice.gil for one in evidence.interpreters):
        return words.term("choose", f"needs_gil_{choice.gil[0]}")
    return words.text("not_measured")
