"""Choices as the answers bear them out: one tool in a row and behind its link, and no mistake advised.

A row of Choose takes a program and leads to the page of an answer, whose program has to carry the
work out in the same way and to have the same code in it, ``uses``. Each mistake of such a page names
the program or the kind that it warns of, or else code that it prints.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from poolwise.declaration import Way, find_line, read_text
from poolwise.experiment import Experiment, Program
from scripts.site.check.pages import Line, Problem, read_lines
from scripts.site.declare.declarations import ANSWERS, Choice, Declarations

_HEADING = "{#mistakes}"


def find_bad_advice(docs: Path, declared: Declarations) -> Iterator[Problem]:
    """Find every row of Choose that its answer does not bear out, and every mistake that names nothing."""
    path = docs / "choices.toml"
    for number, choice in enumerate(declared.choices):
        for message in _find_contradictions(choice, declared):
            yield Problem(path, find_line(read_text(path), ["choices", number]), message)
    for page in sorted(docs.glob(f"*/{ANSWERS}/*.md")):
        if page.stem in {family.name for family in declared.experiments[ANSWERS].families}:
            yield from _find_unnamed_mistakes(page, declared)


def _find_contradictions(choice: Choice, declared: Declarations) -> Iterator[str]:
    experiment = declared.experiments[choice.experiment]
    taken = experiment.program(choice.program)
    source = _read_program(experiment, taken)
    sources = {choice.take: source}
    if choice.answer:
        answers = declared.experiments[ANSWERS]
        pasted = _find_pasted(answers, choice.answer)
        sources[f"{ANSWERS}/{pasted.name}"] = _read_program(answers, pasted)
        if pasted.ways[-1] != taken.ways[-1]:
            message = f"{taken.ways[-1]}, and {ANSWERS}/{pasted.name} with {pasted.ways[-1]}"
            yield f"{choice.id}: {choice.take} does the work with {message}"
    for name, text in sources.items():
        for code in choice.uses:
            if code not in text:
                yield f"{choice.id}: {name} does not use {code}"
    for mistake in declared.mistakes.get(choice.answer, ()):
        advised = {choice.take, *taken.ways}
        is_code = "/" not in mistake and mistake not in get_args(Way)
        texts = [source, *choice.advice.values()]
        if mistake in advised or (is_code and any(mistake in text for text in texts)):
            yield f"{choice.id}: advises {mistake}, a mistake by {ANSWERS}/{choice.answer}.md"


def _read_program(experiment: Experiment, program: Program) -> str:
    return read_text(experiment.folder / program.file)


def _find_pasted(answers: Experiment, family: str) -> Program:
    """Find the program of an answer that is for copying: the first that is not its plain version."""
    baseline = answers.family(family).baseline
    return next(
        program
        for program in answers.programs
        if family in program.families and program.name != baseline
    )


def _find_unnamed_mistakes(page: Path, declared: Declarations) -> Iterator[Problem]:
    bullets = list(_list_mistakes(page))
    mentioned = declared.mistakes.get(page.stem, [])
    if len(bullets) != len(mentioned):
        message = f"{len(bullets)} mistakes, and docs/choices.toml names {len(mentioned)}"
        yield Problem(page, bullets[0][0] if bullets else 0, message)
    for (line, text), name in zip(bullets, mentioned, strict=False):
        folder, _, program = name.partition("/")
        experiment = declared.experiments.get(folder)
        programs = {program.name for program in experiment.programs} if experiment else set()
        is_printed = re.search(rf"`[^`]*{re.escape(name)}[^`]*`", text)
        if not (program in programs or name in get_args(Way) or is_printed):
            message = f"docs/choices.toml names {name!r} for this mistake: no program, no kind, not in its text"
            yield Problem(page, line, message)


def _list_mistakes(page: Path) -> Iterator[Line]:
    """List the mistakes of an answer's page, each a bullet, with their lines."""
    is_inside = False
    for line, text in read_lines(page):
        if text.startswith("## "):
            is_inside = text.endswith(_HEADING)
        elif is_inside and text.startswith("- "):
            yield line, text
