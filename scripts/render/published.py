"""Published data: everything the pages were made of, as JSON and as CSV."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from scripts.declare.claim import Comparison, Side
from scripts.judge.checks import Check
from scripts.judge.evidence import CheckedClaim, Evidence
from scripts.judge.judgement import Judgement
from scripts.records.fingerprint import PROTOCOL
from scripts.records.row import write_row

SCHEMAS = Path(__file__).with_name("schema")

Document = dict[str, Any]
RECORDED = (
    *("experiment", "program", "family", "machine", "interpreter", "gil", "start_method"),
    *("cores", "workers", "tasks", "params", "status", "reason"),
    *("wall_s", "inside_s", "readings", "user_s", "system_s"),
    *("max_rss_bytes", "peak_pss_bytes", "server_share"),
)
"""What is published of a row of a results file, as it stands there; see ``Row``."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
TRACE_CELL = ("program", "interpreter", "start_method", "cores", "workers", "tasks")


class InvalidData(ValueError):
    """Data that does not keep to its published schema."""


def make_document(evidences: Sequence[Evidence]) -> Document:
    """``results.json`` as an object; needs at least one experiment."""
    machines = {evidence.machine.id: evidence.machine for evidence in evidences}
    interpreters = {one.id: one for evidence in evidences for one in evidence.interpreters}
    return {
        "schema": 1,
        "protocol": PROTOCOL,
        "generated_at": _write_time(max(evidence.generated_at for evidence in evidences)),
        "profile": evidences[0].profile,
        "machines": [_plain(asdict(machine)) for machine in machines.values()],
        "interpreters": [_plain(asdict(one)) for one in interpreters.values()],
        "rows": [make_row(one) for evidence in evidences for one in evidence.judgements],
    }


def make_row(judgement: Judgement) -> Document:
    """One judged record: what its results file has of it, and what was made of that."""
    recorded = write_row(judgement.record)
    wall = judgement.wall_s
    return {
        **{name: getattr(recorded, name) for name in RECORDED},
        "measured_at": _write_time(recorded.measured_at),
        "cpu_share": judgement.cpu_share,
        "wall_median_s": wall.median if wall else None,
        "wall_interval_s": [wall.low, wall.high] if wall else None,
        "noise": list(judgement.noise),
        "floor_s": judgement.floor_s,
        "verdict": judgement.verdict,
    }


def make_claims(claims: Iterable[CheckedClaim]) -> Document:
    """``claims.json`` as an object. The text keeps its places; conditions are formulas."""
    return {
        "schema": 1,
        "claims": [
            {
                "id": checked.claim.id,
                "experiment": checked.experiment,
                "source": checked.claim.source,
                "text": checked.claim.text,
                "checks": [make_check(check) for check in checked.checks],
            }
            for checked in claims
        ],
    }


def make_check(check: Check) -> Document:
    """One check; ``value`` is the ratio of the first comparison, or the verdict of a mark."""
    mark, ratio = check.claim.mark, check.ratio
    condition = (
        f"verdict({_write_side(mark.program)}) in ({'; '.join(mark.verdicts)})"
        if mark
        else " and ".join(write_formula(comparison) for comparison in check.claim.all)
    )
    return {
        "machine": check.machine,
        "interpreter": check.interpreter,
        "cores": check.cores,
        "status": check.status,
        "value": ratio.median if ratio else check.verdict,
        "interval": [ratio.low, ratio.high] if ratio else None,
        "condition": condition,
    }


def write_formula(comparison: Comparison) -> str:
    """``wall_s(a) / wall_s(b) <= 0.5``, as ``judge.checks.decide`` holds it."""
    right = str(comparison.right)
    if isinstance(comparison.right, Side):
        cores = ", cores=1" if comparison.right_cores == "one" else ""
        right = f"{comparison.metric}({_write_side(comparison.right)}{cores})"
    ratio = f"{comparison.metric}({_write_side(comparison.left)}) / {right}"
    low, high = f"{1 / comparison.margin:.4g}", f"{comparison.margin:.4g}"
    match comparison.relation:
        case "less":
            return f"{ratio} <= {low}"
        case "more":
            return f"{ratio} >= {high}"
        case "not less":
            return f"{ratio} > {low}"
        case "not more":
            return f"{ratio} < {high}"
        case "equal":
            return f"{low} <= {ratio} <= {high}"


def _write_side(side: Side) -> str:
    """``02-threads, family=io, tasks=least``: what is left out is the most that was measured."""
    parts = [side.program, f"family={side.family}"]
    parts += [f"tasks={side.tasks}"] if side.tasks != "most" else []
    parts += [f"workers={side.workers}"] if side.workers != "most" else []
    parts += [f"start_method={side.start_method}"] if side.start_method else []
    return ", ".join(parts)


def write_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as CSV: nothing for null, lists with spaces between, objects as ``NAME=value``.

    Readings, which have a list for each name, repeat it: ``made=120.0 made=118.0``. What a
    spreadsheet would take for a formula has an apostrophe before it; the JSON has it as it is.
    """
    rows = list(rows)
    buffer = io.StringIO()
    names = list(load_schema("results")["$defs"]["row"]["properties"])
    writer = csv.DictWriter(buffer, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _flatten(row[name]) for name in names} for row in rows)
    return buffer.getvalue()


def write_traces(judgements: Iterable[Judgement]) -> str:
    """Memory and CPU over time as CSV, a line a sample; empty where nothing was traced."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for judgement in judgements:
        variant = judgement.record.variant
        cell = [_flatten(getattr(variant, name)) for name in TRACE_CELL]
        for number, trial in enumerate(judgement.record.traced, 1):
            writer.writerows([*cell, number, *point] for point in trial.trace)
    head = ",".join((*TRACE_CELL, "trial", "seconds", "pss_bytes", "cpu_s"))
    return f"{head}\n{buffer.getvalue()}" if buffer.getvalue() else ""


def load_schema(name: str) -> Document:
    """A published JSON Schema by name."""
    schema: Document = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return schema


def validate(document: object, name: str = "results") -> None:
    """Check a document against its schema.

    Raises:
        InvalidData: names every place that is wrong, and how.
    """
    errors = sorted(
        Draft202012Validator(load_schema(name)).iter_errors(document), key=lambda e: e.json_path
    )
    if errors:
        raise InvalidData("\n".join(f"{error.json_path}: {error.message}" for error in errors))


def _plain(value: object) -> object:
    match value:
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
    return value


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


def _write_time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
