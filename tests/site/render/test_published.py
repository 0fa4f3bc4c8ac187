"""Published rows hold what the charts and claims were made of, in JSON and in CSV."""

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import structs

from scripts.harness.machine import describe_machine
from scripts.harness.record import Record, Trial
from scripts.site.declare.claims import Comparison, Where
from scripts.site.judge.judge import Evidence, judge_records
from scripts.site.render.published import (
    InvalidData,
    format_csv,
    format_formula,
    format_traces,
    make_claims,
    make_document,
    validate,
)
from tests.factories import (
    EXITED,
    make_experiment,
    make_interpreter,
    make_record,
    make_side,
    make_values,
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
    experiment = make_experiment()
    return Evidence(
        experiment=experiment,
        profile="quick",
        machine=describe_machine(),
        interpreters=(make_interpreter(),),
        judgements=judge_records(experiment, records),
        generated_at=datetime(2026, 1, 2, tzinfo=UTC),
    )


def publish(record: Record) -> dict[str, Any]:
    document = make_document([make_evidence([record])])
    validate(document)
    (row,) = document["rows"]
    return dict(row)


def read_csv(row: dict[str, Any]) -> dict[str, str]:
    (line,) = csv.DictReader(io.StringIO(format_csv([row])))
    return line


def test_a_row_has_the_time_inside_the_readings_and_the_server_s_share_of_every_trial() -> None:
    row = publish(make_record(walls=[1.0, 2.0], readings={"made": [120.0, 118.0]}))
    assert row["inside_s"] == [0.9, 1.9]
    assert row["readings"] == {"made": [120.0, 118.0]}
    assert row["server_share"] == [0.05, 0.05]


def test_a_row_tells_how_many_of_its_trials_were_disturbed_and_shows_those_that_count() -> None:
    disturbed = Trial(status="ok", values=make_values(9.0, others_share=1.0))
    row = publish(replace(make_record(walls=[1.0, 2.0]), disturbed=(disturbed,)))
    assert (row["disturbed"], row["wall_s"]) == (1, [1.0, 2.0])
    assert row["others_share"] == [0.03, 0.03]


def test_the_csv_has_them_too_a_reading_by_its_name_for_every_trial() -> None:
    readings = {"made": [120.0, 118.0], "threads": [3.0, 4.0]}
    line = read_csv(publish(make_record(walls=[1.0, 2.0], readings=readings)))
    assert line["inside_s"] == "0.9 1.9"
    assert line["readings"] == "made=120.0 made=118.0 threads=3.0 threads=4.0"
    assert line["server_share"] == "0.05 0.05"
    assert line["params"] == "SCALE=1"


def test_what_a_spreadsheet_would_compute_is_text_in_the_csv_and_as_it_is_in_the_json() -> None:
    row = {**publish(make_record()), "reason": "=1+1"}
    assert read_csv(row)["reason"] == "'=1+1"
    for start in "+-@\t\r":
        assert read_csv({**row, "params": {f"{start}A": "1"}})["params"] == f"'{start}A=1"


def test_a_row_has_every_name_that_the_interface_has() -> None:
    assert publish(make_record()).keys() >= {
        *("experiment", "program", "family", "machine", "interpreter", "gil", "start_method"),
        *("cores", "workers", "tasks", "params", "status", "reason", "reason_code", "wall_s"),
        *("user_s", "system_s", "cpu_share", "peak_pss_bytes", "max_rss_bytes", "wall_median_s"),
        *("wall_interval_s", "noise", "floor_s", "verdict", "measured_at"),
        *("inside_s", "readings", "server_share"),
    }


def test_a_reason_is_published_as_a_sentence_and_as_a_code() -> None:
    row = publish(replace(make_record(), status="failed", reason=EXITED, timed=(), traced=()))
    assert (row["reason"], row["reason_code"]) == ("exited with status 1", "exited")
    assert (publish(make_record())["reason"], publish(make_record())["reason_code"]) == ("", "")


def test_published_data_keeps_to_its_schema(evidence: Evidence) -> None:
    validate(make_document([evidence]))


def test_broken_data_is_rejected_and_the_place_is_named(evidence: Evidence) -> None:
    document = make_document([evidence])
    document["rows"][0]["cores"] = "two"
    with pytest.raises(InvalidData, match=r"rows\[0\]\.cores"):
        validate(document)


def test_csv_says_the_same_as_json(evidence: Evidence) -> None:
    rows = make_document([evidence])["rows"]
    read = list(csv.DictReader(io.StringIO(format_csv(rows))))
    assert len(read) == len(rows)
    for row, line in zip(rows, read, strict=True):
        assert [float(value) for value in line["wall_s"].split()] == row["wall_s"]
        assert line["program"] == row["program"]
        assert (line["verdict"] or None) == row["verdict"]


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


def test_traces_without_cpu_times_leave_them_open_and_trials_are_told_apart() -> None:
    trial = Trial(status="ok", trace=((0.0, 7, None),))
    record = replace(make_record(), traced=(trial, trial))
    lines = format_traces(make_evidence([record]).judgements).splitlines()[1:]
    assert [line.split(",")[-4:] for line in lines] == [
        ["1", "0.0", "7", ""],
        ["2", "0.0", "7", ""],
    ]


def test_where_nothing_was_traced_there_are_no_traces() -> None:
    untraced = replace(make_record(), traced=(Trial(status="ok"),))
    assert format_traces(make_evidence([untraced]).judgements) == ""
    assert format_traces([]) == ""


def test_published_claims_keep_to_their_schema() -> None:
    document = make_claims([check(), check(change(id="o", where=Where(gil="off")))])
    validate(document, "claims")
    first, other = json.loads(json.dumps(document))["claims"]
    shown = first["checks"][1]
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
        "condition": f"wall_s({SEQUENTIAL}, family=io) / wall_s({POOL}, family=io) >= 1.5",
    }


