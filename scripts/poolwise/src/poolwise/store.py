"""The store: ``results/<machine>/<interpreter>.json``, the records that travel, read as a stranger's.

What is no results file, or holds what cannot be, is ``DamagedRecords``; where a file cannot be read or kept
at all, ``RecordsError``, and an old one stays as it was. What must hold between the values of a file, beyond
what their types say, are rules: functions that give a sentence for each fault they find.
"""

import hashlib
import os
import re
import stat
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from msgspec import structs

from poolwise.declaration import find_unfit
from poolwise.machine import Machine
from poolwise.metrics import AFTERWARDS_S, COUNTED, ROUNDING_S, SHORTEST_S
from poolwise.output import blank_controls
from poolwise.paths import identify, write_whole
from poolwise.pythons import Interpreter, make_python_id
from poolwise.record import (
    CONTROLS,
    LARGEST_READING,
    MOST_RECORDS,
    MOST_SESSIONS,
    TIMED,
    TRACED,
    UNKNOWN_SESSION,
    Record,
    Results,
    Variant,
    choose_session,
    list_columns,
    read_boot,
)

LONGEST_FAULT = 1000  # characters of a fault in a message: it may quote a name of megabytes

# The part of a file in which msgspec has met a fault.
_PLACE = re.compile(r" - at `\$\.(?:(machine|interpreter)|rows\[(\d+)\])")

Derived = TypeVar("Derived")


class RecordsError(Exception):
    """Records cannot be read or kept; ``faults`` are sentences with file and reason, at least one."""

    def __init__(self, *faults: str) -> None:
        # They may quote the file, and are printed where a line of its own may mean something.
        self.faults = tuple(blank_controls(fault[:LONGEST_FAULT]) for fault in faults)
        message = self.faults[0]
        if len(faults) > 1:
            message += f" (and {len(faults) - 1} more)"
        super().__init__(message)


class DamagedRecords(RecordsError):
    """A results file that cannot be read as one."""


def locate(folder: Path, machine: str, interpreter: str) -> Path:
    """Locate the records of an interpreter on a machine below ``folder``."""
    return folder / machine / f"{interpreter}.json"


def read_plain(
    path: Path, most_bytes: int, read: Callable[[os.stat_result], Derived]
) -> Derived | None:
    """Read a plain file, no link, by ``read``, given its state; ``None`` if there is no such file."""
    try:
        state = path.stat(follow_symlinks=False)
        if stat.S_ISLNK(state.st_mode):
            raise RecordsError(f"{path}: a symbolic link, which is not followed")
        if not stat.S_ISREG(state.st_mode):
            raise RecordsError(f"{path}: not a file")
        if state.st_size > most_bytes:
            most = f"{most_bytes >> 20} MiB" if most_bytes >> 20 else f"{most_bytes >> 10} KiB"
            raise DamagedRecords(f"{path}: larger than {most}")
        return read(state)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordsError(f"{path}: {error.strerror}") from None


def read_bytes(path: Path, most_bytes: int) -> bytes | None:
    """Read the bytes of a plain file, no link; ``None`` if there is no such file."""
    return read_plain(path, most_bytes, lambda _: path.read_bytes())


def check_file(data: bytes, path: Path, *, placed: bool = True) -> Results:
    """Return the results that bytes hold, which keep all rules; if ``placed``, also of the file's name."""
    try:
        results = msgspec.json.decode(data, type=Results)
    except (ValueError, RecursionError) as error:
        fault = str(error)
        if place := _PLACE.search(fault):
            fault = f"{place[1] or f'row {int(place[2]) + 1}'}: {fault}"
        raise DamagedRecords(f"{path}: {fault}") from None
    if not placed:
        path = locate(Path(), results.machine.id, results.interpreter.id)
    if faults := list(find_faults(results, path)):
        raise DamagedRecords(*faults)
    records = tuple(structs.replace(record, digest="") for record in results.records)
    return structs.replace(results, records=records)


