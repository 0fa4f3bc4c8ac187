"""Rows of strangers that no run of a program can have given are refused, each with a sentence."""

from collections.abc import Callable, Sequence

import pytest
from msgspec import structs

from scripts.harness.record import Record
from scripts.site.check import results
from scripts.site.contributed import rules
from scripts.site.contributed.rules import find_doubtful
from tests.factories import (
    make_experiment,
    make_interpreter,
    make_record,
    make_values,
    make_variant,
    replace,
)

EXPERIMENTS = {"lab": make_experiment()}
WALLS = (2.0, 2.1, 1.9, 2.0, 2.05)
SEQUENTIAL = make_variant(program="08-cpu-sequential", family="cpu", cores=2)
PROCESSES = make_variant(program="12-cpu-process_pool", family="cpu", cores=2, workers=2)


def find(*records: Record) -> list[str]:
    rows = records
    return list(find_doubtful(rows, make_interpreter(), EXPERIMENTS))


def change(record: Record, **values: float) -> Record:
    timed = (replace(one, values={**one.values, **values}) for one in record.timed)
    return replace(record, timed=tuple(timed))


def trace(record: Record, *points: tuple[float, int, float]) -> Record:
    return replace(record, traced=(replace(record.traced[0], trace=points),))


def test_what_a_run_gave_is_not_doubtful() -> None:
    computing = make_record(SEQUENTIAL, cpu_s=1.9)
    parallel = make_record(PROCESSES, [one / 2 for one in WALLS], cpu_s=1.9)
    assert find(make_record(), computing, parallel) == []


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda one: change(one, max_rss_bytes=4096), "max_rss_bytes is 4096, but no Python"),
        (
            lambda one: trace(
                replace(one, traced=(replace(one.traced[0], values={"peak_pss_bytes": 1}),)),
                (0.0, 1, 0.0),
            ),
            "peak_pss_bytes is 1, but no Python",
        ),
        (lambda one: trace(one, (0.0, 1, 0.0), (200.0, 50_000_000, 0.4)), "trace lasts 200.0 s"),
        (lambda one: trace(one, (0.0, 1, 0.0), (0.5, 20_000_000, 0.4)), "but its peak is 50000000"),
    ],
)
def test_memory_that_no_python_has_is_told(spoil: Callable[[Record], Record], told: str) -> None:
    (fault,) = find(spoil(make_record()))
    assert told in fault
    assert fault.startswith("lab/01-io-sequential (30 tasks, 1 cores): ")


@pytest.mark.parametrize(
    ("walls", "told"),
    [
        ([2.5] * 5, "all 5 trials took the same 2.5 s"),
        ([2.5] * 4, ""),
        ([2.0, 3.0], "all trials took whole seconds"),
        ([2.0, 3.5], ""),
    ],
)
def test_times_that_no_clock_gives_are_told(walls: Sequence[float], told: str) -> None:
    found = find(make_record(walls=walls))
    assert [fault.partition(": ")[2] for fault in found] == ([told] if told else [])


@pytest.mark.parametrize(
    ("wall_s", "cpu_s", "told"),
    [
        (0.11, 1.9, []),
        (0.09, 0.17, ["it is 22 times as fast as 08-cpu-sequential"]),
        (0.11, 0.018, ["it took 0.0095 of the CPU time of 08-cpu-sequential"]),
    ],
)
def test_no_program_computes_the_same_in_no_time(
    wall_s: float, cpu_s: float, told: list[str]
) -> None:
    walls = [wall_s * one / 2 for one in WALLS]
    found = find(
        make_record(SEQUENTIAL, WALLS, cpu_s=1.9), make_record(PROCESSES, walls, cpu_s=cpu_s)
    )
    assert [fault.partition(": ")[2] for fault in found] == told


def test_other_packages_than_are_pinned_are_told_of_a_program_as_it_is_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rules, "find_packages", lambda *_: {"numpy": "numpy==2.0"})
    marks = {
        "0123456789abcdef": ["it ran with 'evil==6.6', but 'numpy==2.0' are pinned"],
        "f" * 16: [],
    }
    for mark, told in marks.items():
        monkeypatch.setattr(results, "take_fingerprint", lambda *_, mark=mark: mark)
        assert find(replace(make_record(), packages={"numpy": "numpy==2.0"})) == []
        found = find(replace(make_record(), packages={"evil": "evil==6.6"}))
        assert [fault.partition(": ")[2] for fault in found] == told


def test_too_many_disturbed_trials_of_an_experiment_are_told() -> None:
    quiet = [make_record(make_variant(tasks=tasks)) for tasks in (1, 2, 3)]
    timed = quiet[0].timed
    busy = replace(timed[0], values=make_values(2.2, others_share=0.6))
    assert find(*quiet[1:], replace(quiet[0], timed=(busy, *timed[1:]))) == []
    (told,) = find(*quiet[1:], replace(quiet[0], timed=(busy, *timed[1:]), disturbed=(busy,)))
    assert "lab with cpython-3.13.0: other programs disturbed 2 of 16 timed trials" in told
    assert "make measure FRESH=1 ONLY=lab" in told


def test_what_is_not_declared_is_held_against_nothing_declared() -> None:
    unknown = make_record(make_variant(program="99-gone"), cpu_s=1.9)
    elsewhere = make_record(make_variant(experiment="gone"), cpu_s=1.9)
    found = find_doubtful(
        [replace(one, packages={"a": "a==1"}) for one in (unknown, elsewhere)],
        make_interpreter(),
        {"lab": structs.replace(EXPERIMENTS["lab"])},
    )
    assert list(found) == ["no experiment 'gone' is declared"]