def test_what_is_infinite_is_published_as_null() -> None:
    never = Comparison(metric="made", left=make_side(POOL), right=1, relation="less")
    records = [
        make_record(make_variant(program=POOL), [1.0] * 8, readings={"made": [0] * 8}),
        make_record(make_variant(program=SEQUENTIAL), [1.0] * 8),
    ]
    found = check(change(all=[never]), records)
    document = make_claims([found])
    validate(document, "claims")
    ((first,),) = (
        one["checks"] for one in json.loads(json.dumps(document, allow_nan=False))["claims"]
    )
    assert (first["status"], first["value"], first["interval"]) == ("confirmed", None, [None, None])


def test_a_published_condition_tells_what_a_side_differs_by_from_the_ordinary() -> None:
    side = make_side(POOL, tasks="above cores", workers=4, start_method="spawn")
    comparison = Comparison(metric="made", left=side, right=make_side(POOL), relation="not more")
    formula = (
        f"not made({POOL}, family=io, tasks=above cores, workers=4, start_method=spawn)"
        f" / made({POOL}, family=io) > 1"
    )
    assert format_formula(comparison) == formula
    comparison = structs.replace(comparison, right_python="ordinary")
    assert format_formula(comparison) == formula.replace("io) > 1", "io, python=ordinary) > 1")
    once = Comparison(metric="made", left=make_side(POOL), right=1.0, relation="less", every=True)
    assert format_formula(once) == f"1 / max(made({POOL}, family=io)) > 1"


def test_published_conditions_of_sweeps_and_shares_are_formulas_too() -> None:
    swept = Comparison(metric="wall_s", left=make_side(POOL), over="tasks", relation="falls")
    assert format_formula(swept) == (
        f"wall_s({POOL}, family=io, tasks=least) / wall_s({POOL}, family=io, tasks=most) > 1"
    )
    share = Comparison(
        metric="cpu_share", left=make_side(POOL), of_cores=0.9, relation="equal", margin=1.25
    )
    assert format_formula(share) == (f"0.8 <= cpu_share({POOL}, family=io) / (0.9 * cores) <= 1.25")


def test_wrong_claims_are_not_published() -> None:
    document = make_claims([check()])
    document["claims"][0]["checks"][0]["status"] = "perhaps"
    with pytest.raises(InvalidData, match=r"checks\[0\]\.status"):
        validate(document, "claims")