def format_results(results: Results) -> bytes:
    """Return the bytes of a results file, which ``check_file`` reads."""
    machine, interpreter = map(msgspec.json.encode, (results.machine, results.interpreter))
    rows = b",\n".join(map(_format_row, results.records))
    # A row a line: a diff then shows which records changed.
    text = b'{"schema":2,\n"machine":%b,\n"interpreter":%b,\n"rows":[\n%b\n]}\n'
    return text % (machine, interpreter, rows)


def _format_row(record: Record) -> bytes:
    """Return a row with its digest, in the form in which it is written again once it was read."""
    read = msgspec.json.decode(msgspec.json.encode(record), type=Record)
    return msgspec.json.encode(structs.replace(read, digest=digest_record(read)))


def digest_record(record: Record) -> str:
    """Take the digest of a record's values, by which a damaged row differs from the one that was written."""
    text = msgspec.json.encode(structs.replace(record, digest=""))
    return hashlib.sha256(text).hexdigest()[:16]


def make_schema() -> dict[str, Any]:
    """Make the JSON Schema (draft 2020-12) of a results file."""
    schema = msgspec.json.schema(Results)
    for definition in schema["$defs"].values():
        if definition["type"] == "object":
            definition["additionalProperties"] = False
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


# Nothing was measured before: it is the year of the first program.
FIRST_DATE = datetime(2026, 1, 1, tzinfo=UTC)
CLOCK_TOLERANCE = timedelta(days=1)
SMALLEST = 1e-12
# A Python starts in no less than so many times its `loop_s`: four times on the fastest, and
# neighbours may have doubled that.
LEAST_LOOPS = 2.0


def find_faults(file: Results, path: Path) -> Iterator[str]:
    """Every fault of a results file, in a sentence with file, row, experiment and program.

    The last parts of ``path`` are to be the ids of machine and interpreter.
    """
    for fault in _check_facts(file, path):
        yield f"{path}: {fault}"
    first: dict[tuple[str, Variant], str] = {}
    for number, row in enumerate(file.records, 1):
        name = f"row {number} ({row.experiment}/{row.program})"
        known = first.setdefault((row.profile, row.variant), name)
        if known != name:
            yield f"{path}: {name}: recorded already in {known}"
        for rule in (_check_owner, _check_trials, _check_values, _check_texts):
            for fault in rule(row, file):
                yield f"{path}: {name}: {fault}"
        if row.digest and row.digest != (digest := digest_record(row)):
            yield f"{path}: {name}: the digest of its values is {digest}, but {row.digest} was written"


def _check_facts(file: Results, path: Path) -> Iterator[str]:
    """Folder and file are named after machine and interpreter, which can be what they say."""
    machine, interpreter, pair = file.machine, file.interpreter, file.machine.pair
    if machine.id != path.parent.name:
        yield f"the machine {machine.id} does not belong in the folder {path.parent.name}"
    if interpreter.id != path.stem:
        yield f"the interpreter {interpreter.id} does not belong in the file {path.name}"
    yield from _find_unfit(msgspec.to_builtins(machine))
    yield from _find_unfit(msgspec.to_builtins(interpreter))
    id_ = make_python_id(interpreter)
    if interpreter.id != id_:
        yield f"the interpreter {interpreter.id} says of itself what {id_} would"
    if interpreter.gil == "off" and not interpreter.free_threaded:
        yield "the GIL is off in an interpreter that always has it"
    if pair and min(*pair.first_s, *pair.second_s) < SHORTEST_S:
        yield f"a time of the pair is shorter than {SHORTEST_S} s"


def _check_owner(row: Record, file: Results) -> Iterator[str]:
    """A row is of the machine and the interpreter of its file."""
    if row.machine != file.machine.id:
        yield f"measured on {row.machine}, but the file is of {file.machine.id}"
    if row.interpreter != file.interpreter.id:
        yield f"measured with {row.interpreter}, but the file is of {file.interpreter.id}"
    if row.gil != file.interpreter.gil:
        yield f"the GIL is {row.gil}, but {file.interpreter.gil} in the interpreter of the file"
    if row.cores > file.machine.logical_cores:
        yield f"ran on {row.cores} cores of {file.machine.logical_cores}"


