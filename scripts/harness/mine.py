"""The commands for programs of one's own: ``compare a.py b.py`` and ``try work.py:handle``.

The answer goes to stdout, progress to stderr, and everything that was measured to ``mine.json``.
"""

import os
import shlex
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from scripts.harness.comparison import (
    Contender,
    Contest,
    Failed,
    Standing,
    describe_noise,
    describe_standing,
    list_rows,
)
from scripts.harness.output import align, defuse
from scripts.harness.paths import write_whole
from scripts.harness.process import Command, Launcher, LauncherError
from scripts.harness.progress import CLEAR
from scripts.harness.pythons import Installation, select
from scripts.harness.suggestion import (
    Bench,
    describe_suggestion,
    find_target,
    read_items,
    suggest,
    write_program,
)

COMMANDS = ("compare", "try")
FILE = "mine.json"
OLDEST = (3, 11)
"""The oldest Python that is tried besides the one asked for."""


def run_mine(arguments: Sequence[str]) -> int:
    """Carry out a command for programs of one's own; gives the exit status."""
    chosen = _make_parser().parse_args(arguments)
    try:
        with Launcher() as launcher:
            answer = (_compare if chosen.command == "compare" else _try)(chosen, launcher)
    except KeyboardInterrupt:
        _tell("")
        print(f"Stopped. Nothing is left running, and {chosen.into} wasn't written.")
        return 130
    except (Failed, LauncherError, OSError, ValueError) as error:
        _tell("")
        print(defuse(str(error)), file=sys.stderr)
        return 1 if isinstance(error, Failed) else 2
    return _keep(chosen, answer)


def _make_parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m scripts.harness")
    commands = parser.add_subparsers(dest="command", required=True)
    compare = commands.add_parser("compare", help="which of your programs is the fastest")
    compare.add_argument(
        "programs", nargs="+", help="a .py file, or a command in quotes: 'b.py --fast'"
    )
    compare.add_argument(
        "--same-output", action="store_true", help="all must print the same (except for “time … s”)"
    )
    trial = commands.add_parser("try", help="what your function would gain from a pool")
    trial.add_argument("target", help="FILE:FUNCTION, such as work.py:handle")
    trial.add_argument(
        "--items",
        type=Path,
        required=True,
        help="what it is called with, one at a time: a JSON list, or lines of text",
    )
    trial.add_argument(
        "--interpreters",
        default=os.environ.get("INTERPRETERS", ""),
        help="the Python to try it on, then others to try as well: 3.13,3.14t; auto for all from 3.11 on",
    )
    for command in (compare, trial):
        command.add_argument("--budget", type=int, default=55, help="seconds in all (55)")
        command.add_argument("--limit", type=int, default=30, help="seconds a run may take (30)")
        command.add_argument("--into", type=Path, default=Path(FILE), help=f"({FILE})")
    return parser


def _compare(chosen: Namespace, launcher: Launcher) -> dict[str, Any]:
    if len(chosen.programs) < 2:
        raise Failed("name at least two programs: compare a.py b.py")
    contenders = _make_contenders(chosen)
    contest = Contest(contenders, launcher, _tell)
    standing = contest.run(chosen.budget, same_output=chosen.same_output)
    _tell("")
    sentence, notes = describe_standing(standing), [describe_noise(standing.order)]
    if any(one.is_whole and one.tells_time for one in contenders):
        notes.insert(0, "Whole runs were compared, because not all of them print “time … s”.")
    print(sentence, "", *format_standing(standing), "", *notes, sep="\n")
    return {"command": "compare", "answer": [sentence, *notes], **_tell_standing(standing)}


