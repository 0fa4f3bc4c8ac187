"""Published rows hold what the charts and claims were made of, in JSON and in CSV."""

import csv
import io
from dataclasses import replace
from typing import Any

from scripts.records.record import Record, Trial
from scripts.render.published import format_csv, make_document, validate
from tests.factories import EXITED, make_record, make_values
from tests.render.markup import make_evidence


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