def _check_trials(row: Record, _: Results) -> Iterator[str]:
    """Columns have an item per trial, and each trial is of a session, of which there are few."""
    passes: Any = ((TIMED, row.readings), (TRACED, {"traces": row.traces}))
    for counted, (names, more) in zip(COUNTED, passes, strict=True):
        count = len(getattr(row, counted))
        for name, values in (list_columns(row, names) | more).items():
            if len(values) != count:
                yield f"{name} has {len(values)} values, {counted} has {count}"
    for name, sessions, trials in (
        ("session", row.timed_sessions, row.wall_s),
        ("traced_session", row.traced_sessions, row.traces),
        ("disturbed_session", row.disturbed_sessions, row.disturbed_values),
    ):
        if len(sessions) != len(trials):
            yield f"{name} has {len(sessions)} values, its trials are {len(trials)}"
    if len(row.sessions) > MOST_SESSIONS:
        yield f"has trials of {len(row.sessions)} sessions, but {MOST_SESSIONS} at most are kept"


def _check_values(row: Record, file: Results) -> Iterator[str]:
    """No time exceeds the wall time, no CPU time what the cores gave, no memory the machine's.

    No program ends before its interpreter can have started. No number but zero is smaller than any
    clock or counter gives: nothing divides by that.
    """
    # Without affinity a program may run on all cores of the machine.
    cores, memory = row.cores, file.machine.memory_bytes
    if not file.machine.affinity:
        cores = file.machine.logical_cores
    limits: dict[str, Iterable[float]] = {
        "inside_s": [wall_s + ROUNDING_S for wall_s in row.wall_s],
        "cpu_s": [cores * (wall_s + AFTERWARDS_S) for wall_s in row.wall_s],
        "max_rss_bytes": repeat(memory),
        "peak_pss_bytes": repeat(memory),
    }
    for name, limit in limits.items():
        for value, most in zip(row.read_column(name), limit, strict=False):
            if value is not None and value > most:
                yield f"{name} is {value}, but {most} at most can be"
    start_s = LEAST_LOOPS * (file.interpreter.loop_s or 0.0)
    if row.wall_s and min(row.wall_s) < start_s:
        yield f"wall_s has {min(row.wall_s)}, but its Python cannot start within {start_s} s"
    for trace in filter(None, row.traces):
        size = max(size for _, size, _ in trace)
        if size > memory:
            yield f"a trace has {size} bytes, the machine has {memory}"
    for name, values in (list_columns(row, (*TIMED, *TRACED)) | row.readings).items():
        smallest = min(filter(None, values), default=SMALLEST)
        if smallest < SMALLEST:
            yield f"{name} has {smallest}, but {SMALLEST} at least can be"


def _check_texts(row: Record, _: Results) -> Iterator[str]:
    """What did not work has a reason, no text a control character, and the date can be."""
    if (row.status == "ok") == bool(row.reason):
        yield f"is {row.status} {'with' if row.reason else 'without'} a reason"
    texts: dict[str, str | float] = {"printed": row.printed, "stderr": row.stderr}
    if row.reason:
        texts = {**row.reason.params, **texts}
    for name, text in texts.items():
        if isinstance(text, float):
            if abs(text) > LARGEST_READING:
                yield f"{name} of the reason is {text}, but {LARGEST_READING} at most can be"
        elif control := CONTROLS.search(text):
            yield f"{name} holds the control character {control[0]!a}"
    yield from _find_unfit({"params": row.params, "packages": row.packages})
    if not FIRST_DATE <= row.measured_at <= datetime.now(UTC) + CLOCK_TOLERANCE:
        yield f"measured at {row.measured_at:%Y-%m-%d %H:%M %Z}, which cannot be"


def _find_unfit(value: object) -> Iterator[str]:
    """The strings of a record, however deep, that are no single line that can be seen."""
    for keys, problem in find_unfit(value, []):
        yield f"{'.'.join(map(str, keys))}: {problem}"


# Largest results file; a full run of everything on one interpreter takes a few megabytes.
LARGEST_BYTES = 16 << 20
_DAMAGED = ".damaged-"


def read_results(path: Path) -> Results | None:
    """Read a results file; ``None`` if there is no such file."""
    return read_plain(path, LARGEST_BYTES, lambda state: _read(path, identify(state)))