def _make_contenders(chosen: Namespace) -> list[Contender]:
    contenders: list[Contender] = []
    for text in chosen.programs:
        words = _split(text)
        argv = [sys.executable, *words] if words[0].endswith(".py") else words
        if words[0].endswith(".py") and not Path(words[0]).is_file():
            raise Failed(f"there is no file {words[0]}")
        count = sum(one.name.removesuffix(" (again)") == text for one in contenders)
        command = Command(
            argv=tuple(argv),
            env=dict(os.environ),
            cwd=Path.cwd(),
            timeout_s=chosen.limit,
            grace_s=2.0,
        )
        contenders.append(Contender(name=text + " (again)" * count, command=command))
    return contenders


def _split(text: str) -> list[str]:
    """The words of a command; of the name of a file one, whatever is in it."""
    try:
        words = [text] if Path(text).is_file() else shlex.split(text)
    except ValueError as error:
        raise Failed(f"{text} isn't a command: {error}") from None
    if not words:
        raise Failed("a program without a name can't be run")
    return words


def _try(chosen: Namespace, launcher: Launcher) -> dict[str, Any]:
    task, items = find_target(chosen.target), read_items(chosen.items)
    first, *others = find_installations(chosen.interpreters)
    bench = Bench(
        launcher=launcher,
        installation=first,
        limit_s=chosen.limit,
        until_s=time.monotonic() + chosen.budget,
        tell=_tell,
    )
    print(
        f"{task.function} will be called on these items twenty times or more."
        " Stop now (Ctrl-C) if that does harm.",
        file=sys.stderr,
    )
    found = suggest(task, items, bench, others)
    _tell("")
    lines, program = describe_suggestion(found), write_program(found, chosen.items)
    print(*lines, "", *format_standing(found.standing, starts=False), "", sep="\n")
    if program:
        print(f"In {task.folder}:\n\n{program.rstrip()}")
    return {
        "command": "try",
        "answer": lines,
        "program": program,
        "python": first.interpreter.title,
        "tried": [(one.task.label, one.fault or one.time_s) for one in found.tried],
        **_tell_standing(found.standing),
    }


def find_installations(wanted: str) -> list[Installation]:
    """Return the Python to try a function on, then the others, the newest first."""
    if wanted not in ("", "auto"):
        return [*select(wanted)]
    first, *others = select("auto")
    newer = [one for one in others if one.interpreter.minor >= OLDEST and not one.env]
    return [first, *sorted(newer, key=lambda one: one.interpreter.minor, reverse=True)]


def format_standing(standing: Standing, *, starts: bool = True) -> list[str]:
    """Return the lines of a table with a row for each contender, the fastest first.

    Attempts at a function start with what we import, so their ``starts`` tell a user nothing.
    """
    rows = [("", "time s", "× the first", "start s" * starts, "cores", "memory MB")]
    for row in list_rows(standing):
        ratio = row.ratio
        rows.append(
            (
                row.name,
                f"{row.time_s:.4g}",
                f"{ratio.median:.3g} ({ratio.low:.3g}–{ratio.high:.3g})" if ratio else "1",
                f"{row.start_s:.3f}" if starts and row.start_s is not None else "",
                f"{row.cores:.2f}",
                "" if row.peak_pss_bytes is None else f"{row.peak_pss_bytes / 1e6:.1f}",
            )
        )
    return align(rows, 1)


def _tell_standing(standing: Standing) -> dict[str, Any]:
    laps = {one.name: one.laps for one in standing.order}
    return {"winner": standing.answer, "rows": list_rows(standing), "laps": laps}


def _keep(chosen: Namespace, answer: dict[str, Any]) -> int:
    """Write everything that was measured into a file, whole or not at all."""
    kept = {"measured_at": datetime.now(UTC).isoformat(timespec="seconds"), **answer}
    data = msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n"
    try:
        write_whole(chosen.into, data)
    except OSError as error:
        reason = error.strerror or str(error)
        print(f"{chosen.into} wasn't written: {reason}. The answer above stands.", file=sys.stderr)
        return 2
    return 0


def _tell(line: str) -> None:
    """Show progress: on a terminal in one line that rewrites itself, nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"{CLEAR}{line[:78]}", end="", file=sys.stderr, flush=True)
