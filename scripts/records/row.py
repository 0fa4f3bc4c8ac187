"""Rows: a record as it is written to a results file, flat and in columns.

The names are those of the published data; see ``Row`` for what a results file adds to them.
"""

from datetime import datetime
from typing import Literal

import msgspec

from scripts.records.record import Record
from scripts.records.variant import Status, TracePoint, Trial, Variant


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One record. Lists have an item per trial: per timed trial, or for memory per traced trial.

    Times are in seconds and count the whole process tree, ``wall_s`` the whole process,
    ``inside_s`` what the program itself printed. ``server_share`` is the load server's CPU in
    cores. ``readings`` are what else the program printed by name, ``printed`` the rest of it. A
    trace is a list of ``[seconds, bytes of PSS of the tree, CPU seconds of the tree so far]``.
    """

    experiment: str
    program: str
    family: str
    machine: str
    interpreter: str
    gil: Literal["on", "off"]
    start_method: str | None
    cores: int
    workers: int
    tasks: int
    params: dict[str, str]
    status: Status
    reason: str
    wall_s: list[float]
    inside_s: list[float | None]
    readings: dict[str, list[float]]
    printed: str
    user_s: list[float]
    system_s: list[float]
    max_rss_bytes: list[int]
    peak_pss_bytes: list[int | None]
    server_share: list[float | None]
    traces: list[list[TracePoint]]
    stderr: str
    profile: str
    fingerprint: str
    seed: int
    packages: dict[str, str] = {}
    measured_at: datetime


def write_row(record: Record) -> Row:
    """A record as a row."""
    variant = record.variant
    return Row(
        experiment=variant.experiment,
        program=variant.program,
        family=variant.family,
        machine=variant.machine,
        interpreter=variant.interpreter,
        gil=variant.gil,
        start_method=variant.start_method,
        cores=variant.cores,
        workers=variant.workers,
        tasks=variant.tasks,
        params=dict(variant.params),
        status=record.status,
        reason=record.reason,
        wall_s=[trial.wall_s for trial in record.timed],
        inside_s=[trial.inside_s for trial in record.timed],
        readings={
            name: [trial.readings[name] for trial in record.timed]
            for name in _list_readings(record)
        },
        printed=record.printed,
        user_s=[trial.user_s for trial in record.timed],
        system_s=[trial.system_s for trial in record.timed],
        max_rss_bytes=[trial.max_rss_bytes for trial in record.timed],
        peak_pss_bytes=[trial.peak_pss_bytes for trial in record.traced],
        server_share=[trial.server_share for trial in record.timed],
        traces=[list(trial.trace) for trial in record.traced],
        stderr=record.stderr,
        profile=record.profile,
        fingerprint=record.fingerprint,
        seed=record.seed,
        packages=dict(record.packages),
        measured_at=record.measured_at,
    )


def _list_readings(record: Record) -> list[str]:
    """The readings that every timed trial printed."""
    printed = [trial.readings.keys() for trial in record.timed]
    return sorted(set.intersection(*map(set, printed))) if printed else []


def read_row(row: Row) -> Record:
    """A row as a record.

    Raises:
        ValueError: the columns of the row have different lengths.
    """
    if any(len(values) != len(row.wall_s) for values in row.readings.values()):
        raise ValueError("readings and times are of different numbers of trials")
    timed = tuple(
        Trial(
            status="ok",
            wall_s=wall_s,
            inside_s=inside_s,
            readings={name: values[place] for name, values in row.readings.items()},
            user_s=user_s,
            system_s=system_s,
            max_rss_bytes=max_rss_bytes,
            server_share=server_share,
        )
        for place, (wall_s, inside_s, user_s, system_s, max_rss_bytes, server_share) in enumerate(
            zip(
                row.wall_s,
                row.inside_s,
                row.user_s,
                row.system_s,
                row.max_rss_bytes,
                row.server_share,
                strict=True,
            )
        )
    )
    traced = tuple(
        Trial(status="ok", peak_pss_bytes=peak_pss_bytes, trace=tuple(trace))
        for peak_pss_bytes, trace in zip(row.peak_pss_bytes, row.traces, strict=True)
    )
    return Record(
        variant=Variant(
            experiment=row.experiment,
            program=row.program,
            family=row.family,
            machine=row.machine,
            interpreter=row.interpreter,
            gil=row.gil,
            start_method=row.start_method,
            cores=row.cores,
            workers=row.workers,
            tasks=row.tasks,
            params=row.params,
        ),
        profile=row.profile,
        fingerprint=row.fingerprint,
        seed=row.seed,
        packages=row.packages,
        status=row.status,
        reason=row.reason,
        stderr=row.stderr,
        printed=row.printed,
        timed=timed,
        traced=traced,
        measured_at=row.measured_at,
    )
