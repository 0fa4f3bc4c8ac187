"""Rules: what must hold between the values of a results file, beyond what their types say.

A rule is a function that gives a sentence for each fault it finds; ``find_faults`` adds the place.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import repeat
from pathlib import Path
from typing import Any

import msgspec

from scripts.harness.declaration import find_unfit
from scripts.harness.metrics import AFTERWARDS_S, COUNTED, ROUNDING_S, SHORTEST_S
from scripts.harness.pythons import make_id
from scripts.harness.record import (
    CONTROLS,
    LARGEST_READING,
    MOST_SESSIONS,
    TIMED,
    TRACED,
    Record,
    Results,
    Variant,
    list_columns,
)

FIRST_DATE = datetime(2026, 1, 1, tzinfo=UTC)
"""Nothing was measured before: it is the year of the first program."""
CLOCK_TOLERANCE = timedelta(days=1)
SMALLEST = 1e-12

RowRule = Callable[[Record, Results], Iterator[str]]


def find_faults(file: Results, path: Path) -> Iterator[str]:
    """Every fault of a results file, in a sentence with file, row, experiment and program.

    The last parts of ``path`` are to be the ids of machine and interpreter.
    """
    for fault in (*check_place(file, path), *check_facts(file), *check_cells(file)):
        yield f"{path}: {fault}"
    for number, row in enumerate(file.records, 1):
        for rule in RULES:
            for fault in rule(row, file):
                yield f"{path}: {name_row(number, row)}: {fault}"


def name_row(number: int, row: Record) -> str:
    """How a sentence calls a row: ``row 3 (matrix/01-io-sequential)``."""
    return f"row {number} ({row.experiment}/{row.program})"


def check_place(file: Results, path: Path) -> Iterator[str]:
    """Folder and file are named after machine and interpreter."""
    if file.machine.id != path.parent.name:
        yield f"the machine {file.machine.id} does not belong into the folder {path.parent.name}"
    if file.interpreter.id != path.stem:
        yield f"the interpreter {file.interpreter.id} does not belong into the file {path.name}"


def check_facts(file: Results) -> Iterator[str]:
    """Machine and interpreter are described in single lines, and can be what they say."""
    for one in (file.machine, file.interpreter):
        yield from _find_unfit(msgspec.to_builtins(one))
    id_ = make_id(file.interpreter)
    if file.interpreter.id != id_:
        yield f"the interpreter {file.interpreter.id} says of itself what {id_} would"
    if file.interpreter.gil == "off" and not file.interpreter.free_threaded:
        yield "the GIL is off in an interpreter that cannot do without"
    pair = file.machine.pair
    if pair and min(*pair.first_s, *pair.second_s) < SHORTEST_S:
        yield f"a time of the pair is shorter than {SHORTEST_S} s"


def check_cells(file: Results) -> Iterator[str]:
    """No cell is recorded twice in a profile."""
    first: dict[tuple[str, Variant], str] = {}
    for number, row in enumerate(file.records, 1):
        cell = (row.profile, row.variant)
        if cell in first:
            yield f"{name_row(number, row)}: recorded already in {first[cell]}"
        first.setdefault(cell, name_row(number, row))


def check_owner(row: Record, file: Results) -> Iterator[str]:
    """A row is of the machine and the interpreter of its file."""
    if row.machine != file.machine.id:
        yield f"measured on {row.machine}, but the file is of {file.machine.id}"
    if row.interpreter != file.interpreter.id:
        yield f"measured with {row.interpreter}, but the file is of {file.interpreter.id}"
    if row.gil != file.interpreter.gil:
        yield f"the GIL is {row.gil}, but {file.interpreter.gil} in the interpreter of the file"
    if row.cores > file.machine.logical_cores:
        yield f"ran on {row.cores} cores of {file.machine.logical_cores}"


def check_columns(row: Record, _: Results) -> Iterator[str]:
    """Columns have an item per trial."""
    passes: Any = ((TIMED, row.readings), (TRACED, {"traces": row.traces}))
    for counted, (names, more) in zip(COUNTED, passes, strict=True):
        count = len(getattr(row, counted))
        for name, values in (list_columns(row, names) | more).items():
            if len(values) != count:
                yield f"{name} has {len(values)} values, {counted} has {count}"


def check_values(row: Record, file: Results) -> Iterator[str]:
    """No time exceeds the wall time, no CPU time what the cores gave, no memory the machine's."""
    # Without affinity a program may run on all cores of the machine.
    cores = row.cores if file.machine.affinity else file.machine.logical_cores
    memory = file.machine.memory_bytes
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
    for trace in filter(None, row.traces):
        size = max(size for _, size, _ in trace)
        if size > memory:
            yield f"a trace has {size} bytes, the machine has {memory}"


def check_smallest(row: Record, _: Results) -> Iterator[str]:
    """No number but nought is smaller than any clock or counter tells: nothing divides by that."""
    columns = list_columns(row, TIMED) | list_columns(row, TRACED) | row.readings
    for name, values in columns.items():
        smallest = min(filter(None, values), default=SMALLEST)
        if smallest < SMALLEST:
            yield f"{name} has {smallest}, but {SMALLEST} at least can be"


def check_sessions(row: Record, _: Results) -> Iterator[str]:
    """Each trial is of a session, of which there are few."""
    for name, sessions, trials in (
        ("session", row.timed_sessions, row.wall_s),
        ("traced_session", row.traced_sessions, row.traces),
        ("disturbed_session", row.disturbed_sessions, row.disturbed_values),
    ):
        if len(sessions) != len(trials):
            yield f"{name} has {len(sessions)} values, its trials are {len(trials)}"
    if len(row.sessions) > MOST_SESSIONS:
        yield f"has trials of {len(row.sessions)} sessions, but {MOST_SESSIONS} at most are kept"


def check_status(row: Record, _: Results) -> Iterator[str]:
    """A record that did not work has a reason, and no other has."""
    if (row.status == "ok") == bool(row.reason):
        yield f"is {row.status} {'with' if row.reason else 'without'} a reason"


def check_texts(row: Record, _: Results) -> Iterator[str]:
    """Texts hold no control characters, and reasons no number that nothing can have been."""
    told = row.reason.params if row.reason else {}
    for name, text in {**told, "printed": row.printed, "stderr": row.stderr}.items():
        if isinstance(text, float):
            if abs(text) > LARGEST_READING:
                yield f"{name} of the reason is {text}, but {LARGEST_READING} at most can be"
        elif found := CONTROLS.search(text):
            yield f"{name} holds the control character {found[0]!a}"
    yield from _find_unfit({"params": row.params, "packages": row.packages})


def check_date(row: Record, _: Results) -> Iterator[str]:
    """Measured after the project began and before now."""
    if not FIRST_DATE <= row.measured_at <= datetime.now(UTC) + CLOCK_TOLERANCE:
        yield f"measured at {row.measured_at:%Y-%m-%d %H:%M %Z}, which cannot be"


RULES: tuple[RowRule, ...] = (
    *(check_owner, check_columns, check_values, check_smallest),
    *(check_status, check_texts, check_sessions, check_date),
)


def _find_unfit(value: object) -> Iterator[str]:
    """The strings of a record, however deep, that are no single line that can be seen."""
    for keys, problem in find_unfit(value, []):
        yield f"{'.'.join(map(str, keys))}: {problem}"
