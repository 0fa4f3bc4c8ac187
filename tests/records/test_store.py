"""Records survive a journey through a results file, and damage is told."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest

from scripts.records.record import add_trial
from scripts.records.store import (
    DamagedRecords,
    Results,
    locate,
    make_schema,
    read_results,
    set_aside,
    write_results,
)
from scripts.records.variant import Trial
from tests.factories import NOW, make_interpreter, make_machine, make_record, make_variant

FAILED = add_trial(
    make_record(make_variant(cores=2)),
    Trial(status="failed", reason="exit status 1", stderr="ValueError: no"),
    traced=False,
    now=NOW,
)
TALKATIVE = replace(
    make_record(
        make_variant(cores=3), [2.0, 2.1, 1.9], readings={"made": [3, 4, 5], "lag": [0.5] * 3}
    ),
    printed="30 pages",
)
RESULTS = Results(
    machine=make_machine(),
    interpreter=make_interpreter(),
    records=(make_record(), FAILED, TALKATIVE),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = locate(tmp_path, "box", "cpython-3.13.0")
    write_results(path, RESULTS)
    return path


def test_what_is_written_is_read_again(path: Path) -> None:
    assert read_results(path) == RESULTS


def test_readings_and_what_was_printed_are_read_again_trial_by_trial(path: Path) -> None:
    results = read_results(path)
    assert results
    talkative = results.records[2]
    assert [trial.readings["made"] for trial in talkative.timed] == [3, 4, 5]
    assert talkative.printed == "30 pages"


def test_a_trace_is_read_again_with_memory_and_cpu_time(path: Path) -> None:
    results = read_results(path)
    assert results
    assert results.records[0].traced[0].trace == ((0.0, 1, 0.0), (0.5, 2, 0.4))


def test_a_reading_that_some_trial_did_not_print_is_not_kept(tmp_path: Path) -> None:
    first, *others = TALKATIVE.timed
    silent = replace(TALKATIVE, timed=(replace(first, readings={"lag": 0.5}), *others))
    path = tmp_path / "results.json"
    write_results(path, replace(RESULTS, records=(silent,)))
    results = read_results(path)
    assert results
    assert {*results.records[0].timed[1].readings} == {"lag"}


def test_there_are_no_results_where_there_is_no_file(tmp_path: Path) -> None:
    assert read_results(tmp_path / "none.json") is None


def test_a_results_file_keeps_its_schema(path: Path) -> None:
    jsonschema.Draft202012Validator(make_schema()).validate(json.loads(path.read_text()))


def test_the_schema_refuses_what_is_not_a_result(path: Path) -> None:
    broken = json.loads(path.read_text())
    broken["rows"][0]["wall_s"] = "long"
    assert not jsonschema.Draft202012Validator(make_schema()).is_valid(broken)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('"schema":1', '"schema":9'),
        lambda text: text.replace('"wall_s":[2.0,', '"wall_s":['),
        lambda text: text.replace('"made":[3,', '"made":['),
        lambda text: text.replace('"made":[3,', '"made":[3,3,'),
        lambda text: text.replace('"cores":1', '"cores":"one"'),
        lambda text: "",
    ],
)
def test_damage_of_any_kind_names_the_file(path: Path, damage: object) -> None:
    path.write_text(damage(path.read_text()))  # type: ignore[operator]
    with pytest.raises(DamagedRecords, match=r"cpython-3\.13\.0\.json"):
        read_results(path)


def test_a_damaged_file_is_kept_aside(path: Path) -> None:
    text = path.read_text()
    aside = set_aside(path, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    assert aside.name == "cpython-3.13.0.damaged-20260102T030405Z.json"
    assert aside.read_text() == text
    assert not path.exists()


def test_a_record_keeps_what_its_program_printed_in_the_shortest_of_the_timed_trials() -> None:
    record = replace(make_record(), timed=(), traced=())
    kept = []
    for wall_s, traced in ((0.1, True), (3, False), (1, False), (2, False), (0.5, True)):
        trial = Trial(status="ok", wall_s=wall_s, printed=f"{wall_s}")
        record = add_trial(record, trial, traced=traced, now=NOW)
        kept.append(record.printed)
    assert kept == ["0.1", "3", "1", "1", "1"]
    failed = Trial(status="failed", printed="oh")
    assert add_trial(record, failed, traced=False, now=NOW).printed == "1"


def test_the_start_of_the_interpreter_makes_no_trial_longer() -> None:
    record = replace(make_record(), timed=())
    for wall_s, inside_s in ((1, 0.9), (2, 0.5)):
        trial = Trial(status="ok", wall_s=wall_s, inside_s=inside_s, printed=f"{inside_s}")
        record = add_trial(record, trial, traced=False, now=NOW)
    assert record.printed == "0.5"


def test_a_failed_trial_ends_a_record_and_keeps_what_was_measured_before() -> None:
    assert FAILED.status == "failed"
    assert FAILED.stderr == "ValueError: no"
    assert len(FAILED.timed) == 5
