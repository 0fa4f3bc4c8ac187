"""Published rows hold what the charts and claims were made of, in JSON and in CSV."""

import csv
import io
import json
import re
from typing import Any

import pytest

from scripts.harness.record import Record
from scripts.site.declare.claims import Where
from scripts.site.render import published
from scripts.site.render.published import (
    format_csv,
    format_traces,
    make_claims,
    make_document,
)
from tests.factories import (
    EXITED,
    PLAIN,
    POOL,
    make_comparison,
    make_record,
    make_variant,
    replace,
)
from tests.site.golden import WORDS, compare
from tests.site.render.markup import make_evidence
from tests.site.render.test_claims import change, check

LONG = re.compile(r"\d+\.\d{7,}")
"""Numbers of which the last digits are those of a machine's library."""
FAST = (1.0, 1.01, 1.02, 0.99, 1.0)


def publish(record: Record) -> dict[str, Any]:
    (row,) = make_document([make_evidence([record])])["rows"]
    return dict(row)


def read_csv(row: dict[str, Any]) -> dict[str, str]:
    (line,) = csv.DictReader(io.StringIO(format_csv([row])))
    return line


def test_what_a_spreadsheet_would_compute_is_text_in_the_csv_and_as_it_is_in_the_json() -> None:
    row = {**publish(make_record()), "reason": "=1+1"}
    assert read_csv(row)["reason"] == "'=1+1"
    for start in "+-@\t\r":
        assert read_csv({**row, "params": {f"{start}A": "1"}})["params"] == f"'{start}A=1"


def test_rows_traces_and_claims_are_published_in_these_forms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(published, "load_words", lambda language: WORDS)
    records = [make_record(), make_record(make_variant(cores=2, program=POOL), FAST)]
    broken = make_record(make_variant(cores=2, program="08-cpu-sequential", family="cpu"))
    records.append(replace(broken, status="failed", reason=EXITED, stderr="<boom>", timed=()))
    evidence = make_evidence(records)
    document = make_document([evidence])
    told = format_csv(document["rows"]).replace("\r\n", "\n")
    compare("rows.csv", LONG.sub(lambda number: f"{float(number[0]):.6g}", told))
    compare("traces.csv", format_traces(evidence.judgements))
    claims = make_claims([check(), check(change(id="o", where=Where(gil="off")))])
    compare("claims.json", json.dumps(claims["claims"], indent=1, ensure_ascii=False))


def test_what_is_infinite_is_published_as_null() -> None:
    never = make_comparison(metric="made", right=1)
    records = [
        make_record(make_variant(program=POOL), [1.0] * 8, readings={"made": [0] * 8}),
        make_record(make_variant(program=PLAIN), [1.0] * 8),
    ]
    found = check(change(all=[never]), records)
    document = make_claims([found])
    ((first,),) = (
        one["checks"] for one in json.loads(json.dumps(document, allow_nan=False))["claims"]
    )
    assert (first["status"], first["value"], first["interval"]) == ("confirmed", None, [None, None])
