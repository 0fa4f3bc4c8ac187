"""Choices: which program to take for which task, with what it gave here."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Literal

from scripts.judge.cells import (
    choose_end,
    choose_largest,
    select_cells,
    select_measured,
)
from scripts.judge.judgement import Judgement
from scripts.measure.declaration import Declared, MalformedDeclaration, at, convert, read_toml
from scripts.measure.experiment import EXAMPLES, find_experiments
from scripts.pipeline import Evidence
from scripts.render.drawing import choose_first_interpreter, name_place
from scripts.render.html import body, column, program_anchor, row_header, table
from scripts.render.tables import show_verdict
from scripts.render.words import NBSP, Words, list_languages

CHOICES = Path(__file__).resolve().parents[2] / "docs" / "choices.toml"
TEXTS = ("situation", "advice", "why", "unless")
COLUMNS = ("situation", "advice", "measured", "why", "unless")
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


def load_choices(path: Path = CHOICES, examples: Path = EXAMPLES) -> tuple[Choice, ...]:
    """The choices in the order of their file.

    Args:
        path: the file.
        examples: the folder of the experiments whose programs they take.

    Raises:
        MalformedDeclaration: something is wrong; names file, line, key and choice.
    """
    choices = convert(read_toml(path), _File, path).choices
    families = {
        f"{experiment.name}/{program.name}": program.families
        for experiment in find_experiments(examples)
        for program in experiment.programs
    }
    seen: set[str] = set()
    for number, choice in enumerate(choices):
        for key, problem in _find_problems(choice, families, seen):
            raise MalformedDeclaration(
                at(path, ["choices", number, key], f"{choice.id}: {problem}")
            )
        seen.add(choice.id)
    return tuple(choices)


def show_choices(choices: Sequence[Choice], evidences: Mapping[str, Evidence], words: Words) -> str:
    """A form with the questions, which the page's script brings to life, and a row per answer.

    Args:
        choices: what there is to choose from.
        evidences: of every experiment that they name.
        words: of the page's language.
    """
    head = [column(words.term("choose", key)) for key in COLUMNS]
    rows = [_show_row(choice, evidences, words) for choice in choices]
    shown = table(words, words.term("choose", "caption"), head, [body(rows)], kind="choices")
    return _show_form(words) + shown


def find_measured(choice: Choice, evidence: Evidence) -> Judgement | None:
    """What the program of a choice gave on the number of cores it is for.

    At the largest size that was measured; of several interpreters that fit on the first that ran
    it, with the number of workers that took least.
    """
    program = choice.take.partition("/")[2]
    family = choice.family or evidence.experiment.program(program).families[0]
    found = [
        judged
        for judged in select_cells(evidence.judgements, program=program, family=family)
        if not choice.gil or judged.record.variant.gil in choice.gil
    ]
    measured = select_measured(choose_first_interpreter(evidence, found))
    if choice.cores == ["one"]:
        fitting = select_cells(measured, cores=1)
    else:
        fitting = choose_end(measured, "cores")
    return min(choose_largest(fitting), key=_read_wall, default=None)


def _find_problems(
    choice: Choice, families: Mapping[str, Sequence[str]], seen: set[str]
) -> Iterator[tuple[str, str]]:
    """What does not fit together: the key where it stands, and what is wrong.

    Args:
        choice: the one to look at.
        families: those of each program that there is, by its name in ``take``.
        seen: the ids of the choices before.
    """
    if choice.id in seen:
        yield "id", "an id stands for one choice only"
    if choice.take not in families:
        yield "take", f"no such program {choice.take!r}"
    elif choice.family and choice.family not in families[choice.take]:
        yield "family", f"{choice.take!r} is not of the family {choice.family!r}"
    for key in TEXTS:
        for language in list_languages():
            if language not in getattr(choice, key):
                yield key, f"no text in {language!r}"


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
    situation = (
        f'<span id="{anchor}" class="choice" {axes}>'
        f"{escape(words.choose(choice.situation))}</span>{NBSP}{link}"
    )
    cells = (
        f"<strong>{escape(words.choose(choice.advice))}</strong><small>{code}</small>",
        _show_measured(choice, evidences[experiment], words),
        escape(words.choose(choice.why)),
        escape(words.choose(choice.unless)),
    )
    return row_header(situation) + "".join(
        _label_cell(content, words.term("choose", key))
        for key, content in zip(COLUMNS[1:], cells, strict=True)
    )


def _label_cell(content: str, label: str) -> str:
    """A cell that, as a line of a card, tells whose column it is of."""
    return f'<td class="prose" data-label="{escape(label)}">{content}</td>'


def _show_measured(choice: Choice, evidence: Evidence, words: Words) -> str:
    """What the program gave: its time, or, if the answer is for little memory, its memory."""
    judged = find_measured(choice, evidence)
    is_for_memory = choice.memory == ["little"]
    estimate = judged and (judged.peak_pss_bytes if is_for_memory else judged.wall_s)
    if not (judged and estimate):
        return f"<small>{_explain(choice, evidence, words)}</small>"
    variant = judged.record.variant
    where = escape(name_place(evidence, variant, words, form="cores_nominative"))
    if is_for_memory:
        tasks = words.count("tasks", variant.tasks)
        return f"<strong>{words.memory(estimate.median)}</strong><small>{tasks}, {where}</small>"
    shown = f"<strong>{words.duration(estimate)}</strong><small>{where}</small>"
    baseline = evidence.experiment.family(variant.family).baseline
    if judged.speedup and variant.program != baseline:
        ratio = words.ratio(judged.speedup.median)
        shown += f"<small>{words.term('choose', 'against').format(ratio=ratio, baseline=baseline)}</small>"
        shown += f"<small>{show_verdict(judged.verdict, words)}</small>"
    return shown


def _explain(choice: Choice, evidence: Evidence, words: Words) -> str:
    """Why nothing is shown of a choice."""
    if choice.gil and all(one.gil not in choice.gil for one in evidence.interpreters):
        return words.term("choose", f"needs_gil_{choice.gil[0]}")
    return words.text("not_measured")
