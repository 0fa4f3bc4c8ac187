"""The commands for a person's own programs: ``compare a.py b.py`` and ``try work.py:handle``."""

import os
import re
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from shlex import shlex
from typing import Any

from poolwise import comparison
from poolwise.cli import clear_line
from poolwise.load import can_ask
from poolwise.output import CLEAR_LINE
from poolwise.process import Command, Launcher
from poolwise.pythons import Installation, find_current, select
from poolwise.report import Report, print_report, write_json
from poolwise.words import Message, Refused, Undecided, Words

OLDEST = (3, 11)  # the oldest Python that a function is tried on
PROGRESS_LETTERS = 78
SHELL_SIGNS = "|&;<>()"
YES = ("y", "yes", "д", "да")
ENDING_S = 0.5  # so long before and after the measuring is part of its budget
GRACE_S = 2.0  # so long whatever a program has started may outlive it


def answer(chosen: Namespace, words: Words) -> int:
    """Carry out ``compare`` or ``try``; gives the exit status."""
    with Launcher() as launcher:
        request = _Request(chosen, words, launcher, _choose_pythons(chosen))
        try:
            report = request.compare() if chosen.command == "compare" else request.try_function()
        except Undecided as failure:
            answer = [failure.message]
            report = Report(outcome="not-known", answer=answer, python=request.pythons[0])
    clear_line()
    print_report(report, words, quiet=chosen.quiet)
    if chosen.export_json:
        write_json(report, chosen, words)
    if report.outcome == "not-known":
        return Undecided.status
    return 0


@dataclass(frozen=True, slots=True)
class _Request:
    """A command line that is being carried out for a person; the first of the ``pythons`` is theirs."""

    chosen: Namespace
    words: Words
    launcher: Launcher
    pythons: Sequence[Installation]

    @property
    def until_s(self) -> float:
        """The time at which the budget is up."""
        return float(self.chosen.began_s + self.chosen.budget - ENDING_S)

    def tell(self, message: Message) -> None:
        """Show progress on a terminal, in one line that rewrites itself; nothing elsewhere."""
        if sys.stderr.isatty():
            line = self.words.say(message)[:PROGRESS_LETTERS]
            print(f"{CLEAR_LINE}{line}", end="", file=sys.stderr, flush=True)

    def announce(self, message: Message) -> None:
        """Say what is about to happen, if the command is not to be quiet."""
        if not self.chosen.quiet:
            clear_line()
            print(self.words.say(message), file=sys.stderr)

    def confirm(self, message: Message) -> None:
        """Say what is about to happen, and ask a person at a terminal for a yes."""
        if self.chosen.yes or not can_ask():
            self.announce(message)
            return
        clear_line()
        question = f"{self.words.say(message)}\n{self.words.text('cli.go-on')}"
        print(question, end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() not in YES:
            raise KeyboardInterrupt

    def compare(self) -> Report:
        """Compare programs."""
        chosen, python = self.chosen, self.pythons[0]
        contenders = _make_contenders(chosen, python)
        rules = comparison.Rules(
            least=2,
            rounds=chosen.rounds,
            warm_ups=chosen.warmup,
            same_output=chosen.same_output,
            whole=chosen.whole,
            doubts_times=not chosen.whole,
        )
        left_s = self.until_s - time.monotonic()
        order = comparison.hold_contest(contenders, self.launcher, self.tell, left_s, rules)
        verdict = comparison.find_verdict(order)
        faults = [contender.fault for contender in contenders if contender.fault]
        notes = [Message("comparison.left-out", {"fault": fault}) for fault in faults]
        if verdict == "winner":
            notes.append(Message("comparison.certainty", {"rounds": len(order[0].laps)}))
        notes += comparison.describe_noise(order)
        if verdict == "not-known":
            notes.append(Message("comparison.again"))
        sentences = [comparison.describe_order(order, whole=chosen.whole), *notes]
        return Report(outcome=verdict, answer=sentences, python=python, faults=faults, order=order)

    def try_function(self) -> Report:
        """Try a function in each way."""
        from poolwise.advice import describe_suggestion
        from poolwise.suggestion import Bench, suggest
        from poolwise.target import Task, find_target, read_items, write_program

        target = find_target(self.chosen.target)
        items = read_items(self.chosen.items, target)
        target = replace(target, items_from=items.maker, is_spread=self.chosen.star)
        first, *others = self.pythons
        bench = Bench(
            launcher=self.launcher,
            installation=first,
            limit_s=self.chosen.limit,
            until_s=self.until_s,
            tell=self.tell,
            workers=self.chosen.workers,
            announce=self.announce,
            confirm=self.confirm,
        )
        suggestion = suggest(Task(**asdict(target)), items.values, bench, others)
        contest_s = {contender.name: contender.times_s for contender in suggestion.order}
        program = ""
        if suggestion.outcome == "use":
            program = write_program(suggestion.chosen, suggestion.nature, suggestion.given, items)
        tried = []
        for task in suggestion.tried:
            facts: dict[str, Any] = {"way": task.way, "workers": task.workers, "times_s": []}
            if task.label in contest_s:
                facts["times_s"] = contest_s[task.label]
            elif task.time_s < inf:
                facts["times_s"] = [task.time_s]
            tried.append({**facts, "fault": task.fault})
        return Report(
            outcome=suggestion.outcome,
            answer=[*describe_suggestion(suggestion), *items.notes],
            python=first,
            order=suggestion.order,
            names={task.label: task.name for task in suggestion.tried},
            tried=tried,
            program=program.rstrip(),
            folder=target.folder,
        )


def _make_contenders(chosen: Namespace, python: Installation) -> list[comparison.Contender]:
    contenders: list[comparison.Contender] = []
    for text in chosen.programs:
        argv = split_command_line(text)
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
        contenders.append(comparison.Contender(name=text + " (again)" * count, command=command))
    return contenders


def split_command_line(text: str) -> list[str]:
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
    signs += re.findall(r"^[A-Za-z_]\w*=", parts[0])  # a variable for the program
    if signs:
        raise Refused("cli.shell", text=text, sign=signs[0])
    return parts


def _choose_pythons(chosen: Namespace) -> Sequence[Installation]:
    """Choose the Python that the answer is for, then the others to try a function on as well."""
    if chosen.command == "compare":
        return select(find_current())
    if chosen.interpreters in ("", "auto"):
        first, *others = select(f"{find_current()},auto")
        # The newest first, while time is left.
        others = [other for other in others if other.interpreter.minor >= OLDEST and not other.env]
        others.sort(key=lambda other: other.interpreter.minor, reverse=True)
    else:
        first, *others = select(chosen.interpreters)
    for installation in (first, *others):
        if installation.interpreter.minor < OLDEST:
            raise Refused("cli.old-python", python=installation.interpreter.title)
    return [first, *others]
