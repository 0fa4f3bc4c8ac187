"""The commands for programs of one's own: ``compare a.py b.py`` and ``try work.py:handle``.

The answer goes to stdout, progress to stderr, and everything that was measured to ``mine.json``.
"""

import os
import shlex
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from poolwise.comparison import (
    Contender,
    Rules,
    check_time,
    describe_noise,
    describe_order,
    has_winner,
    hold_contest,
)
from poolwise.output import align, defuse
from poolwise.paths import write_whole
from poolwise.process import Command, Launcher, LauncherError
from poolwise.pythons import select
from poolwise.suggestion import Bench, Task, describe_suggestion, suggest
from poolwise.target import find_target, read_items, write_program
from poolwise.words import Failed, Message, Refused, Words

COMMANDS = ("compare", "try")
CLEAR = "\r\x1b[K"
FILE = "mine.json"
TOLD = ("name", "time_s", "ratio", "start_s", "cores", "peak_pss_bytes", "laps")
"""What the file says of each contender."""
Answer = tuple[dict[str, Any], Sequence[Contender]]
"""What else it says, and who ran, the fastest first."""
OLDEST = (3, 11)
"""The oldest Python that a function is tried on."""


def run_mine(arguments: Sequence[str]) -> int:
    """Carry out a command for programs of one's own; gives the exit status."""
    chosen = _make_parser().parse_args(arguments)
    try:
        with Launcher() as launcher:
            answer, order = (_compare if chosen.command == "compare" else _try)(chosen, launcher)
    except KeyboardInterrupt:
        _tell("")
        print(f"Stopped. Nothing is left running, and {chosen.into} wasn't written.")
        return 130
    except (Failed, LauncherError, OSError, ValueError) as error:
        _tell("")
        print(defuse(str(error)), file=sys.stderr)
        is_failed = isinstance(error, Failed) and not isinstance(error, Refused)
        return 1 if is_failed else 2
    # Everything that was measured goes into a file, whole or not at all.
    kept = {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": chosen.command,
        **answer,
        "winner": order[0].name if has_winner(order) else None,
        "rows": [dict(zip(TOLD, attrgetter(*TOLD)(one), strict=True)) for one in order],
    }
    try:
        write_whole(chosen.into, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    except OSError as error:
        reason = error.strerror or str(error)
        print(f"{chosen.into} wasn't written: {reason}. The answer above stands.", file=sys.stderr)
        return 2
    return 0


def _make_parser() -> ArgumentParser:
    parser = ArgumentParser(prog="poolwise")
    commands = parser.add_subparsers(dest="command", required=True)
    compare = commands.add_parser("compare", help="which of your programs is the fastest")
    compare.add_argument("programs", nargs="+", help="a .py file, or in quotes: 'b.py --fast'")
    same = "all must print the same (except for “time … s”)"
    compare.add_argument("--same-output", action="store_true", help=same)
    trial = commands.add_parser("try", help="what your function would gain from a pool")
    trial.add_argument("target", help="FILE:FUNCTION, such as work.py:handle")
    items = "what it is called with: a JSON list, JSON Lines, lines of text, or work.py:make_items"
    trial.add_argument("--items", required=True, help=items)
    star = "an item is its arguments: a list by place, an object by name"
    trial.add_argument("--star", action="store_true", help=star)
    pythons = (
        "the Python to try it on, then others to try as well: 3.13,3.14t; auto for all from 3.11 on"
    )
    wanted = os.environ.get("INTERPRETERS", "")
    trial.add_argument("--interpreters", default=wanted, help=pythons)
    for command in (compare, trial):
        command.add_argument("--budget", type=int, default=55, help="seconds in all (55)")
        command.add_argument("--limit", type=int, default=30, help="seconds a run may take (30)")
        command.add_argument("--into", type=Path, default=Path(FILE), help=f"({FILE})")
    return parser


def _compare(chosen: Namespace, launcher: Launcher) -> Answer:
    if len(chosen.programs) < 2:
        raise Failed("name at least two programs: compare a.py b.py")
    contenders = _make_contenders(chosen)
    rules = Rules(least=2, same_output=chosen.same_output, check=check_time)
    order = hold_contest(contenders, launcher, _tell_message, chosen.budget, rules)
    _tell("")
    say = Words().say
    sentence, notes = say(describe_order(order)), [say(note) for note in describe_noise(order)]
    print(sentence, "", *format_order(order), "", *notes, sep="\n")
    return {"answer": [sentence, *notes]}, order


def _make_contenders(chosen: Namespace) -> list[Contender]:
    contenders: list[Contender] = []
    env, cwd = dict(os.environ), Path.cwd()
    for text in chosen.programs:
        try:  # the name of a file is one word, whatever is in it
            words = [text] if os.path.isfile(text) else shlex.split(text)  # noqa: PTH113 - a long one
        except ValueError as error:
            raise Failed(f"{text} isn't a command: {error}") from None
        if not words:
            raise Failed("a program without a name can't be run")
        if words[0].endswith(".py"):
            if not Path(words[0]).is_file():
                raise Failed(f"there is no file {words[0]}")
            words = [sys.executable, *words]
        command = Command(argv=tuple(words), env=env, cwd=cwd, timeout_s=chosen.limit, grace_s=2.0)
        count = chosen.programs[: len(contenders)].count(text)
        contenders.append(Contender(name=text + " (again)" * count, command=command))
    return contenders


def _try(chosen: Namespace, launcher: Launcher) -> Answer:
    target = find_target(chosen.target)
    items = read_items(chosen.items, target)
    target = replace(target, items_from=items.maker, is_spread=chosen.star)
    task = Task(**asdict(target))
    first, *others = select(chosen.interpreters or "auto")
    if chosen.interpreters in ("", "auto"):  # the newest first, while time is left
        able = [one for one in others if one.interpreter.minor >= OLDEST and not one.env]
        others = sorted(able, key=lambda one: one.interpreter.minor, reverse=True)
    for one in (first, *others):
        if one.interpreter.minor < OLDEST:
            raise Failed(f"{one.interpreter.title} is too old: a function is tried from 3.11 on")
    bench = Bench(
        launcher=launcher,
        installation=first,
        limit_s=chosen.limit,
        until_s=time.monotonic() + chosen.budget,
        tell=_tell_message,
    )
    warning = (
        "will be called on these items twenty times or more. Stop now (Ctrl-C) if that does harm."
    )
    print(f"{task.function} {warning}", file=sys.stderr)
    found = suggest(task, items.values, bench, others)
    _tell("")
    lines = describe_suggestion(found)
    program = write_program(found.chosen, found.nature, found.given, items)
    print(*lines, "", *format_order(found.order, starts=False), "", sep="\n")
    if program:
        print(f"In {task.folder}:\n\n{program.rstrip()}")
    tried = [(one.label, one.fault or one.time_s) for one in found.tried]
    python = first.interpreter.title
    return {"answer": lines, "program": program, "python": python, "tried": tried}, found.order


def format_order(order: Sequence[Contender], *, starts: bool = True) -> list[str]:
    """Return the lines of a table with a row for each contender, the fastest first.

    Attempts at a function start with what we import, so their ``starts`` tell a user nothing.
    """
    rows = [("", "time s", "× the first", "start s" * starts, "cores", "memory MB")]
    for one in order:
        ratio = one.ratio
        times = f"{ratio.median:.3g} ({ratio.low:.3g}–{ratio.high:.3g})" if ratio else "1"
        start = f"{one.start_s:.3f}" if starts and one.start_s is not None else ""
        memory = "" if one.peak_pss_bytes is None else f"{one.peak_pss_bytes / 1e6:.1f}"
        rows.append((one.name, f"{one.time_s:.4g}", times, start, f"{one.cores:.2f}", memory))
    return align(rows, 1)


def _tell_message(message: Message) -> None:
    _tell(Words().say(message))


def _tell(line: str) -> None:
    """Show progress: on a terminal in one line that rewrites itself, nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"{CLEAR}{line[:78]}", end="", file=sys.stderr, flush=True)
