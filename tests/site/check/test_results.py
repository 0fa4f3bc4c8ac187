"""Whatever is wrong with any of the results files is told, a line each; of strangers' files, more."""

import json
from pathlib import Path

import pytest

from scripts.harness.record import Record, Results
from scripts.harness.store import locate, write_results
from scripts.harness.timeline import list_timelines, write_timeline
from scripts.site.check import results
from scripts.site.check.results import find_bad_results, find_doubtful, find_outdated
from scripts.site.study import snippets
from scripts.site.study.snippets import FILE, NEEDS, take_digest
from tests.factories import (
    make_experiment,
    make_interpreter,
    make_machine,
    make_record,
    make_timeline,
    make_values,
    make_variant,
    replace,
)

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


def find(*records: Record) -> list[str]:
    return list(find_doubtful(records, make_interpreter(), EXPERIMENTS))


@pytest.mark.parametrize(
    ("points", "told"),
    [
        (((0.0, 1, 0.0), (15.0, 46_000_000, 0.4)), ""),
        (((0.0, 50_000_000, 0.0), (15.5, 1, 0.4)), ""),
        (((0.0, 50_000_000, 0.0), (15.6, 1, 0.4)), "a trace lasts 15.6 s"),
        (((0.0, 1, 0.0), (0.5, 44_000_000, 0.4)), "a trace has 44000000 bytes at most"),
        (((0.0, 1, 0.0), (0.5, 56_000_000, 0.4)), "a trace has 56000000 bytes at most"),
    ],
)
def test_a_trace_fits_the_times_of_its_program_and_its_peak(
    points: tuple[tuple[float, int, float], ...], told: str
) -> None:
    record = make_record(walls=[2.1, 2.0])
    faults = "".join(find(replace(record, traced=(replace(record.traced[0], trace=points),))))
    place = "lab/01-io-sequential (30 tasks, 1 cores): " if told else ""
    assert faults.partition(", its")[0].partition(", but")[0] == place + told


def test_other_packages_than_are_pinned_are_told_of_a_program_as_it_is_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(results, "find_packages", lambda *_: {"numpy": "numpy==2.0"})
    evil = "it ran with 'evil==6.6', but 'numpy==2.0' are pinned"
    for mark, told in (("0123456789abcdef", [evil]), ("f" * 16, [])):
        monkeypatch.setattr(results, "take_fingerprint", lambda *_, mark=mark: mark)
        assert find(replace(make_record(), packages={"numpy": "numpy==2.0"})) == []
        found = find(replace(make_record(), packages={"evil": "evil==6.6"}))
        assert [fault.partition(": ")[2] for fault in found] == told
    gone = (make_variant(program="99-gone"), make_variant(experiment="gone"))
    unknown = find(*(replace(make_record(one), packages={"a": "a==1"}) for one in gone))
    assert unknown == ["no experiment 'gone' is declared"]


def test_too_many_disturbed_trials_of_an_experiment_are_told() -> None:
    quiet = [make_record(make_variant(tasks=tasks)) for tasks in (1, 2, 3)]
    timed = quiet[0].timed
    busy = replace(timed[0], values=make_values(2.2, others_share=0.6))
    assert find(*quiet[1:], replace(quiet[0], timed=(busy, *timed[1:]))) == []
    (told,) = find(*quiet[1:], replace(quiet[0], timed=(busy, *timed[1:]), disturbed=(busy,)))
    assert "lab with cpython-3.13.0: other programs disturbed 2 of 16 timed trials" in told
    assert "make measure FRESH=1 ONLY=lab" in told
