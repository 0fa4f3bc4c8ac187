"""Rows: a record as it is written to a results file, flat and in columns.

The names are those of the published data; see ``Row`` for what a results file adds to them.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from scripts.harness.declaration import Reason
from scripts.harness.experiment import ProfileName, StartMethod
from scripts.harness.machine import Bytes, Cores, Count, Line, Machine, Name
from scripts.harness.metrics import COUNTED, LONGEST_S, METRICS, Metric, list_recorded
from scripts.harness.pythons import Interpreter
from scripts.harness.record import (
    LARGEST_READING,
    LONGEST_TEXT,
    Record,
    Status,
    Trial,
    Variant,
    name_unknown,
)

MOST_ROWS = 50_000
MOST_TRIALS = 200
"""Of a pass, in one cell: more than three sessions to the last of ``measure.rounds.LEVELS`` give, with
the disturbed ones. Ratios are formed of all pairs of two cells, so that more would fill the memory."""

Amount = Annotated[float, Meta(ge=0, le=LARGEST_READING)]
Seconds = Annotated[float, Meta(ge=0, le=LONGEST_S)]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Param = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$(?!\n)", max_length=100)]
Reading = Annotated[str, Meta(pattern=r"^[a-z_][a-z0-9_]*$(?!\n)", max_length=100)]
Point = tuple[Seconds, Bytes, Seconds | None]
TRIALS = Meta(max_length=MOST_TRIALS)


class Cells(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a row has beside the columns of metrics; see ``Row``."""

    experiment: Name
    program: Name
    family: Name
    machine: Name
    interpreter: Name
    gil: Literal["on", "off"]
    start_method: StartMethod | None
    cores: Cores
    workers: Count
    tasks: Count
    params: Annotated[dict[Param, Line], Meta(max_length=100)]
    status: Status
    reason: Reason | Annotated[str, Meta(max_length=2000)] = ""
    readings: Annotated[dict[Reading, Annotated[list[Amount], TRIALS]], Meta(max_length=100)]
    printed: Text
    traces: Annotated[list[Annotated[list[Point], Meta(max_length=1000)]], TRIALS]
    stderr: Text
    profile: ProfileName
    fingerprint: Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$(?!\n)")]
    seed: Annotated[int, Meta(ge=0, lt=1 << 53)]
    packages: Annotated[dict[Name, Line], Meta(max_length=100)] = {}
    disturbed: Annotated[list[dict[Reading, Amount | None]], TRIALS] = []
    session: Annotated[list[Name], TRIALS] = []
    traced_session: Annotated[list[Name], TRIALS] = []
    disturbed_session: Annotated[list[Name], TRIALS] = []
    measured_at: Annotated[datetime, Meta(tz=True)]


def make_column(metric: Metric) -> tuple[str, Any]:
    """The column of a recorded metric: its name and type, a list of values."""
    number = int if metric.unit in ("bytes", "times") else float
    bounds = Meta(ge=number(metric.least), le=number(metric.most), description=metric.about)
    kind: Any = Annotated[number, bounds]
    column: Any = list
    return metric.name, Annotated[column[kind | None if metric.optional else kind], TRIALS]


TIMED = [metric.name for metric in list_recorded(traced=False)]
TRACED = [metric.name for metric in list_recorded(traced=True)]
COLUMNS = [make_column(METRICS[name]) for name in (*TIMED, *TRACED)]

if TYPE_CHECKING:

    class Row(Cells, frozen=True, kw_only=True):
        """One record, flat and in columns."""

        wall_s: list[float]

