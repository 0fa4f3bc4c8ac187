"""Tables around the measurements say what was set, and work a verdict through with real numbers."""

from pathlib import Path

import pytest

from scripts.harness.experiment import Range, Sweep, load_experiment
from scripts.harness.machine import Pair
from scripts.harness.record import Record
from scripts.harness.texts import list_languages
from scripts.site.judge.statistics import FEWEST
from scripts.site.render.facts import (
    show_machine,
    show_margins,
    show_preloading,
    show_profiles,
    tell_limit,
)
from scripts.site.render.words import load_words
from tests.factories import (
    NOW,
    alter,
    make_experiment,
    make_interpreter,
    make_machine,
    make_record,
    make_variant,
    write_experiment,
)
from tests.site.render.markup import make_evidence, read, read_rows

EN = load_words("en")
PLAIN, POOL = "01-io-sequential", "04-io-thread_pool"


def measure(program: str, wall_s: float, trials: int = 5, **changes: object) -> Record:
    return make_record(make_variant(program=program, **changes), [wall_s] * trials)


def work_example(*records: Record) -> str:
    return read(show_margins(make_evidence(records), EN).rpartition("<p>")[2])


@pytest.mark.parametrize("language", list_languages())
def test_the_margins_tell_how_few_trials_decide_nothing(language: str) -> None:
    words = load_words(language)
    rows = {row[0]: row[1:] for row in read_rows(show_margins(make_evidence([]), words))}
    assert rows["FEWEST"] == [str(FEWEST), words.catalogue["margin"]["FEWEST"]]


def test_the_example_holds_a_program_against_the_baseline_of_its_own_size() -> None:
    records = [
        measure(program, wall_s, tasks=tasks)
        for program, tasks, wall_s in ((PLAIN, 10, 1.0), (POOL, 10, 0.9), (PLAIN, 30, 3.0))
    ]
    shown = work_example(*records, measure(POOL, 1.0, tasks=30))
    assert f"{POOL} took 0.90 s; {PLAIN} took 2.9 s" in shown
    assert "The second time divided by the first is ×3.2" in shown
    assert "recommended" in shown


def test_the_example_holds_a_program_against_the_baseline_of_its_own_family() -> None:
    experiment = make_experiment()
    for program in (PLAIN, POOL):
        experiment = alter(experiment, "programs", program, families=["io", "cpu"])
    experiment = alter(experiment, "families", "cpu", baseline=PLAIN)
    records = [
        measure(program, wall_s, family=family)
        for family, program, wall_s in (
            ("io", PLAIN, 1.0),
            ("io", POOL, 1.0),
            ("cpu", PLAIN, 8.0),
            ("cpu", POOL, 2.0),
        )
    ]
    shown = read(show_margins(make_evidence(records, experiment=experiment), EN))
    assert f"{POOL} took 1.9 s; {PLAIN} took 7.9 s" in shown


def test_without_a_verdict_there_is_no_example_and_the_reason_is_true() -> None:
    assert work_example() == EN.text("few_records")
    few = [measure(PLAIN, 3.0, trials=1), measure(POOL, 1.0, trials=1)]
    assert work_example(*few) == EN.text("no_example")


def test_profiles_tell_what_they_set_and_the_sizes_of_their_sweeps(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    few = Sweep(families=["io"], programs=["one"], tasks=[5, 7], workers=[2])
    sweeps = [
        few,
        Sweep(programs=["two"], trials=3, memory_trials=0),
        Sweep(programs=["one"], tasks=Range(start=3, end=5, step=2)),
        Sweep(programs=["one"], tasks=Range(start=4, end=4, step=2)),
        Sweep(tasks=Range(start=10, end=90, step=20)),
    ]
    experiment = alter(load_experiment(tmp_path), "profiles", "quick", sweeps=sweeps)
    assert read_rows(show_profiles(make_evidence([], experiment=experiment), EN)) == [
        [
            "quick",
            "5",
            "1",
            "10 s",
            "SIZE=3 “Waiting”, one: tasks=5,7 workers=2 two: trials=3 memory_trials=0 one: tasks=3,5 one: tasks=4 others: tasks=10,30…90",
        ],
        ["smoke", "2", "1", "10 s", ""],
        ["full", "5", "1", "10 s", ""],
    ]


@pytest.mark.parametrize("language", list_languages())
def test_what_a_process_costs_is_said_with_who_imports_the_main_module(language: str) -> None:
    words = load_words(language)
    names = {"3.13.0": "cpython-3.13.0", "3.14.1": "cpython-3.14.1"}
    both = [make_interpreter(id=name, version=version) for version, name in names.items()]
    told = {
        one.id: read(show_preloading(make_evidence([], [one]), words)).replace(one.id, "{}")
        for one in both
    }
    assert told["cpython-3.13.0"] != told["cpython-3.14.1"]
    mixed = show_preloading(make_evidence([], both), words)
    assert all(name in mixed for name in names.values())


def test_a_machine_that_tells_a_program_from_itself_says_so() -> None:
    same, other = (1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 1.0), (2.0, 2.1, 1.9, 2.0, 2.05, 1.95, 2.0)
    for second_s, told in ((same, "not told apart (×1"), (other, "told apart, though")):
        pair = Pair(first_s=same, second_s=second_s, measured_at=NOW)
        shown = read(show_machine(make_machine(pair=pair), (), EN))
        assert told in shown


def test_each_interpreter_tells_its_gil_and_how_it_was_built_as_far_as_that_is_known() -> None:
    free = make_interpreter(
        id="cpython-3.14.7t-gil",
        version="3.14.7",
        free_threaded=True,
        pgo=True,
        lto=False,
        loop_s=0.0047,
    )
    shown = show_machine(make_machine(), (make_interpreter(), free), EN)
    rows = {row[0]: row[1:7] for row in read_rows(shown)}
    assert rows["cpython 3.13.0"] == ["yes", "no", "no", *["not known"] * 3]
    assert rows["cpython 3.14.7t-gil"] == [
        "yes",
        "yes",
        "no",
        "yes",
        "no",
        "4.7 ms",
    ]


@pytest.mark.parametrize("language", list_languages())
def test_a_limited_machine_is_told_as_limited(language: str) -> None:
    words = load_words(language)
    limited = show_machine(make_machine(affinity=(0,)), (), words)
    assert tell_limit(make_machine(affinity=(0,)), words) in limited
    assert tell_limit(make_machine(), words) == ""
