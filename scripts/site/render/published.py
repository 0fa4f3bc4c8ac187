"""Published data: everything the pages were made of, as JSON and CSV, and in columns for Explore."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from math import isfinite
from operator import attrgetter, methodcaller
from typing import Any

import msgspec
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from poolwise.dependencies import PROTOCOL
from poolwise.experiment import Experiment
from poolwise.machine import Machine
from poolwise.metrics import METRICS
from poolwise.record import CELL, COLUMNS
from poolwise.statistics import Estimate
from scripts.site.judge.claims import Check, CheckedClaim
from scripts.site.judge.evidence import Evidence, Judgement
from scripts.site.render.claims import fill_sentence, format_at, format_condition
from scripts.site.render.facts import name_machine
from scripts.site.render.html import drop_tags, render
from scripts.site.render.names import name_experiment, title_program
from scripts.site.render.words import Words, capitalise, load_words
from scripts.site.study.signs import Lasting, Signs

Document = dict[str, Any]
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
TRACE_CELL = ("program", "interpreter", "start_method", "cores", "workers", "tasks")


def _list_recorded(row: Judgement, name: str) -> Sequence[object]:
    """List a value for each trial; none where the metric is younger than the record."""
    return getattr(row.record, name) or []


ROW: dict[str, Callable[[Judgement], Any]] = {
    **{name: attrgetter(f"record.{name}") for name in CELL},
    "session": lambda row: list(row.record.timed_sessions),
    "status": attrgetter("record.status"),
    "readings": attrgetter("record.readings"),
    "origin": lambda _: "measured",
    "reason": lambda row: load_words("en").reason(row.record.reason),
    "reason_code": lambda row: getattr(row.record.reason, "code", ""),
    **{name: partial(_list_recorded, name=name) for name, _ in COLUMNS},
    **{
        metric.name: methodcaller("median", metric.name)
        for metric in METRICS.values()
        if metric.derive
    },
    "disturbed": lambda row: sum(row.record.disturbances) if row.record.disturbances else None,
    "wall_median_s": lambda row: row.wall and row.wall.median,
    "wall_interval_s": lambda row: row.wall and [row.wall.low, row.wall.high],
    "noise": lambda row: list(row.noise),
    "floor_s": attrgetter("floor_s"),
    "verdict": attrgetter("verdict"),
    "measured_at": lambda row: _format_time(row.record.measured_at),
}
"""How each column of a published row is read, in the order of the CSV: what a record has, then what was
made of it."""


def make_document(evidences: Sequence[Evidence]) -> Document:
    """``results.json`` as an object; needs at least one experiment."""
    machines = {evidence.machine.id: evidence.machine for evidence in evidences}
    interpreters = {python.id: python for evidence in evidences for python in evidence.interpreters}
    return {
        "schema": 2,
        "protocol": PROTOCOL,
        "generated_at": _format_time(max(evidence.generated_at for evidence in evidences)),
        "profile": evidences[0].profile,
        "machines": [msgspec.to_builtins(machine) for machine in machines.values()],
        "interpreters": [msgspec.to_builtins(python) for python in interpreters.values()],
        "rows": [
            {name: read(judgement) for name, read in ROW.items()}
            for evidence in evidences
            for judgement in evidence.judgements
        ],
    }


def make_claims(claims: Iterable[CheckedClaim], signs: Signs) -> Document:
    """``claims.json`` as an object: texts by language and outcome keep their places for numbers.

    ``since`` is the day on which the status on the machine shown, or that machine, was last another.
    """
    return {
        "schema": 3,
        "claims": [
            {
                "id": checked.claim.id,
                "experiment": checked.experiment,
                "source": checked.claim.source,
                "since": sign and sign.since.isoformat(),
                "before": _make_before(sign),
                "text": {
                    language: {"as-claimed": text}
                    | {outcome: texts[language] for outcome, texts in checked.claim.instead.items()}
                    for language, text in checked.claim.says.items()
                },
                "checks": [
                    _make_check(check)
                    for checks in (checked.checks, *(other.checks for other in checked.elsewhere))
                    for check in checks
                ],
            }
            for checked in claims
            for sign in (signs.get(checked.claim.id),)
        ],
    }


def _make_before(sign: Lasting | None) -> Document | None:
    past = sign.before if sign else None
    return {"status": past.status.replace(" ", "_"), "machine": past.machine} if past else None


def _make_check(check: Check) -> Document:
    """One check: ``value`` is the ratio that the deciding comparison held against its margin.

    It and the ends of its interval are null where nothing was measured, or where they are infinite.
    ``outcome`` is what all of the interval says, from which ``status`` follows; ``pooled`` how many sessions
    count in it. ``condition`` is in English; of several comparisons all must hold. ``at`` is what makes the value.
    ``sentence`` is the text of what came of it, filled in, by language. ``others`` are the cores that others
    took meanwhile, where the interval allows for it, or where it is open for that.
    """
    english = load_words("en")
    value, *interval = _list_ends(check.deciding.ratio) if check.deciding else [None]
    conditions = (
        drop_tags(format_condition(comparison, english)) for comparison in check.claim.all
    )
    return {
        "machine": check.machine,
        "interpreter": check.interpreter,
        "cores": check.cores,
        "status": check.status.replace(" ", "_"),
        "outcome": check.outcome,
        "pooled": check.pooled,
        "value": value,
        "interval": interval or None,
        "condition": "; ".join(conditions),
        "at": _make_at(check),
        "others": next(
            (reason.params for _, reason in check.reasons if "taken" in reason.params), None
        ),
        "sentence": {
            language: fill_sentence(check, load_words(language)).striptags()
            for language in check.claim.says
            if check.findings
        },
    }


def _make_at(check: Check) -> Document | None:
    """What makes the number: the sizes of the rows compared, and as a text by language."""
    if not check.findings:
        return None
    text = {language: format_at(check, load_words(language)) for language in check.claim.says}
    return {name: list(values) for name, values in check.at.items()} | {"text": text}


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
            pairs = (f"{name}={item}" for name, several in items.items() for item in several)
            return _flatten(" ".join(pairs))
        case list():
            return " ".join("" if item is None else str(item) for item in value)
    return value


def _format_time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


# For Explore: a file for each experiment, in columns. A row is one judged record. Names stand once in
# a part and rows have their places, numbers have four digits: a page of many machines loads what it
# shows, and no more.


DIMENSIONS = (
    *(name for name in CELL if name not in ("experiment", "params")),
    *("kind", "profile", "status", "verdict", "outdated"),
)
"""What rows are told apart by, beside the experiment."""
SHOWN = ("wall_s", "inside_s", "cpu_s", "cpu_share", "peak_pss_bytes", "lag_max_s")
"""The metrics that readers compare; ``results.json`` has all."""
RATIOS = ("speedup", "cpu_ratio")
"""The ratios that hold across machines and Pythons: how many times as fast as the baseline of the same family
on the same machine, Python, cores and tasks, and by how many times more CPU time it takes."""


def make_part(evidences: Sequence[Evidence]) -> Document:
    """The rows of one experiment on all machines.

    Returns:
        ``count`` rows; of each dimension its ``values`` and, where these are several, the place
        among them that each row has (``codes``); of each measure a number or null for each row,
        unless no row has any.
    """
    rows = [
        _make_row(evidence, judgement)
        for evidence in evidences
        for judgement in evidence.judgements
    ]
    names = (*RATIOS, "speedup_low", "speedup_high", *SHOWN)
    measures = {name: [_round(row[name]) for row in rows] for name in names}
    return {
        "schema": 1,
        "count": len(rows),
        "dimensions": {name: _encode([row[name] for row in rows]) for name in DIMENSIONS},
        "measures": {name: values for name, values in measures.items() if {*values} - {None}},
    }


def make_index(gathered: Iterable[Sequence[Evidence]]) -> Document:
    """Make what the page has to know before any part: what there is, of each experiment on all machines.

    Explore begins with the first family that was measured, on as many cores as the first machine has.
    """
    experiments: dict[str, Document] = {}
    for evidences in sorted(gathered, key=lambda of_machines: of_machines[0].experiment.place):
        experiment = evidences[0].experiment
        measured = [evidence for evidence in evidences if evidence.rows]
        experiments[experiment.name] = {
            "count": sum(len(evidence.rows) for evidence in measured),
            "first": _make_first(measured[0]) if measured else {},
            "baselines": {family.name: family.baseline for family in experiment.families},
            "kinds": {program.name: program.kind for program in experiment.programs},
        }
    count = sum(experiment["count"] for experiment in experiments.values())
    return {"schema": 1, "count": count, "experiments": experiments}


def _make_first(evidence: Evidence) -> Document:
    families = {row.family for row in evidence.rows}
    family = next(it.name for it in evidence.experiment.families if it.name in families)
    most_cores = str(evidence.rows.values("cores")[-1])
    return {"family": [family], "cores": [most_cores]}


def _make_row(evidence: Evidence, judged: Judgement) -> dict[str, Any]:
    speedup = judged.speedup
    # By how much the baseline differs from itself says nothing.
    spread = None if judged.baseline is judged.record else speedup
    return {
        **{name: getattr(judged.record, name) for name in CELL},
        "machine": evidence.machine.id,
        "kind": evidence.experiment.program(judged.program).kind,
        "profile": judged.record.profile,
        "status": judged.record.status,
        "verdict": judged.verdict,
        "outdated": "yes" if judged.variant in evidence.outdated else "no",
        "speedup": speedup and speedup.median,
        "speedup_low": spread and spread.low,
        "speedup_high": spread and spread.high,
        "cpu_ratio": _divide_cpu(judged),
        **{name: judged.median(name) for name in SHOWN},
    }


def _divide_cpu(judged: Judgement) -> float | None:
    own_s = judged.median("cpu_s")
    base_s = judged.baseline and Judgement(record=judged.baseline).median("cpu_s")
    return own_s / base_s if own_s is not None and base_s else None


def _encode(column: Sequence[object]) -> Document:
    """Values in the order in which they come, as texts; nothing is empty."""
    texts = ["" if value is None else str(value) for value in column]
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    codes = [places[text] for text in texts] if len(places) > 1 else []
    return {"values": list(places), "codes": codes}


def _round(value: float | None) -> float | None:
    if value is None or not isfinite(value):
        return None
    short = float(f"{value:.4g}")
    return int(short) if short.is_integer() else short


def show_explorer(
    experiments: Iterable[Experiment], machines: Iterable[Machine], words: Words, root: str
) -> Markup:
    """The place of the explorer, with its words for the script; without script, links to the data.

    ``root`` is the way from the page up to the root of the site.
    """
    catalogue = words.catalogue
    catalogue_words = {
        **catalogue["explore"],
        "locale": str(words.locale),
        "dimensions": {
            name: catalogue["explore_column"][name]
            for name in ("experiment", *DIMENSIONS, "source")
        },
        "measures": {
            **{name: [catalogue["explore_column"][name], "ratio"] for name in RATIOS},
            **{name: [words.metric(name), METRICS[name].unit] for name in SHOWN},
        },
        "values": {
            **_name_declared(experiments, words),
            "machine": {machine.id: name_machine(machine, words) for machine in machines},
            **{name: catalogue[name] for name in ("kind", "status", "verdict")},
            "gil": {name: words.term("explore", name) for name in ("on", "off")},
            "outdated": {"yes": words.text("yes"), "no": words.text("no")},
            "source": {
                "site": words.term("explore", "source_site"),
                "file": words.term("explore", "own"),
            },
        },
        "units": {name: words.term("unit", name) for name in ("s", "MiB")},
    }
    text = htmlsafe_json_dumps(catalogue_words, ensure_ascii=False)
    return render("explore.html", words=words, root=root, words_json=text)


def _name_declared(experiments: Iterable[Experiment], words: Words) -> Document:
    """What people call experiments, and programs and families by ``experiment/name``."""
    names: Document = {"experiment": {}, "program": {}, "family": {}}
    for experiment in experiments:
        names["experiment"][experiment.name] = capitalise(name_experiment(experiment, words))
        for program in experiment.programs:
            title = title_program(experiment, program.name, words)
            names["program"][f"{experiment.name}/{program.name}"] = title
        for family in experiment.families:
            names["family"][f"{experiment.name}/{family.name}"] = words.choose(family.title)
    return names
