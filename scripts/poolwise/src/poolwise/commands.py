"""The commands for a person's own programs: ``compare a.py b.py`` and ``try work.py:handle``."""

import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from math import inf
from pathlib import Path
from shlex import shlex
from typing import TYPE_CHECKING

from poolwise.cli import CLEAR_LINE, clear_line
from poolwise.comparison import (
    Contender,
    Rules,
    decide,
    describe_noise,
    describe_order,
    hold_contest,
)
from poolwise.load import can_ask
from poolwise.process import Command, Launcher
from poolwise.pythons import Installation, select
from poolwise.report import Report, print_report, write_reports
from poolwise.words import Message, Refused, Undecided, Words

if TYPE_CHECKING:
    from poolwise.suggestion import Bench

OLDEST = (3, 11)
"""The oldest Python that a function is tried on."""
PROGRESS_LETTERS = 78
SHELL_SIGNS = "|&;<>()"
YES = ("y", "yes", "д", "да")
ENDING_S = 0.5
"""So long before and after the measuring is part of its budget."""
GRACE_S = 2.0
"""So long whatever a program has started may outlive it."""


def answer(chosen: Namespace, words: Words) -> int:
    """Carry out ``compare`` or ``try``; gives the exit status."""
    with Launcher() as launcher:
        if chosen.command == "compare":
            pythons = [*select(_find_current())]
            carry_on = _compare
        else:
            pythons = _choose_pythons(chosen.interpreters)
            carry_on = _try
        try:
            report = carry_on(chosen, words, launcher, pythons)
        except Undecided as failure:
            report = Report(outcome="not-known", answer=[failure.message], python=pythons[0])
    clear_line()
    print_report(report, words, quiet=chosen.quiet)
    write_reports(report, chosen, words)
    return Undecided.status if report.outcome == "not-known" else 0


def _make_teller(words: Words) -> Callable[[Message], None]:
    """Show progress on a terminal, in one line that rewrites itself; nothing elsewhere."""

    def tell(message: Message) -> None:
        if sys.stderr.isatty():
            line = words.say(message)[:PROGRESS_LETTERS]
            print(f"{CLEAR_LINE}{line}", end="", file=sys.stderr, flush=True)

    return tell


def _make_announcer(chosen: Namespace, words: Words) -> Callable[[Message], None]:
    """Say what is about to happen, if it is not to be quiet."""

    def announce(message: Message) -> None:
        if not chosen.quiet:
            clear_line()
            print(words.say(message), file=sys.stderr)

    return announce


def _make_asker(chosen: Namespace, words: Words, bench: "Bench") -> Callable[[Message], None]:
    """Say what is about to happen, and ask a person at a terminal for a yes."""

    def ask(message: Message) -> None:
        if chosen.yes or not can_ask():
            bench.announce(message)
            return
        clear_line()
        question = f"{words.say(message)}\n{words.text('cli.go-on')}"
        print(question, end="", file=sys.stderr, flush=True)
        asked_s = time.monotonic()
        if sys.stdin.readline().strip().lower() not in YES:
            raise KeyboardInterrupt
        bench.until_s += time.monotonic() - asked_s

    return ask


def _compare(
    chosen: Namespace, words: Words, launcher: Launcher, pythons: Sequence[Installation]
) -> Report:
    contenders = _make_contenders(chosen, pythons[0])
    rules = Rules(
        least=2,
        rounds=chosen.rounds,
        warm_ups=chosen.warmup,
        same_output=chosen.same_output,
        whole=chosen.whole,
        doubts_times=not chosen.whole,
    )
    left_s = chosen.began_s + chosen.budget - time.monotonic()
    order = hold_contest(contenders, launcher, _make_teller(words), left_s, rules)
    verdict = decide(order)
    faults = [contender.fault for contender in contenders if contender.fault]
    notes = [Message("comparison.left-out", {"fault": fault}) for fault in faults]
    if verdict == "winner":
        notes.append(Message("comparison.certainty", {"rounds": len(order[0].laps)}))
    notes += describe_noise(order)
    if verdict == "not-known":
        notes.append(Message("comparison.again"))
    return Report(
        outcome=verdict,
        answer=[describe_order(order, whole=chosen.whole), *notes],
        faults=faults,
        order=order,
        python=pythons[0],
    )


