"""Published rows hold what the charts and claims were made of, in JSON and in CSV."""

import csv
import io
import json
from typing import Any

import msgspec
import pytest

from scripts.harness.record import Record
from scripts.site.declare.claims import Comparison, Where
from scripts.site.judge.judge import Evidence
from scripts.site.render.published import (
    FORMS,
    format_csv,
    format_traces,
    make_claims,
    make_document,
)
from tests.factories import (
    EXITED,
    make_record,
    make_side,
    make_variant,
    replace,
)
from tests.site.render.markup import make_evidence
from tests.site.render.test_claims import POOL, SEQUENTIAL, change, check

FAST = (1.0, 1.01, 1.02, 0.99, 1.0)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    records = []
    for cores in (1, 2):
        records.append(make_record(make_variant(cores=cores)))
        records.append(make_record(make_variant(cores=cores, program="04-io-thread_pool"), FAST))
    broken = make_record(make_variant(cores=2, program="08-cpu-sequential", family="cpu"))
    records.append(
        replace(broken, status="failed", reason=EXITED, stderr="<boom> & bang", timed=())
    )
    return make_evidence(records)


def publish(record: Record) -> dict[str, Any]:
    document = make_document([make_evidence([record])])
    msgspec.convert(document, FORMS["results"])
    (row,) = document["rows"]
    return dict(row)


def read_csv(row: dict[str, Any]) -> dict[str, str]:
    (line,) = csv.DictReader(io.StringIO(format_csv([row])))
    return line


def test_what_a_spreadsheet_would_compute_is_text_in_the_csv_and_as_it_is_in_the_json() -> None:
    row = {**publish(make_record()), "reason": "=1+1"}
    assert read_csv(row)["reason"] == "'=1+1"
    for start in "+-@\t\r":
        assert read_csv({**row, "params": {f"{start}A": "1"}})["params"] == f"'{start}A=1"


def test_a_reason_is_published_as_a_sentence_and_as_a_code() -> None:
    row = publish(replace(make_record(), status="failed", reason=EXITED, timed=(), traced=()))
    assert (row["reason"], row["reason_code"]) == ("exited with status 1", "exited")
    assert (publish(make_record())["reason"], publish(make_record())["reason_code"]) == ("", "")


def test_csv_says_the_same_as_json(evidence: Evidence) -> None:
    document = make_document([evidence])
    msgspec.convert(document, FORMS["results"])
    rows = document["rows"]
    read = list(csv.DictReader(io.StringIO(format_csv(rows))))
    assert read == [{name: _as_text(row[name]) for name in read[0]} for row in rows]
    assert {"program", "wall_s", "verdict"} <= read[0].keys()


def _as_text(value: object) -> str:
    match value:
        case None:
            return ""
        case dict():
            lists = {name: one if isinstance(one, list) else [one] for name, one in value.items()}
            return " ".join(f"{name}={one}" for name, several in lists.items() for one in several)
        case list():
            return " ".join("" if item is None else str(item) for item in value)
    return str(value)


def test_traces_are_published_a_line_a_sample(evidence: Evidence) -> None:
    lines = list(csv.DictReader(io.StringIO(format_traces(evidence.judgements))))
    assert len(lines) == 2 * len(evidence.judgements)
    assert lines[1] == {
        "program": "01-io-sequential",
        "interpreter": "cpython-3.13.0",
        "start_method": "",
        "cores": "1",
        "workers": "1",
        "tasks": "30",
        "trial": "1",
        "seconds": "0.5",
        "pss_bytes": "50000000",
        "cpu_s": "0.4",
    }


def test_published_claims_keep_to_their_schema() -> None:
    document = make_claims([check(), check(change(id="o", where=Where(gil="off")))])
    msgspec.convert(document, FORMS["claims"])
    first, other = json.loads(json.dumps(document))["claims"]
    (shown,) = first["checks"]
    (compared,) = shown.pop("compared")
    assert compared["ratio"] == [2.0, 2.0, 2.0]
    assert compared["left"][0] / compared["right"][0] == 0.5
    sentence = shown.pop("sentence")
    assert sentence.keys() == first["text"].keys()
    assert "{" not in "".join(sentence.values())
    assert first["text"]["en"].keys() == {"confirmed", "refuted", "open"}
    assert {one["status"] for one in other["checks"]} == {"not_applicable"}
    assert shown == {
        "machine": "box",
        "interpreter": "cpython-3.13.0",
        "cores": 2,
        "status": "confirmed",
        "value": 2.0,
        "interval": [2.0, 2.0],
        "sessions": [],
        "condition": f"wall time: {POOL} is at least 1.5\N{NO-BREAK SPACE}times as fast as {SEQUENTIAL}",
    }


def test_what_is_infinite_is_published_as_null() -> None:
    never = Comparison(metric="made", left=make_side(POOL), right=1, relation="less")
    records = [
        make_record(make_variant(program=POOL), [1.0] * 8, readings={"made": [0] * 8}),
        make_record(make_variant(program=SEQUENTIAL), [1.0] * 8),
    ]
    found = check(change(all=[never]), records)
    document = make_claims([found])
    msgspec.convert(document, FORMS["claims"])
    ((first,),) = (
        one["checks"] for one in json.loads(json.dumps(document, allow_nan=False))["claims"]
    )
    assert (first["status"], first["value"], first["interval"]) == ("confirmed", None, [None, None])