else:
    Row = msgspec.defstruct(
        "Row",
        [(name, kind) if name in COUNTED else (name, kind | None, None) for name, kind in COLUMNS],
        bases=(Cells,),
        namespace={
            "__doc__": """One record. Lists have an item per trial: per timed or per traced trial.

    Columns of metrics are those that ``METRICS`` records; one is absent where records are older
    than their metric. ``readings`` are what else the program printed by name, ``printed`` the
    rest of it. A trace is a list of ``[seconds, bytes of PSS of the tree, CPU seconds of the tree
    so far]``. ``session`` has the session of each timed trial, ``traced_session`` and
    ``disturbed_session`` of the others; they are empty in files of schema 1. A ``reason`` that is a text is of a time before reasons had codes.
    """
        },
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


Rows = Annotated[list[Row], Meta(max_length=MOST_ROWS)]


class ResultsFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``results/<machine>/<interpreter>.json`` holds; its JSON Schema is made from this."""

    schema: Literal[1, 2] = 2
    machine: Machine
    interpreter: Interpreter
    rows: Rows


CELL = tuple(Variant.__dataclass_fields__)
"""The columns that say what was measured; the rest say what came of it."""
SESSIONS = ("session", "traced_session", "disturbed_session")
"""The columns with the sessions of the trials of each pass, and of those that do not count."""
_WHOLE = (
    *("profile", "fingerprint", "seed", "packages", "status", "stderr", "printed"),
    "measured_at",
)


def encode_row(record: Record) -> Row:
    """A record as a row."""
    columns: dict[str, Any] = {name: getattr(record.variant, name) for name in CELL}
    columns |= {name: getattr(record, name) for name in _WHOLE}
    columns |= {name: _encode_column(METRICS[name], record.timed) for name in TIMED}
    columns |= {name: _encode_column(METRICS[name], record.traced) for name in TRACED}
    columns |= {"params": dict(record.variant.params), "packages": dict(record.packages)}
    columns["readings"] = {
        name: [trial.readings[name] for trial in record.timed] for name in _list_readings(record)
    }
    for name, trials in zip(SESSIONS, _list_passes(record), strict=True):
        columns[name] = [trial.session for trial in trials]
    columns["disturbed"] = [dict(trial.values) for trial in record.disturbed]
    columns["traces"] = [list(trial.trace) for trial in record.traced]
    return Row(reason=record.reason or "", **columns)


def _list_passes(record: Record) -> tuple[tuple[Trial, ...], ...]:
    return record.timed, record.traced, record.disturbed


def _encode_column(metric: Metric, trials: Sequence[Trial]) -> list[float | None] | None:
    """``None`` where trials are older than the metric."""
    known = [metric.name in trial.values for trial in trials]
    if trials and not any(known) and metric.name not in COUNTED:
        return None
    values = [trial.values.get(metric.name) for trial in trials]
    return values if metric.optional or None not in values else None


def _list_readings(record: Record) -> list[str]:
    """The readings that every timed trial printed."""
    printed = [trial.readings.keys() for trial in record.timed]
    return sorted(set.intersection(*map(set, printed))) if printed else []


def list_columns(row: Row, names: Sequence[str]) -> dict[str, list[float | None]]:
    """The columns of these metrics that a row has."""
    columns = {name: getattr(row, name) for name in names}
    return {name: values for name, values in columns.items() if values is not None}


def list_trials(row: Row, names: Sequence[str]) -> list[dict[str, float | None]]:
    """The values of metrics, a mapping per trial."""
    columns = list_columns(row, names)
    trials = zip(*columns.values(), strict=False)
    return [dict(zip(columns, values, strict=True)) for values in trials]


def read_row(row: Row) -> Record:
    """A row as a record; its columns are as long as each other, see ``rules``."""
    timed = [
        Trial(
            status="ok",
            readings={name: found[place] for name, found in row.readings.items()},
            values=values,
        )
        for place, values in enumerate(list_trials(row, TIMED))
    ]
    traced = [
        Trial(status="ok", values=values, trace=tuple(trace))
        for values, trace in zip(list_trials(row, TRACED), row.traces, strict=True)
    ]
    disturbed = [Trial(status="ok", values=values) for values in row.disturbed]
    named = [
        _name_sessions(trials, getattr(row, name), row.interpreter)
        for name, trials in zip(SESSIONS, (timed, traced, disturbed), strict=True)
    ]
    return Record(
        variant=Variant(**{name: getattr(row, name) for name in CELL}),
        timed=named[0],
        traced=named[1],
        disturbed=named[2],
        reason=row.reason if isinstance(row.reason, Reason) else None,
        **{name: getattr(row, name) for name in _WHOLE},
    )


def _name_sessions(
    trials: Sequence[Trial], sessions: Sequence[str], interpreter: str
) -> tuple[Trial, ...]:
    """The trials with their sessions; where a file tells of none, all of it is one."""
    known = sessions or [name_unknown(interpreter)] * len(trials)
    return tuple(
        replace(trial, session=session) for trial, session in zip(trials, known, strict=True)
    )
