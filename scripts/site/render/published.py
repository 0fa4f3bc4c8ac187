"""Published data: everything the pages were made of, as JSON and as CSV, and the form of the rows.

Their JSON Schema is made from the types here.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from math import isfinite
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from scripts.harness.declaration import Code
from scripts.harness.experiment import ProfileName
from scripts.harness.fingerprint import PROTOCOL
from scripts.harness.machine import Machine
from scripts.harness.metrics import METRICS
from scripts.harness.pythons import Interpreter
from scripts.harness.record import CELL, COLUMNS, Record, Results
from scripts.harness.statistics import CONFIDENCE, FEWEST, Estimate
from scripts.site.judge.claims import Check, CheckedClaim
from scripts.site.judge.judge import Evidence, Judgement, Origin
from scripts.site.judge.noise import Flag
from scripts.site.judge.verdicts import Verdict
from scripts.site.render.claims import fill_sentence, format_condition
from scripts.site.render.html import drop_tags
from scripts.site.render.words import load_words

Document = dict[str, Any]
Moment = Annotated[datetime, Meta(tz=True)]
Interval = Annotated[
    tuple[float, float] | None,
    Meta(
        description=f"{100 * CONFIDENCE:.4g} % interval of the median; of fewer than "
        f"{FEWEST} trials, the least and the greatest."
    ),
]
Seconds = Annotated[float, Meta(ge=0)]
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
TRACE_CELL = ("program", "interpreter", "start_method", "cores", "workers", "tasks")


class Column(NamedTuple):
    """A column of the published rows: its name, its type, and its value of a judged record."""

    name: str
    type: Any
    read: Callable[[Judgement], Any]


def _list_columns() -> list[Column]:
    """List what a record has, then what was made of it, in the order of the CSV."""
    types = {one.encode_name: one.type for one in msgspec.structs.fields(Record)}
    origin = Annotated[Origin, Meta(description="Whether we measured it, or a stranger.")]
    told = Annotated[str, Meta(description="In English; empty if the status is ok.")]
    repeated = Annotated[int, Meta(ge=0, description="Timed trials that were repeated.")]
    return [
        *(Column(name, types[name], attrgetter(f"record.{name}")) for name in CELL),
        Column("session", types["session"], lambda row: list(row.record.timed_sessions)),
        Column("status", types["status"], attrgetter("record.status")),
        Column("readings", types["readings"], attrgetter("record.readings")),
        Column("origin", origin, lambda _: "measured"),
        Column("reason", told, lambda row: load_words("en").reason(row.record.reason)),
        Column(
            "reason_code", Code | Literal[""], lambda row: getattr(row.record.reason, "code", "")
        ),
        *(_make_recorded(name, kind) for name, kind in COLUMNS),
        *(_make_derived(one.name, one.about) for one in METRICS.values() if one.derive),
        Column("disturbed", repeated, lambda row: len(row.record.disturbed_values)),
        Column("wall_median_s", Seconds | None, lambda row: row.wall and row.wall.median),
        Column("wall_interval_s", Interval, lambda row: row.wall and [row.wall.low, row.wall.high]),
        Column("noise", list[Flag], lambda row: list(row.noise)),
        Column("floor_s", Seconds | None, attrgetter("floor_s")),
        Column("verdict", Verdict | None, attrgetter("verdict")),
        Column("measured_at", Moment, lambda row: _format_time(row.record.measured_at)),
    ]


def _make_recorded(name: str, kind: Any) -> Column:  # noqa: ANN401 - a type
    """Make the column of a recorded metric: a value per trial, none where it is younger."""
    return Column(name, kind, lambda row: getattr(row.record, name) or [])


def _make_derived(name: str, about: str) -> Column:
    """Make the column of a derived metric: its median."""
    kind = Annotated[float | None, Meta(description=f"Median. {about}")]
    return Column(name, kind, lambda row: row.median(name))


ROW_FORM = _list_columns()
ResultRow = msgspec.defstruct(
    "ResultRow",
    [(column.name, column.type) for column in ROW_FORM],
    kw_only=True,
    forbid_unknown_fields=True,
)
ROW = [column.name for column in ROW_FORM]
"""The names of a row, in the order of the columns of the CSV."""


class PublishedResults(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Everything that the pages of this site were made of."""

    schema: Literal[2]
    protocol: Annotated[int, Meta(ge=1)]
    generated_at: Moment
    profile: ProfileName
    machines: list[Machine]
    interpreters: list[Interpreter]
    rows: list[ResultRow]  # type: ignore[valid-type]


