"""Whatever is wrong with any of the results files is told, a line each; shipped ones keep strangers' rules."""

import json
import re
from pathlib import Path

import pytest
from msgspec import structs

from making import make_interpreter, make_machine, make_record, make_variant, read_undigested
from poolwise.record import Results
from poolwise.store import (
    DamagedRecords,
    format_results,
    list_files,
    locate,
    read_results,
    write_results,
)
from scripts.site.check import results as checks
from scripts.site.check.results import find_bad_results, find_outdated, find_undeclared
from scripts.site.contributed import inspect_file
from scripts.site.declare.declarations import load_declarations
from scripts.site.paths import RESULTS
from scripts.site.study import snippets
from scripts.site.study.snippets import FILE, NEEDS, take_digest
from scripts.site.study.timeline import list_timelines, write_timeline
from tests.factories import make_experiment, make_timeline

DIGEST = re.compile(rb',"digest":"[0-9a-f]{16}"')
EXPERIMENTS = {"lab": make_experiment()}


def write(folder: Path, interpreter: str, walls: list[float]) -> Path:
    path = locate(folder, "box", interpreter)
    record = make_record(make_variant(interpreter=interpreter), walls)
    one = make_interpreter(id=interpreter, version=interpreter.removeprefix("cpython-"))
    write_results(path, Results(machine=make_machine(), interpreter=one, records=(record,)))
    return path


def test_every_fault_of_every_file_is_told(tmp_path: Path) -> None:
    first = write(tmp_path, "cpython-3.12.1", [2.0])
    assert list(find_bad_results(tmp_path, EXPERIMENTS)) == []
    file = read_undigested(first)
    file["rows"][0] |= {"cores": 9, "measured_at": "2099-01-01T00:00:00Z"}
    first.write_text(json.dumps(file))
    second = write(tmp_path, "cpython-3.13.0", [0.2])
    third = locate(tmp_path, "box", "cpython-3.14.0")
    third.mkdir()
    place = "row 1 (lab/01-io-sequential)"
    assert list(find_bad_results(tmp_path, EXPERIMENTS)) == [
        f"{first}: {place}: ran on 9 cores of 2",
        f"{first}: {place}: measured at 2099-01-01 00:00 UTC, which cannot be",
        f"{second}: lab/01-io-sequential (30 tasks, 1 cores) took 0.2 s, but has to wait for 0.5 s",
        f"{third}: not a file",
    ]


def test_a_measured_pre_release_of_what_is_out_is_told(tmp_path: Path) -> None:
    (tmp_path / "releases.toml").write_text('"3.15.0" = 2026-10-09\n')
    for version in ("3.14.0rc1", "3.15.2", "3.15.0rc1", "3.15.0b1"):
        write(tmp_path, f"cpython-{version}", [2.0])
    assert list(checks.find_released(tmp_path)) == [
        f"{tmp_path}: Python 3.15.0 is out since 2026-10-09; measure it after 3.15.0b1, 3.15.0rc1"
    ]
    assert "3.15.0rc1" in "".join(checks.find_released(RESULTS))


def test_a_snippet_that_has_changed_since_it_was_recorded_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snippets, "SNIPPETS", tmp_path)
    (tmp_path / NEEDS).touch()
    for name in ("changed", "kept", "new"):
        (tmp_path / f"{name}.py").write_text("print(42)\n")
    record = {"python": "cpython 3.14.7", "ran_at": "2026-11-28T18:00:00Z", "text": "42"}
    digests = dict.fromkeys(("changed", "kept", "removed"), "0" * 16)
    digests["kept"] = take_digest("kept", record["python"])
    rows = [record | {"snippet": name, "digest": digest} for name, digest in digests.items()]
    path = tmp_path / FILE
    assert list(find_outdated(tmp_path)) == []
    path.write_text(json.dumps(rows))
    assert list(find_outdated(tmp_path)) == [
        f"{path}: examples/snippets/changed.py has changed since; make site MEASURE=0 runs it"
    ]
    path.write_text("[]]")
    (fault,) = find_outdated(tmp_path)
    assert fault.startswith(f"{path}: ")


def test_an_experiment_that_nobody_declares_is_told_once_a_file(tmp_path: Path) -> None:
    path = write(tmp_path, "cpython-3.13.0", [2.0])
    file = read_undigested(path)
    file["rows"][0]["experiment"] = "elsewhere"
    path.write_text(json.dumps(file))
    others = {"other": make_experiment()}
    assert list(find_bad_results(tmp_path, others)) == [
        f"{path}: no experiment 'elsewhere' is declared"
    ]
    assert list(find_bad_results(tmp_path, {})) == []


def test_a_timeline_that_cannot_be_is_told_as_well(tmp_path: Path) -> None:
    write_timeline(tmp_path, make_timeline(machine="box"))
    (path,) = list_timelines(tmp_path)
    assert list(find_bad_results(tmp_path, EXPERIMENTS)) == []
    path.write_text(path.read_text().replace('"cores":2', '"cores":0'))
    (told,) = find_bad_results(tmp_path, EXPERIMENTS)
    assert told.startswith(f"{path}: Expected `int` >= 1")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, ""),
        (
            {"program": "99-gone"},
            "lab/99-gone (30 tasks, 1 cores): no such program is declared in the family 'io'",
        ),
        ({"family": "cpu"}, "no such program is declared in the family 'cpu'"),
        ({"params": {"SCALE": "1", "FORMER": "2"}}, ""),
        ({"readings": {"forged": [1.0] * 5}}, "no reading forged is declared"),
        ({"disturbed_values": [{"forged": 1.0}]}, "no metric forged is declared"),
    ],
)
def test_what_a_row_has_that_is_not_declared_is_told_but_parameters_of_former_programs(
    changes: dict[str, object], fault: str
) -> None:
    told = "".join(find_undeclared(structs.replace(make_record(), **changes), EXPERIMENTS))
    assert told.endswith(fault)
    assert bool(told) == bool(fault)


@pytest.mark.parametrize("path", list_files(RESULTS), ids=lambda path: path.stem)
@pytest.mark.slow
def test_shipped_records_keep_the_rules_that_are_asked_of_strangers(path: Path) -> None:
    faults: tuple[str, ...] = ()
    try:
        inspect_file(path, load_declarations().experiments, contributed=True)
    except DamagedRecords as error:
        faults = error.faults
    # Of programs that went, the records stay.
    assert all("no such program is declared" in fault for fault in faults)


@pytest.mark.parametrize("path", list_files(RESULTS), ids=lambda path: path.stem)
def test_a_shipped_file_is_written_again_byte_for_byte(path: Path) -> None:
    results = read_results(path)
    assert results
    older, now = (DIGEST.sub(b"", data) for data in (path.read_bytes(), format_results(results)))
    assert now == older