@lru_cache(maxsize=64)
def _read(path: Path, _state: tuple[int, ...]) -> Results:
    """Read a results file once for each state of it: every page asks whether there are new ones."""
    return check_file(path.read_bytes(), path)


def locate_contributed(results: Path) -> Path:
    """Locate the folder, below that of the results measured here, of those that strangers have sent."""
    return results / "contributed"


def list_files(folder: Path, machine: str = "") -> list[Path]:
    """List the results files of a machine, by default of all, without those that were set aside."""
    return [
        path
        for path in sorted(folder.glob("*/*.json"))
        if _DAMAGED not in path.name and machine in ("", path.parent.name)
    ]


def write_results(path: Path, results: Results) -> None:
    """Replace a results file as a whole: a reader sees the old or the new one, never a part."""
    data = format_results(results)
    # Nobody could read it again.
    if len(data) > LARGEST_BYTES or len(results.records) > MOST_RECORDS:
        most = f"{LARGEST_BYTES >> 20} MiB or {MOST_RECORDS} rows"
        raise DamagedRecords(f"{path}: records cannot be kept: more than {most}")
    replace_file(path, data)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file as a whole, in place of another if there is one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        raise RecordsError(f"{path}: records cannot be kept: {error.strerror}") from None


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged file so that it is kept but not read; gives its new path."""
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

    Only records of ``interpreters`` are kept. ``warn`` gets a sentence when damaged ones were set
    aside.
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
        records: dict[tuple[str, Variant], Record] = {}
        for name in self._interpreters:
            path = locate(self.folder, self.machine.id, name)
            try:
                results = read_results(path)
            except DamagedRecords as error:
                aside = set_aside(path, datetime.now(UTC))
                self._warn(f"damaged records: {error}; kept as {aside.name}, measuring again")
                continue
            if results is None:
                continue
            records |= {(record.profile, record.variant): record for record in results.records}
            if self.session == UNKNOWN_SESSION:
                self._recall(results.machine)
        if records != self._records:
            self._records = records
            self._derived.clear()

    def _recall(self, machine: Machine) -> None:
        """Take the description that a file has, if it is the latest."""
        known, pair = self.machine.pair, machine.pair
        is_later = pair and (known is None or known.measured_at < pair.measured_at)
        if self.machine is self._here or is_later:
            self.machine = machine

    def begin_session(self, now: datetime, *, anew: bool = False) -> None:
        """From now on trials are of the session that goes on, or of a new one, at least if ``anew``."""
        for part in (self.folder / self.machine.id).rglob(".*.part"):  # of a build that was killed
            part.unlink(missing_ok=True)
        known: list[Record] = []
        if not anew:
            known += self._records.values()
            for path in list_files(self.folder, self.machine.id):  # of other Pythons too
                with suppress(RecordsError):
                    if results := read_results(path):
                        known += results.records
        self.session = choose_session(known, now, read_boot())
        self.machine = replace(self._here, pair=self.machine.pair)

    def find(self, variant: Variant, profile: str) -> Record | None:
        """The record of a variant at a profile's size, valid or not."""
        return self._records.get((profile, variant))

    def derive(self, profile: str, make: Callable[[Iterable[Record]], Derived]) -> Derived:
        """Make something of all records of a profile, valid or not: once while none of them changes."""
        key = (profile, make)
        if key not in self._derived:
            records = (record for (size, _), record in self._records.items() if size == profile)
            self._derived[key] = make(records)
        return cast("Derived", self._derived[key])

    def put(self, record: Record) -> None:
        """Keep a record in place of the one of the same variant and profile."""
        self._records[record.profile, record.variant] = record
        self._derived.clear()

    def save(self) -> None:
        """Write every interpreter's file that has records, without those of which nothing was tried."""
        begun: dict[str, list[Record]] = defaultdict(list)
        for record in self._records.values():
            if record.is_begun:
                begun[record.interpreter].append(record)
        for name, python in self._interpreters.items():
            if records := tuple(begun[name]):
                results = Results(machine=self.machine, interpreter=python, records=records)
                write_results(locate(self.folder, self.machine.id, name), results)
