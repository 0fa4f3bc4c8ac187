"""The command line: ``poolwise compare``, ``poolwise try`` and ``poolwise run``.

Answers go to stdout, progress and faults to stderr. The exit status is 0 for an answer, 1 where a
program or function failed, 2 where the command itself can't be carried out, 3 where the answer is not
known, 130 where somebody stopped it.
"""

import os
import sys
import time
from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from math import inf
from pathlib import Path
from pkgutil import resolve_name
from typing import NoReturn

from poolwise.output import CLEAR_LINE, defuse
from poolwise.process import LauncherError
from poolwise.words import LANGUAGES, Failed, Refused, Words, choose_language

# Where the function of each command is, whose module is imported when it runs.
HANDLERS = {"compare": "commands:answer", "try": "commands:answer", "run": "measure:print_measured"}
PROFILES = ("smoke", "quick", "full")
BUDGET_S = 55.0
RUN_LIMIT_S = 30.0


class _Parser(ArgumentParser):
    """Takes a command line apart; what is wrong with it is said in the person's language."""

    def __init__(self) -> None:
        super().__init__(add_help=False, allow_abbrev=False, exit_on_error=False)

    def error(self, message: str) -> NoReturn:
        raise Refused("cli.usage", error=message)

    def take(
        self, arguments: Sequence[str], *, all_known: bool = True
    ) -> tuple[Namespace, list[str]]:
        """Return the options, and whatever is none."""
        try:
            chosen, rest = self.parse_known_intermixed_args(arguments)
        except ArgumentError as error:
            raise Refused("cli.option", option=error.argument_name) from None
        if rest and all_known:
            raise Refused("cli.unknown", words=rest)
        return chosen, rest


def carry_out(arguments: Sequence[str]) -> int:
    """Carry out a command line; gives the exit status."""
    words, command, began_s = Words(choose_language()), "", time.monotonic()
    try:
        typed, passed_on = _split(arguments)
        languages = _Parser()
        languages.add_argument("--lang", choices=LANGUAGES, default=words.language)
        chosen, rest = languages.take(typed, all_known=False)
        words = Words(chosen.lang)
        command, *options = rest or ["--help"]
        if command == "--version":
            print("poolwise", version("poolwise"))
            return 0
        if {"-h", "--help"} & {command, *options}:
            print(words.text(f"cli.help-{command}" if command in HANDLERS else "cli.help"), end="")
            return 0
        if command not in HANDLERS:
            raise Refused("cli.no-command", command=command, commands=[*HANDLERS])
        chosen = _parse(command, options)
        chosen.command, chosen.command_line = command, ["poolwise", *arguments]
        chosen.began_s, chosen.passed_on = began_s, passed_on
        return int(resolve_name(f"poolwise.{HANDLERS[command]}")(chosen, words))
    except KeyboardInterrupt:
        clear_line()
        print(words.text("cli.stopped-run" if command == "run" else "cli.stopped"))
        return 130
    except Failed as failure:
        return _complain(words.say(failure.message), failure.status)
    except BrokenPipeError:  # as of “| head”, which reads no further
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (LauncherError, OSError, ValueError) as error:
        return _complain(str(error), Refused.status)


def _complain(sentence: str, status: int) -> int:
    clear_line()
    print(defuse(sentence), file=sys.stderr)
    return status


def clear_line() -> None:
    """Take progress off the terminal."""
    if sys.stderr.isatty():
        print(CLEAR_LINE, end="", file=sys.stderr, flush=True)


def _split(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Split off what a program that is traced is given: all that follows its name."""
    if "run" in arguments and "--trace" in arguments:
        for count, argument in enumerate(arguments, 1):
            if argument.endswith(".py"):
                return arguments[:count], arguments[count:]
    return arguments, ()


def _parse(command: str, options: Sequence[str]) -> Namespace:
    parser = _Parser()
    add = parser.add_argument
    if command != "compare":
        add("--interpreters", default=os.environ.get("INTERPRETERS", ""))
    if command == "run":
        add("experiment", type=Path, nargs="?")
        add("--into", type=Path, default=Path("poolwise-results"))
        add("--profile", choices=PROFILES, default="quick")
        add("--only", default="")
        add("--trace", type=Path)
        chosen, _ = parser.take(options)
        is_program = chosen.experiment is not None and chosen.experiment.suffix == ".py"
        if is_program != (chosen.trace is not None):
            raise Refused("cli.program-or-experiment")
        if chosen.experiment is None:
            raise Refused("cli.no-experiment")
        return chosen
    add("--budget", type=_read_seconds, default=BUDGET_S)
    add("--limit", type=_read_seconds, default=RUN_LIMIT_S)
    add("--export-json", type=Path)
    add("--quiet", "-q", action="store_true")
    if command == "compare":
        add("programs", nargs="*")
        add("--same-output", action="store_true")
        add("--whole", action="store_true")
        add("--rounds", type=partial(_read_count, least=2))
        add("--warmup", type=_read_count, default=1)
        chosen, _ = parser.take(options)
        if len(chosen.programs) < 2:
            raise Refused("cli.few-programs")
        return chosen
    add("target", nargs="?")
    add("--items")
    add("--star", action="store_true")
    add("--workers", type=_read_counts, default=())
    add("--yes", "-y", action="store_true")
    chosen, _ = parser.take(options)
    if not chosen.target:
        raise Refused("cli.no-target")
    if not chosen.items:
        raise Refused("cli.no-items", target=chosen.target)
    return chosen


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < inf:
        raise Refused("cli.no-seconds", value=text)
    return seconds


def _read_count(text: str, least: int = 1) -> int:
    if not text.isdecimal() or int(text) < least:
        raise Refused("cli.no-count", value=text, least=least)
    return int(text)


def _read_counts(text: str) -> tuple[int, ...]:
    return tuple(map(_read_count, text.split(",")))
