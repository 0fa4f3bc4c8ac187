"""The store: ``results/<machine>/<interpreter>.json``, the records that travel."""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, cast

from scripts.host.interpreters import Interpreter
from scripts.host.machine import Machine
from scripts.records.file import (
    DamagedRecords,
    RecordsError,
    Results,
    format_results,
    locate,
    read_file,
    understand,
)
from scripts.records.record import UNKNOWN_SESSION, Record, Variant
from scripts.records.row import MOST_ROWS
from scripts.records.session import choose_session, name_session, read_boot

LARGEST_BYTES = 16 << 20
"""Of a results file; a full run of everything on one interpreter takes a few megabytes."""

Found = TypeVar("Found")

_DAMAGED = ".damaged-"
_CONTRIBUTED = "contributed"


def read_results(path: Path) -> Results | None:
    """The results in a file; ``None`` if there is no such file.

    Raises:
        DamagedRecords: the file is too large, is not JSON, is not of the schema, or holds what
            cannot be; names file and place.
        RecordsError: it cannot be read at all.
    """

    def read(found: os.stat_result) -> Results:
        return _read(path, (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns))

    return read_file(path, LARGEST_BYTES, read)


@lru_cache(maxsize=64)
def _read(path: Path, _state: tuple[int, ...]) -> Results:
    """The results in a file, once for each state of it: every page asks whether there are new."""
    return understand(path.read_bytes(), path)


def locate_contributed(results: Path) -> Path:
    """The folder, below that of the results measured here, of those that strangers have sent."""
    return results / _CONTRIBUTED


def list_files(folder: Path, machine: str = "") -> list[Path]:
    """The results files of a machine, by default of all, without those that were set aside."""
    return [
        path
        for path in sorted(folder.glob("*/*.json"))
        if _DAMAGED not in path.name and machine in ("", path.parent.name)
    ]


def read_machine(folder: Path, wanted: str, here: str) -> tuple[Results, ...]:
    """What is recorded of a machine; nothing if none is named, or the one at hand without records.

    Args:
        folder: where results are kept.
        wanted: a machine's id, or empty for the machine at hand.
        here: the id of the machine at hand.

    Raises:
        ValueError: nothing is recorded of such a machine; names those there are.
        RecordsError: what is recorded of it cannot be read.
    """
    if not wanted:
        return ()
    found = [read_results(path) for path in list_files(folder, wanted)]
    if not found and wanted != here:
        known = sorted({here} | {path.parent.name for path in list_files(folder)})
        raise ValueError(f"MACHINE={wanted} is not known; possible: {', '.join(known)}")
    return tuple(results for results in found if results)


def write_results(path: Path, results: Results) -> None:
    """Replace a results file as a whole: a reader sees the old or the new one, never a part.

    Raises:
        DamagedRecords: they are more than a file may hold; the old one is as it was.
        RecordsError: it cannot be written; the old one is as it was.
    """
    data = format_results(results)
    if len(data) > LARGEST_BYTES or len(results.records) > MOST_ROWS:  # nobody could read it again
        most = f"{LARGEST_BYTES >> 20} MiB or {MOST_ROWS} rows"
        raise DamagedRecords(f"{path}: records cannot be kept: more than {most}")
    replace_file(path, data)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file as a whole, in place of another if there is one.

    Raises:
        RecordsError: it cannot be written; the old one is as it was.
    """
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        try:
            with part.open("xb") as file:  # what stands there under its name is not written to
                file.write(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise RecordsError(f"{path}: records cannot be kept: {error.strerror}") from None


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged file so that it is kept but not read; gives its new path.

    Raises:
        RecordsError: it cannot be renamed.
    """
    aside = path.with_name(f"{path.stem}{_DAMAGED}{now:%Y%m%dT%H%M%SZ}{path.suffix}")
    try:
        path.replace(aside)
    except OSError as error:
        raise RecordsError(f"{path}: damaged and cannot be renamed: {error.strerror}") from None
    return aside


class Store:
    """The records of one machine, by variant and profile; ``save`` puts them into their files.

    ``machine`` is as described with the records that there are, and as it is now from the begin of a
    ``session`` on, the one of which new trials are.

    Args:
        folder: where results are kept, a folder a machine.
        machine: whose records these are.
        interpreters: which of its interpreters to keep records of.
        warn: told, in a sentence, when damaged records had to be set aside.

    Raises:
        RecordsError: records cannot be read, set aside or, by ``save``, kept.
    """

    def __init__(
        self,
        folder: Path,
        machine: Machine,
        interpreters: Sequence[Interpreter],
        warn: Callable[[str], None],
    ) -> None:
        self.folder = folder
        self.machine = self._here = machine
        self.session = UNKNOWN_SESSION
        self._interpreters = {interpreter.id: interpreter for interpreter in interpreters}
        self._warn = warn
        self._records: dict[tuple[str, Variant], Record] = {}
        self._derived: dict[tuple[str, object], object] = {}
        self.read()

    def read(self) -> None:
        """Read the files again, whatever was known before."""
        found: dict[tuple[str, Variant], Record] = {}
        for name in self._interpreters:
            path = locate(self.folder, self.machine.id, name)
            try:
                results = read_results(path)
            except DamagedRecords as error:
                aside = set_aside(path, datetime.now(UTC))
                self._warn(f"damaged records: {error}; kept as {aside.name}, measuring again")
                continue
            for record in results.records if results else ():
                found[record.profile, record.variant] = record
            if results and self.session == UNKNOWN_SESSION:
                self._recall(results.machine)
        if found != self._records:
            self._records = found
            self._derived.clear()

    def _recall(self, machine: Machine) -> None:
        """Take the description that a file has, if it is the latest."""
        known, told = self.machine.pair, machine.pair
        if self.machine is self._here or (
            told and (known is None or known.measured_at < told.measured_at)
        ):
            self.machine = machine

    def begin_session(self, now: datetime, *, anew: bool = False) -> None:
        """From now on trials are of the session that goes on, or of a new one, at least if ``anew``."""
        boot = read_boot()
        self.session = name_session(now, boot) if anew else self._choose_session(now, boot)
        self.machine = replace(self._here, pair=self.machine.pair)

    def _choose_session(self, now: datetime, boot: str) -> str:
        known = list(self._records.values())
        for path in list_files(self.folder, self.machine.id):  # of other Pythons too
            with suppress(RecordsError):
                if found := read_results(path):
                    known += found.records
        return choose_session(known, now, boot)

    def find(self, variant: Variant, profile: str) -> Record | None:
        """The record of a variant at a profile's size, valid or not."""
        return self._records.get((profile, variant))

    def derive(self, profile: str, make: Callable[[Iterable[Record]], Found]) -> Found:
        """What is made of all records of a profile, valid or not: once while none of them changes."""
        key = (profile, make)
        if key not in self._derived:
            records = (record for (size, _), record in self._records.items() if size == profile)
            self._derived[key] = make(records)
        return cast("Found", self._derived[key])

    def put(self, record: Record) -> None:
        """Keep a record in place of the one of the same variant and profile."""
        self._records[record.profile, record.variant] = record
        self._derived.clear()

    def save(self) -> None:
        """Write every interpreter's file that has records, without those of which nothing was tried."""
        for name, interpreter in self._interpreters.items():
            records = [
                record
                for record in self._records.values()
                if record.variant.interpreter == name and record.is_begun
            ]
            if records:
                write_results(
                    locate(self.folder, self.machine.id, name),
                    Results(machine=self.machine, interpreter=interpreter, records=tuple(records)),
                )
