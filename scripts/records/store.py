"""The store: ``results/<machine>/<interpreter>.json``, the records that travel."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from scripts.host.interpreters import Interpreter
from scripts.host.machine import Machine
from scripts.records.record import Record
from scripts.records.row import Row, read_row, write_row
from scripts.records.variant import Variant

_DAMAGED = ".damaged-"


class DamagedRecords(ValueError):
    """A results file that cannot be read as one."""


class ResultsFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``results/<machine>/<interpreter>.json`` holds; its JSON Schema is made from this."""

    schema: Literal[1] = 1
    machine: Machine
    interpreter: Interpreter
    rows: list[Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Everything one interpreter gave on one machine."""

    machine: Machine
    interpreter: Interpreter
    records: tuple[Record, ...]


def locate(folder: Path, machine: str, interpreter: str) -> Path:
    """Where the records of an interpreter on a machine are kept below ``folder``."""
    return folder / machine / f"{interpreter}.json"


def read_results(path: Path) -> Results | None:
    """The results in a file; ``None`` if there is no such file.

    Raises:
        DamagedRecords: the file is not JSON, or not of the schema; names file and place.
    """
    try:
        file = msgspec.json.decode(path.read_bytes(), type=ResultsFile)
        records = tuple(read_row(row) for row in file.rows)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise DamagedRecords(f"{path}: {error}") from None
    return Results(machine=file.machine, interpreter=file.interpreter, records=records)


def list_files(folder: Path) -> list[Path]:
    """The results files of all machines, without those that were set aside."""
    return [path for path in sorted(folder.glob("*/*.json")) if _DAMAGED not in path.name]


def read_machine(folder: Path, wanted: str, here: str) -> tuple[Results, ...]:
    """What is recorded of a machine other than the one at hand; nothing if that is the wanted one.

    Args:
        folder: where results are kept.
        wanted: a machine's id, or empty for the machine at hand.
        here: the id of the machine at hand.

    Raises:
        ValueError: nothing is recorded of such a machine; names those there are.
    """
    if wanted in ("", here):
        return ()
    found = [read_results(path) for path in list_files(folder) if path.parent.name == wanted]
    if not found:
        known = sorted({here} | {path.parent.name for path in list_files(folder)})
        raise ValueError(f"MACHINE={wanted} is not known; possible: {', '.join(known)}")
    return tuple(results for results in found if results)


def write_results(path: Path, results: Results) -> None:
    """Replace a results file as a whole: a reader sees the old or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    machine, interpreter = map(msgspec.json.encode, (results.machine, results.interpreter))
    rows = b",\n".join(msgspec.json.encode(write_row(record)) for record in results.records)
    # A row a line: a diff then shows which records changed.
    part.write_bytes(
        b'{"schema":1,\n"machine":%b,\n"interpreter":%b,\n"rows":[\n%b\n]}\n'
        % (machine, interpreter, rows)
    )
    part.replace(path)


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged file so that it is kept but not read; gives its new path."""
    aside = path.with_name(f"{path.stem}{_DAMAGED}{now:%Y%m%dT%H%M%SZ}{path.suffix}")
    path.replace(aside)
    return aside


class Store:
    """The records of one machine, by variant and profile; ``save`` puts them into their files.

    Args:
        folder: where results are kept, a folder a machine.
        machine: whose records these are.
        interpreters: which of its interpreters to keep records of.
        warn: told, in a sentence, when damaged records had to be set aside.
    """

    def __init__(
        self,
        folder: Path,
        machine: Machine,
        interpreters: Sequence[Interpreter],
        warn: Callable[[str], None],
    ) -> None:
        self.folder = folder
        self.machine = machine
        self._interpreters = {interpreter.id: interpreter for interpreter in interpreters}
        self._warn = warn
        self._records: dict[tuple[str, Variant], Record] = {}
        self.read()

    def read(self) -> None:
        """Read the files again, whatever was known before."""
        self._records.clear()
        for name in self._interpreters:
            path = locate(self.folder, self.machine.id, name)
            try:
                results = read_results(path)
            except DamagedRecords as error:
                aside = set_aside(path, datetime.now(UTC))
                self._warn(f"damaged records: {error}; kept as {aside.name}, measuring again")
                continue
            for record in results.records if results else ():
                self.put(record)

    def find(self, variant: Variant, profile: str) -> Record | None:
        """The record of a variant at a profile's size, valid or not."""
        return self._records.get((profile, variant))

    def put(self, record: Record) -> None:
        """Keep a record in place of the one of the same variant and profile."""
        self._records[record.profile, record.variant] = record

    def save(self) -> None:
        """Write every interpreter's file that has records."""
        for name, interpreter in self._interpreters.items():
            records = [
                record for record in self._records.values() if record.variant.interpreter == name
            ]
            if records:
                write_results(
                    locate(self.folder, self.machine.id, name),
                    Results(machine=self.machine, interpreter=interpreter, records=tuple(records)),
                )


def make_schema() -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of a results file."""
    schema = msgspec.json.schema(ResultsFile)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
