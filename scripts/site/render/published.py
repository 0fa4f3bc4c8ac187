"""Published data: everything the pages were made of, as JSON and as CSV."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from math import isfinite
from typing import Any

import msgspec

from scripts.harness.fingerprint import PROTOCOL
from scripts.harness.record import CELL, COLUMNS
from scripts.site.declare.claims import Comparison, Side
from scripts.site.judge.judge import Evidence, Judgement, Origin
from scripts.site.judge.statistics import Estimate
from scripts.site.judge.verification import Check, CheckedClaim
from scripts.site.render.claims import fill_sentence
from scripts.site.render.forms import DERIVED, FORMS, ROW
from scripts.site.render.words import load_words

Document = dict[str, Any]
_ENDS = ("least", "most")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
TRACE_CELL = ("program", "interpreter", "start_method", "cores", "workers", "tasks")


class InvalidData(ValueError):
    """Data that does not keep to its published schema."""


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


def make_row(judgement: Judgement, origin: Origin = "measured") -> Document:
    """One judged record: what its results file has of it, and what was made of that."""
    recorded, wall = judgement.record, judgement.wall
    reason = recorded.reason
    return {
        **{name: getattr(recorded, name) for name in CELL},
        "session": list(recorded.timed_sessions),
        "status": recorded.status,
        "readings": recorded.readings,
        "origin": origin,
        "reason": load_words("en").reason(reason),
        "reason_code": reason.code if reason else "",
        **{name: getattr(recorded, name) or [] for name, _ in COLUMNS},
        **{metric.name: judgement.median(metric.name) for metric in DERIVED},
        "measured_at": _format_time(recorded.measured_at),
        "disturbed": len(recorded.disturbed_values),
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
    """One check; ``value`` is what the deciding comparison held against its margin, or a verdict."""
    mark = check.claim.mark
    value, *interval = _list_value(check)
    condition = (
        f"verdict({_format_side(mark.program)}) in ({'; '.join(mark.verdicts)})"
        if mark
        else " and ".join(format_formula(comparison) for comparison in check.claim.all)
    )
    return {
        "machine": check.machine,
        "interpreter": check.interpreter,
        "cores": check.cores,
        "status": check.status,
        "value": value,
        "interval": interval or None,
        "condition": condition,
        "compared": [
            {
                "metric": finding.comparison.metric,
                "margin": finding.comparison.margin,
                "left": _list_ends(finding.left),
                "right": _list_ends(finding.right),
                "ratio": _list_ends(finding.ratio),
            }
            for finding in check.findings
        ],
        "sentence": {
            language: fill_sentence(check.claim, check, load_words(language)).striptags()
            for language in check.claim.text
        },
        "sessions": [
            {"status": one.status, "value": _list_value(one)[0]} for one in check.sessions
        ],
    }


def _list_value(check: Check) -> list[Any]:
    """What decided a check: a ratio with its interval, or a verdict alone."""
    return _list_ends(check.deciding.ratio) if check.deciding else [check.verdict]


def _list_ends(value: Estimate) -> list[float | None]:
    """JSON knows no infinity, which a number divided by a measured nought is."""
    ends = (value.median, value.low, value.high)
    return [end if isfinite(end) else None for end in ends]


def format_formula(comparison: Comparison) -> str:
    """``cpu_s(b) / cpu_s(a) >= 2``, as ``judge.findings.decide`` holds it."""
    metric, side, margin = comparison.metric, comparison.left, f"{comparison.margin:.4g}"
    left = f"{metric}({_format_side(side)})"
    if comparison.over:
        ends = [f"{metric}({_format_side(side)}, {comparison.over}={end})" for end in _ENDS]
        left, right = ends if comparison.relation == "falls" else ends[::-1]
    elif isinstance(comparison.right, Side):
        python = ", python=ordinary" if comparison.right_python == "ordinary" else ""
        right = f"{metric}({_format_side(comparison.right)}{python})"
    else:
        right = f"{comparison.limit:g}"
        right = f"({right} * cores)" if comparison.of_cores else right
    if comparison.every:  # of what is to be small, the largest tells
        left = f"{'max' if comparison.relation in ('less', 'not more') else 'min'}({left})"
    reached = ">=" if comparison.margin > 1 else ">"
    match comparison.relation:
        case "less":
            return f"{right} / {left} {reached} {margin}"
        case "more" | "falls" | "rises":
            return f"{left} / {right} {reached} {margin}"
        case "not less":
            return f"not {right} / {left} {reached} {margin}"
        case "not more":
            return f"not {left} / {right} {reached} {margin}"
        case "equal" | "stays":
            return f"{1 / comparison.margin:.4g} <= {left} / {right} <= {margin}"


def _format_side(side: Side) -> str:
    """``02-threads, family=io, tasks=least``: what is left out is the most that was measured."""
    parts = [side.program, f"family={side.family}"]
    parts += [f"tasks={side.tasks}"] if side.tasks != "most" else []
    parts += [f"workers={side.workers}"] if side.workers != "most" else []
    parts += [f"start_method={side.start_method}"] if side.start_method else []
    return ", ".join(parts)


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
        variant = judgement.record.variant
        cell = [_flatten(getattr(variant, name)) for name in TRACE_CELL]
        for number, trial in enumerate(judgement.record.traced, 1):
            writer.writerows([*cell, number, *point] for point in trial.trace)
    head = ",".join((*TRACE_CELL, "trial", "seconds", "pss_bytes", "cpu_s"))
    return f"{head}\n{buffer.getvalue()}" if buffer.getvalue() else ""


def validate(document: object, name: str = "results") -> None:
    """Check a document against the form of which its schema is made.

    Raises:
        InvalidData: names the first place that is wrong, and how.
    """
    try:
        msgspec.convert(document, FORMS[name])
    except msgspec.ValidationError as error:
        raise InvalidData(str(error)) from None


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
