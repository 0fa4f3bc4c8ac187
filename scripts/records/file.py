"""The results file: its form, how its bytes are read as that, and what is raised if they cannot."""

import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from scripts.host.interpreters import Interpreter
from scripts.host.machine import Machine
from scripts.records.record import Record
from scripts.records.row import MOST_ROWS, ResultsFile, Row, Rows, encode_row, read_row
from scripts.records.rules import find_faults

LONGEST_FAULT = 1000
"""Characters of a fault that are told: it may quote a name of megabytes."""

_NUMBERS = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+")|\[[-+.\deEnul,\[\]\s]*\]', re.DOTALL)
"""Strings, and lists of numbers, which are nearly all of a file: where objects alone matter, time is
lost on them. Inside of a string each ``[`` would be taken for a list, and looked at to the end."""

Found = TypeVar("Found")


class RecordsError(Exception):
    """Records cannot be read or kept; ``faults`` are sentences with file and reason, at least one."""

    def __init__(self, *faults: str) -> None:
        # They may quote the file, and are printed where a line of its own may mean something.
        self.faults = tuple(
            "".join(sign if sign.isprintable() else " " for sign in fault[:LONGEST_FAULT])
            for fault in faults
        )
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"{self.faults[0]}{more}")


class DamagedRecords(RecordsError):
    """A results file that cannot be read as one."""


_RawRows = Annotated[list[msgspec.Raw], Meta(max_length=MOST_ROWS)]


class _Parts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A results file in parts, so that a fault in one does not hide those in others."""

    schema: Literal[1, 2]
    machine: msgspec.Raw
    interpreter: msgspec.Raw
    rows: msgspec.Raw


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Everything one interpreter gave on one machine."""

    machine: Machine
    interpreter: Interpreter
    records: tuple[Record, ...]


def locate(folder: Path, machine: str, interpreter: str) -> Path:
    """Where the records of an interpreter on a machine are kept below ``folder``."""
    return folder / machine / f"{interpreter}.json"


def read_file(
    path: Path,
    most_bytes: int,
    read: Callable[[os.stat_result], Found],
    *,
    follow_links: bool = True,
) -> Found | None:
    """What ``read`` makes of a plain file, given its state; ``None`` if there is no such file.

    Raises:
        DamagedRecords: the file is larger than ``most_bytes``; and what ``read`` raises.
        RecordsError: it is no plain file, or cannot be read at all.
    """
    try:
        found = path.stat(follow_symlinks=follow_links)
        if not stat.S_ISREG(found.st_mode):
            is_link = stat.S_ISLNK(found.st_mode)
            what = "a symbolic link, which is not followed" if is_link else "not a file"
            raise RecordsError(f"{path}: {what}")
        if found.st_size > most_bytes:
            most = f"{most_bytes >> 20} MiB" if most_bytes >> 20 else f"{most_bytes >> 10} KiB"
            raise DamagedRecords(f"{path}: larger than {most}")
        return read(found)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordsError(f"{path}: {error.strerror}") from None


def understand(data: bytes, path: Path) -> Results:
    """The results that the bytes of a file hold.

    Raises:
        DamagedRecords: they are no results, or cannot be; tells every fault.
    """
    file = check_file(data, path)
    # A text is a reason of before they had codes: such a cell counts as not yet measured.
    records = tuple(
        read_row(row) for row in file.rows if not isinstance(row.reason, str) or not row.reason
    )
    return Results(machine=file.machine, interpreter=file.interpreter, records=records)


def check_file(data: bytes, path: Path, *, placed: bool = True) -> ResultsFile:
    """The rows that bytes hold, which keep all rules.

    Args:
        data: what a file holds.
        path: where it is, for the message.
        placed: whether folder and file have to be named after machine and interpreter.

    Raises:
        DamagedRecords: they are no results, or cannot be; tells every fault.
    """
    file = parse(data, path)
    place = path if placed else locate(Path(), file.machine.id, file.interpreter.id)
    if faults := list(find_faults(file, place, datetime.now(UTC))):
        raise DamagedRecords(*faults)
    return file


def format_results(results: Results) -> bytes:
    """The bytes of a results file, which ``understand`` reads."""
    machine, interpreter = map(msgspec.json.encode, (results.machine, results.interpreter))
    rows = b",\n".join(msgspec.json.encode(encode_row(record)) for record in results.records)
    # A row a line: a diff then shows which records changed.
    text = b'{"schema":2,\n"machine":%b,\n"interpreter":%b,\n"rows":[\n%b\n]}\n'
    return text % (machine, interpreter, rows)


def parse(data: bytes, path: Path) -> ResultsFile:
    """Read bytes as a results file.

    Raises:
        DamagedRecords: they are not JSON, or not of the schema; tells every part that is not.
    """
    try:
        parts = msgspec.json.decode(data, type=_Parts)
    except (ValueError, RecursionError) as error:
        raise DamagedRecords(f"{path}: {error}") from None
    faults: list[str] = []
    found: list[Any] = []
    for place, raw, kind in (
        ("machine", parts.machine, Machine),
        ("interpreter", parts.interpreter, Interpreter),
    ):
        try:
            found.append(_decode(raw, kind))
        except ValueError as error:
            faults.append(f"{place}: {error}")
    try:
        found.append(msgspec.json.decode(parts.rows, type=Rows))
    except ValueError:
        faults += _find_bad_rows(parts.rows)
    if not faults:  # only now, so that no more is held than a results file can have
        try:
            short = _NUMBERS.sub(lambda found: found[1] or b"[]", data)
            json.loads(short, object_pairs_hook=_refuse_doubles)
        except ValueError as error:
            faults.append(str(error))
    if faults:
        raise DamagedRecords(*(f"{path}: {fault}" for fault in faults))
    machine, interpreter, rows = found
    return ResultsFile(schema=parts.schema, machine=machine, interpreter=interpreter, rows=rows)


def make_schema(form: type[msgspec.Struct] = ResultsFile) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a results file, or of what is published from them."""
    schema = msgspec.json.schema(form)
    for one in schema["$defs"].values():
        if one["type"] == "object":  # machine and interpreter too, see ``_decode``
            one["additionalProperties"] = False
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _decode(raw: msgspec.Raw, kind: type[object]) -> object:
    part = msgspec.json.decode(raw, type=kind)
    # Of a dataclass msgspec lets fields pass that it does not have.
    given, known = map(msgspec.json.decode, (raw, msgspec.json.encode(part)))
    if strange := [name for name in given if given[name] != known.get(name)]:
        raise ValueError(f"unknown fields, in or as {', '.join(map(ascii, strange))}")
    return part


def _find_bad_rows(raw: msgspec.Raw) -> Iterator[str]:
    """What is wrong with each row, when not all can be read."""
    try:
        rows = msgspec.json.decode(raw, type=_RawRows)
    except ValueError as error:
        yield f"rows: {error}"
        return
    for number, row in enumerate(rows, 1):
        try:
            msgspec.json.decode(row, type=Row)
        except ValueError as error:
            yield f"row {number}: {error}"


def _refuse_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values of one key a reader of the file sees either, we the other."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {double!a} stands twice in an object")
    return found
