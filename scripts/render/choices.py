"""Choices: which program to take for which task, with what it gave here."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Literal

from scripts.judge.judgement import Judgement
from scripts.measure.declaration import Declared, convert, read_toml
from scripts.pipeline import Evidence
from scripts.render.html import body, cell, column, program_anchor, row_header, table
from scripts.render.tables import choose_largest, show_verdict
from scripts.render.words import Words

CHOICES = Path(__file__).resolve().parents[2] / "docs" / "choices.toml"
AXES = ("work", "tasks", "library", "cores", "memory", "gil")


class Choice(Declared, frozen=True, kw_only=True):
    """An answer: for which tasks, the program to take, and why; texts by language.

    Args:
        id: its permanent anchor.
        take: the program, ``matrix/06-io-async``.
        family: the one in which its measurement is shown; by default its first.
        work, tasks, library, cores, memory, gil: for which values of these it is; none for any.
        situation: when it is the answer.
        advice: what to take.
        why: what makes it better than the others.
        unless: what would change the answer.
    """

    id: str
    take: str
    family: str = ""
    work: list[Literal["waiting", "computing", "both", "mixed"]]
    tasks: list[Literal["few", "hundreds", "thousands"]] = []
    library: list[Literal["async", "blocking"]] = []
    cores: list[Literal["one", "several"]] = []
    memory: list[Literal["plenty", "little"]] = []
    gil: list[Literal["on", "off"]] = []
    situation: dict[str, str]
    advice: dict[str, str]
    why: dict[str, str]
    unless: dict[str, str]


class _File(Declared, frozen=True, kw_only=True):
    choices: list[Choice]


def load_choices(path: Path = CHOICES) -> tuple[Choice, ...]:
    """The choices in the order of their file.

    Raises:
        MalformedDeclaration: something is wrong; names file, line and key.
    """
    return tuple(convert(read_toml(path), _File, path).choices)


def show_choices(choices: Sequence[Choice], evidences: Mapping[str, Evidence], words: Words) -> str:
    """A form with the questions, which the page's script brings to life, and a row per answer.

    Args:
        choices: what there is to choose from.
        evidences: of every experiment that they name.
        words: of the page's language.
    """
    head = [
        column(words.term("choose", key))
        for key in ("situation", "advice", "measured", "why", "unless")
    ]
    rows = [_show_row(choice, evidences, words) for choice in choices]
    shown = table(words, words.term("choose", "caption"), head, [body(rows)], kind="choices")
    return _show_form(words) + shown


def find_measured(choice: Choice, evidence: Evidence) -> Judgement | None:
    """What the program of a choice gave: on the number of cores it is for, at its largest size.

    Of several interpreters that fit the first, of several numbers of workers the fastest.
    """
    program = choice.take.partition("/")[2]
    family = choice.family or evidence.experiment.program(program).families[0]
    found = [
        judged
        for judged in choose_largest(evidence.judgements)
        if judged.wall_s
        and (judged.record.variant.program, judged.record.variant.family) == (program, family)
        and not (choice.gil and judged.record.variant.gil not in choice.gil)
    ]
    if not found:
        return None
    order = {one.id: place for place, one in enumerate(evidence.interpreters)}
    names = {judged.record.variant.interpreter for judged in found}
    first = min(names, key=lambda name: order.get(name, len(order)))
    found = [judged for judged in found if judged.record.variant.interpreter == first]
    counts = [judged.record.variant.cores for judged in found]
    cores = 1 if choice.cores == ["one"] else max(counts)
    fitting = [judged for judged in found if judged.record.variant.cores == cores]
    return min(fitting, key=_read_wall, default=None)


def _read_wall(judged: Judgement) -> float:
    return judged.wall_s.median if judged.wall_s else float("inf")


def _show_form(words: Words) -> str:
    fields = "".join(_show_axis(axis, words) for axis in AXES)
    return (
        f'<form class="choices-form" hidden data-none="{escape(words.term("choose", "none"))}">'
        f'{fields}<button type="reset">{words.term("choose", "reset")}</button>'
        f'<output role="status" aria-live="polite"></output></form>'
    )


def _show_axis(axis: str, words: Words) -> str:
    options = "".join(
        f'<option value="{value}">{escape(label)}</option>'
        for value, label in words.catalogue["choose_axis"][axis].items()
        if value != "question"
    )
    question = escape(words.catalogue["choose_axis"][axis]["question"])
    return (
        f'<label>{question} <select name="{axis}"><option value="">'
        f"{escape(words.term('choose', 'any'))}</option>{options}</select></label>"
    )


def _show_row(choice: Choice, evidences: Mapping[str, Evidence], words: Words) -> str:
    experiment, _, program = choice.take.partition("/")
    axes = " ".join(f'data-{axis}="{" ".join(getattr(choice, axis))}"' for axis in AXES)
    anchor = f"choice-{choice.id}"
    link = (
        f'<a class="claim-anchor" href="#{anchor}" '
        f'aria-label="{escape(words.term("choose", "link"))}: {choice.id}">#</a>'
    )
    code = f'<a href="../{experiment}/#{program_anchor(program)}">{escape(program)}</a>'
    return (
        row_header(
            f'<span id="{anchor}" class="choice" {axes}>'
            f"{escape(words.choose(choice.situation))}</span> {link}"
        )
        + cell(
            f"<strong>{escape(words.choose(choice.advice))}</strong><small>{code}</small>",
            kind="prose",
        )
        + cell(_show_measured(choice, evidences[experiment], words), kind="prose")
        + cell(escape(words.choose(choice.why)), kind="prose")
        + cell(escape(words.choose(choice.unless)), kind="prose")
    )


def _show_measured(choice: Choice, evidence: Evidence, words: Words) -> str:
    judged = find_measured(choice, evidence)
    if judged is None or judged.wall_s is None:
        return f"<small>{words.text('not_measured')}</small>"
    variant = judged.record.variant
    baseline = evidence.experiment.family(variant.family).baseline
    where = words.count("cores_nominative", variant.cores)
    if len(evidence.interpreters) > 1:
        where += f", {escape(variant.interpreter)}"
    shown = f"<strong>{words.duration(judged.wall_s)}</strong><small>{where}</small>"
    if judged.speedup and variant.program != baseline:
        ratio = words.ratio(judged.speedup.median)
        shown += f"<small>{words.term('choose', 'against').format(ratio=ratio, baseline=baseline)}</small>"
        shown += f"<small>{show_verdict(judged.verdict, words)}</small>"
    return shown