def _make_contenders(chosen: Namespace, python: Installation) -> list[Contender]:
    contenders: list[Contender] = []
    for text in chosen.programs:
        argv = split_program(text)
        if argv[0].endswith(".py"):
            if not Path(argv[0]).is_file():
                raise Refused("cli.no-file", file=argv[0])
            argv = [str(python.path), *argv]
        command = Command(
            argv=tuple(argv),
            env={**os.environ, **python.env},
            cwd=Path.cwd(),
            timeout_s=chosen.limit,
            grace_s=GRACE_S,
        )
        count = chosen.programs[: len(contenders)].count(text)
        contenders.append(Contender(name=text + " (again)" * count, command=command))
    return contenders


def split_program(text: str) -> list[str]:
    """Split a program and its arguments; ``Refused`` where only a shell could run them."""
    if os.path.isfile(text):  # noqa: PTH113 - a long text; the name of a file is one word
        return [text]
    lexer = shlex(text, posix=True, punctuation_chars=SHELL_SIGNS)
    lexer.commenters, lexer.whitespace_split = "", True
    try:
        parts = list(lexer)
    except ValueError as error:
        raise Refused("cli.no-program", text=text, error=str(error)) from None
    if not parts:
        raise Refused("cli.empty-program")
    signs = [part for part in parts if not part.strip(SHELL_SIGNS)]
    if signs:
        raise Refused("cli.shell", text=text, sign=signs[0])
    return parts


def _try(
    chosen: Namespace, words: Words, launcher: Launcher, pythons: Sequence[Installation]
) -> Report:
    from poolwise.advice import describe_suggestion
    from poolwise.suggestion import Bench, Task, suggest
    from poolwise.target import find_target, read_items, write_program

    target = find_target(chosen.target)
    items = read_items(chosen.items, target)
    target = replace(target, items_from=items.maker, is_spread=chosen.star)
    first, *others = pythons
    bench = Bench(
        launcher=launcher,
        installation=first,
        limit_s=chosen.limit,
        until_s=chosen.began_s + chosen.budget - ENDING_S,
        tell=_make_teller(words),
        workers=chosen.workers,
        announce=_make_announcer(chosen, words),
    )
    bench.confirm = _make_asker(chosen, words, bench)
    suggestion = suggest(Task(**asdict(target)), items.values, bench, others)
    contest_s = {contender.name: contender.times_s for contender in suggestion.order}
    program = ""
    if suggestion.outcome == "use":
        program = write_program(suggestion.chosen, suggestion.nature, suggestion.given, items)
    return Report(
        outcome=suggestion.outcome,
        answer=[*describe_suggestion(suggestion), *items.notes],
        order=suggestion.order,
        names={task.label: task.name for task in suggestion.tried},
        python=first,
        tried=[
            {
                "way": task.way,
                "workers": task.workers,
                "times_s": contest_s.get(task.label, [task.time_s] if task.time_s < inf else []),
                "fault": task.fault,
            }
            for task in suggestion.tried
        ],
        program=program.rstrip(),
        folder=target.folder,
    )


def _choose_pythons(names: str) -> list[Installation]:
    """Choose the Python that the answer is for, then the others to try as well."""
    is_free = names in ("", "auto")
    if is_free:
        names = f"{_find_current()},auto"
    first, *others = select(names)
    if is_free:  # the newest first, while time is left
        able = [other for other in others if other.interpreter.minor >= OLDEST and not other.env]
        others = sorted(able, key=lambda other: other.interpreter.minor, reverse=True)
    for installation in (first, *others):
        if installation.interpreter.minor < OLDEST:
            raise Refused("cli.old-python", python=installation.interpreter.title)
    return [first, *others]


def _find_current() -> str:
    """Name the Python of the active environment: that of pipx or uvx has none of its packages."""
    folder = Path(os.environ.get("VIRTUAL_ENV") or sys.prefix)
    python = folder / "bin/python"
    is_ours = folder.resolve() == Path(sys.prefix).resolve()
    return "current" if is_ours or not python.is_file() else str(python.absolute())