FORMS: dict[str, type[msgspec.Struct]] = {"results": PublishedResults, "records": Results}
"""By the name under which the schema is published."""


def make_document(evidences: Sequence[Evidence]) -> Document:
    """``results.json`` as an object; needs at least one experiment."""
    machines = {evidence.machine.id: evidence.machine for evidence in evidences}
    interpreters = {one.id: one for evidence in evidences for one in evidence.interpreters}
    return {
        "schema": 2,
        "protocol": PROTOCOL,
        "generated_at": _format_time(max(evidence.generated_at for evidence in evidences)),
        "profile": evidences[0].profile,
        "machines": [msgspec.to_builtins(machine) for machine in machines.values()],
        "interpreters": [msgspec.to_builtins(one) for one in interpreters.values()],
        "rows": [
            make_row(one, evidence.origin) for evidence in evidences for one in evidence.judgements
        ],
    }


def make_row(row: Judgement, origin: Origin = "measured") -> Document:
    """Make the published row of a judged record."""
    return {column.name: column.read(row) for column in ROW_FORM} | {"origin": origin}


def make_claims(claims: Iterable[CheckedClaim]) -> Document:
    """``claims.json`` as an object: texts by language and outcome keep their places for numbers."""
    return {
        "schema": 2,
        "claims": [
            {
                "id": checked.claim.id,
                "experiment": checked.experiment,
                "source": checked.claim.source,
                "text": {
                    language: {one: told[language] for one, told in checked.claim.sentences.items()}
                    for language in checked.claim.confirmed
                },
                "checks": [
                    _make_check(check)
                    for checks in (checked.checks, *(one.checks for one in checked.elsewhere))
                    for check in checks
                ],
            }
            for checked in claims
        ],
    }


def _make_check(check: Check) -> Document:
    """One check: ``value`` is the ratio that the deciding comparison held against its margin.

    It and the ends of its interval are null where nothing was measured, or where they are infinite.
    ``condition`` is in English; of several comparisons all must hold. ``sentence`` is the text of
    what came of it, filled in, by language.
    """
    english = load_words("en")
    value, *interval = _list_ends(check.deciding.ratio) if check.deciding else [None]
    conditions = (drop_tags(format_condition(one, english)) for one in check.claim.all)
    return {
        "machine": check.machine,
        "interpreter": check.interpreter,
        "cores": check.cores,
        "status": check.status.replace(" ", "_"),
        "value": value,
        "interval": interval or None,
        "condition": "; ".join(conditions),
        "sentence": {
            language: fill_sentence(check, load_words(language)).striptags()
            for language in check.claim.confirmed
            if check.findings
        },
    }


def _list_ends(value: Estimate) -> list[float | None]:
    """JSON knows no infinity, which a number divided by a measured nought is."""
    ends = (value.median, value.low, value.high)
    return [end if isfinite(end) else None for end in ends]


def format_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as CSV: nothing for null, lists with spaces between, objects as ``NAME=value``.

    Readings, which have a list for each name, repeat it: ``made=120.0 made=118.0``. What a
    spreadsheet would take for a formula has an apostrophe before it; the JSON has it as it is.
    """
    rows = list(rows)
    buffer = io.StringIO()
    # Lines end as RFC 4180 says: up to Python 3.12, only what ends lines is quoted in a field.
    writer = csv.DictWriter(buffer, ROW, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: _flatten(row[name]) for name in ROW} for row in rows)
    return buffer.getvalue()


def format_traces(judgements: Iterable[Judgement]) -> str:
    """Memory and CPU over time as CSV, a line a sample; empty where nothing was traced."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for judgement in judgements:
        cell = [_flatten(getattr(judgement.record, name)) for name in TRACE_CELL]
        for number, trial in enumerate(judgement.record.traced, 1):
            writer.writerows([*cell, number, *point] for point in trial.trace)
    head = ",".join((*TRACE_CELL, "trial", "seconds", "pss_bytes", "cpu_s"))
    return f"{head}\n{buffer.getvalue()}" if buffer.getvalue() else ""


def _flatten(value: object) -> object:
    match value:
        case None:
            return ""
        case str():
            return f"'{value}" if value.startswith(_FORMULA) else value
        case dict():
            items = {
                name: item if isinstance(item, list) else [item] for name, item in value.items()
            }
            named = (f"{name}={one}" for name, several in items.items() for one in several)
            return _flatten(" ".join(named))
        case list():
            return " ".join("" if item is None else str(item) for item in value)
    return value


def _format_time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
