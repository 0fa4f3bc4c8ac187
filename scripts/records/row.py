"""Rows: a record as it is written to a results file, flat and in columns.

The names are those of the published data; see ``Row`` for what a results file adds to them.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from scripts.declare.profile import ProfileName
from scripts.declare.program import StartMethod
from scripts.host.bounds import Bytes, Cores, Count, Line, Name
from scripts.records.record import Record
from scripts.records.variant import (
    LARGEST_READING,
    LONGEST_REASON,
    LONGEST_TEXT,
    Status,
    Trial,
    Variant,
)

SHORTEST_S = 1e-4
"""No process starts and ends in less."""
LONGEST_S = 1e6
MOST_TRIALS = 10_000

Seconds = Annotated[float, Meta(ge=0, le=LONGEST_S)]
Wall = Annotated[float, Meta(ge=SHORTEST_S, le=LONGEST_S)]
Share = Annotated[float, Meta(ge=0, le=LONGEST_S)]
Amount = Annotated[float, Meta(ge=0, le=LARGEST_READING)]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Param = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$(?!\n)", max_length=100)]
Reading = Annotated[str, Meta(pattern=r"^[a-z_]+$(?!\n)", max_length=100)]
Point = tuple[Seconds, Bytes, Seconds | None]
TRIALS = Meta(max_length=MOST_TRIALS)


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One record. Lists have an item per trial: per timed trial, or for memory per traced trial.

    Times are in seconds and count the whole process tree, ``wall_s`` the whole process,
    ``inside_s`` what the program itself printed. ``server_share`` is the load server's CPU in
    cores. ``readings`` are what else the program printed by name, ``printed`` the rest of it. A
    trace is a list of ``[seconds, bytes of PSS of the tree, CPU seconds of the tree so far]``.
    """

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
    reason: Annotated[str, Meta(max_length=LONGEST_REASON)]
    wall_s: Annotated[list[Wall], TRIALS]
    inside_s: Annotated[list[Seconds | None], TRIALS]
    readings: Annotated[dict[Reading, Annotated[list[Amount], TRIALS]], Meta(max_length=100)]
    printed: Text
    user_s: Annotated[list[Seconds], TRIALS]
    system_s: Annotated[list[Seconds], TRIALS]
    max_rss_bytes: Annotated[list[Bytes], TRIALS]
    peak_pss_bytes: Annotated[list[Bytes | None], TRIALS]
    server_share: Annotated[list[Share | None], TRIALS]
    traces: Annotated[list[Annotated[list[Point], Meta(max_length=1000)]], TRIALS]
    stderr: Text
    profile: ProfileName
    fingerprint: Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$(?!\n)")]
    seed: Annotated[int, Meta(ge=0, lt=1 << 53)]
    packages: Annotated[dict[Name, Line], Meta(max_length=100)] = {}
    measured_at: Annotated[datetime, Meta(tz=True)]


CELL = tuple(Variant.__dataclass_fields__)
"""The columns that say what was measured; the rest say what came of it."""
TIMED = ("wall_s", "inside_s", "user_s", "system_s", "max_rss_bytes", "server_share")
"""The columns with an item per timed trial. Those per traced trial have names of their own."""
_WHOLE = (
    *("profile", "fingerprint", "seed", "packages", "status", "reason", "stderr", "printed"),
    "measured_at",
)


def write_row(record: Record) -> Row:
    """A record as a row."""
    columns: dict[str, Any] = {name: getattr(record.variant, name) for name in CELL}
    columns |= {name: getattr(record, name) for name in _WHOLE}
    columns |= {name: [getattr(trial, name) for trial in record.timed] for name in TIMED}
    columns |= {"params": dict(record.variant.params), "packages": dict(record.packages)}
    columns["readings"] = {
        name: [trial.readings[name] for trial in record.timed] for name in _list_readings(record)
    }
    columns["peak_pss_bytes"] = [trial.peak_pss_bytes for trial in record.traced]
    columns["traces"] = [list(trial.trace) for trial in record.traced]
    return Row(**columns)


def _list_readings(record: Record) -> list[str]:
    """The readings that every timed trial printed."""
    printed = [trial.readings.keys() for trial in record.timed]
    return sorted(set.intersection(*map(set, printed))) if printed else []


def read_row(row: Row) -> Record:
    """A row as a record; its columns are as long as each other, see ``rules``."""
    columns = zip(*(getattr(row, name) for name in TIMED), strict=True)
    timed = [
        Trial(
            status="ok",
            readings={name: values[place] for name, values in row.readings.items()},
            **dict(zip(TIMED, values, strict=True)),
        )
        for place, values in enumerate(columns)
    ]
    traced = [
        Trial(status="ok", peak_pss_bytes=peak_pss_bytes, trace=tuple(trace))
        for peak_pss_bytes, trace in zip(row.peak_pss_bytes, row.traces, strict=True)
    ]
    return Record(
        variant=Variant(**{name: getattr(row, name) for name in CELL}),
        timed=tuple(timed),
        traced=tuple(traced),
        **{name: getattr(row, name) for name in _WHOLE},
    )
