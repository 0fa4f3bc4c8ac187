"""Report: the answer of a command as text, and as JSON with everything it rests on."""

import json
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import compress
from operator import attrgetter
from typing import Any

import msgspec

from poolwise.comparison import Contender, find_load
from poolwise.machine import describe_machine
from poolwise.output import align, defuse
from poolwise.paths import write_whole
from poolwise.pythons import Installation, ask_python
from poolwise.words import Message, Refused, Words

SCHEMA = 1  # version of the JSON; raise it where a name in it changes its meaning or goes
_ROW = ("name", "time_s", "times_s", "ratio", "start_s", "cores", "peak_pss_bytes")
_LAP = ("wall_s", "inside_s", "cpu_s", "load")
_PACKAGES = """\
import json
from importlib.metadata import distributions
print(json.dumps(dict(sorted((package.name, package.version) for package in distributions()))))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The answer of a command, its verdict first, and what it rests on.

    ``python`` runs the function, or the programs. ``names`` says of contenders what people call them,
    ``tried`` what came of each number of workers. The ``program`` is to be put into ``folder``.
    """

    outcome: str
    answer: Sequence[Message]
    python: Installation
    faults: Sequence[Message] = ()
    order: Sequence[Contender] = ()
    names: Mapping[str, Message] = field(default_factory=dict)
    tried: Sequence[dict[str, Any]] = ()
    program: str = ""
    folder: str = ""


def print_report(report: Report, words: Words, *, quiet: bool) -> None:
    """Print the answer, of a quiet command only its verdict; faults go to stderr."""
    verdict, *notes = map(words.say, report.answer)
    if quiet:
        for fault in report.faults:
            print(defuse(words.text("comparison.left-out", fault=fault)), file=sys.stderr)
        print(verdict)
        return
    print(verdict, *notes, sep="\n")
    if report.order:
        print("", *align(list_cells(report, words), 1), sep="\n")
    if report.program:
        place = words.text("cli.program", folder=report.folder)
        print("", place, "", report.program, sep="\n")


def list_cells(report: Report, words: Words) -> list[list[str]]:
    """Return the cells of a table: its head, and a row for each contender, the fastest first.

    Attempts at a function start with what we import, so their start-up tells a user nothing.
    """
    columns = ("time", "ratio", "start", "cores", "memory")
    rows = [["", *(words.text(f"cli.column-{column}") for column in columns)]]
    write = words.format_field
    for contender in report.order:
        ratio, start_s, size = contender.ratio, contender.start_s, contender.peak_pss_bytes
        cells = dict.fromkeys(columns, "")
        cells["time"] = write(contender.time_s, "4")
        cells["ratio"] = "1"
        if ratio:
            ends = f"{write(ratio.low, '3')}–{write(ratio.high, '3')}"
            cells["ratio"] = f"{write(ratio.median, '3')} ({ends})"
        if start_s is not None and not report.tried:
            cells["start"] = write(start_s, "3")
        cells["cores"] = write(contender.cores, "2")
        if size is not None:
            cells["memory"] = write(size / 1e6, "3")
        name = report.names.get(contender.name) or Message(contender.name)
        rows.append([words.say(name), *cells.values()])
    filled = list(map(any, zip(*rows[1:], strict=True)))
    return [list(compress(row, filled)) for row in rows]


def write_json(report: Report, chosen: Namespace, words: Words) -> None:
    """Write the file that the command names, whole or not at all."""
    try:
        write_whole(chosen.export_json, make_json(report, chosen, words).encode())
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused("cli.no-export", file=chosen.export_json, reason=reason) from None


def _take_row(contender: Contender) -> dict[str, Any]:
    row = {name: getattr(contender, name) for name in _ROW}
    take_lap = attrgetter(*_LAP)
    row["laps"] = [dict(zip(_LAP, take_lap(lap), strict=True)) for lap in contender.laps]
    return row


def make_json(report: Report, chosen: Namespace, words: Words) -> str:
    """Write everything that was measured as JSON; README says what its names mean."""
    order = report.order
    document = {
        "schema": SCHEMA,
        "poolwise": version("poolwise"),
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": chosen.command,
        "command_line": chosen.command_line,
        "budget_s": chosen.budget,
        "limit_s": chosen.limit,
        "machine": describe_machine(),
        "python": report.python.interpreter,
        "packages": json.loads(ask_python(report.python.path, _PACKAGES, report.python.env)),
        "load": find_load(order) if order else None,
        "outcome": report.outcome,
        "answer": list(map(words.say, report.answer)),
        "faults": list(map(words.say, report.faults)),
        "winner": order[0].name if report.outcome in ("winner", "use") else None,
        "rows": list(map(_take_row, order)),
        "tried": [
            attempt | {"fault": words.say(attempt["fault"]) if attempt["fault"] else None}
            for attempt in report.tried
        ],
        "program": report.program,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"
