"""Whatever is wrong with any of the results files is told, a line each."""

import json
from pathlib import Path

from scripts.harness.record import Results
from scripts.harness.store import locate, write_results
from scripts.harness.timeline import list_timelines, write_timeline
from scripts.site.check.results import find_bad_results
from tests.factories import (
    make_experiment,
    make_interpreter,
    make_machine,
    make_record,
    make_timeline,
    make_variant,
)

EXPERIMENTS = {"lab": make_experiment()}


def write(folder: Path, interpreter: str, walls: list[float]) -> Path:
    path = locate(folder, "box", interpreter)
    record = make_record(make_variant(interpreter=interpreter), walls)
    one = make_interpreter(id=interpreter, version=interpreter.removeprefix("cpython-"))
    write_results(path, Results(machine=make_machine(), interpreter=one, records=(record,)))
    return path


def test_files_as_they_should_be_are_not_told(tmp_path: Path) -> None:
    write(tmp_path, "cpython-3.13.0", [2.0])
    assert list(find_bad_results(tmp_path, EXPERIMENTS)) == []


def test_every_fault_of_every_file_is_told(tmp_path: Path) -> None:
    first = write(tmp_path, "cpython-3.12.1", [2.0])
    file = json.loads(first.read_text())
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


def test_an_experiment_that_nobody_declares_is_told_once_a_file(tmp_path: Path) -> None:
    path = write(tmp_path, "cpython-3.13.0", [2.0])
    path.write_text(path.read_text().replace('"experiment":"lab"', '"experiment":"elsewhere"'))
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
