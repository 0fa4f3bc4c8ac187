"""Tables show what was measured at its largest, and say the sizes where they differ."""

from pathlib import Path

from scripts.measure.experiment import Range, Sweep, load_experiment
from scripts.records.record import Record
from scripts.render.facts import show_profiles
from scripts.render.tables import choose_largest, show_results
from scripts.render.words import load_words
from tests.factories import alter, make_record, make_variant, write_experiment
from tests.render.markup import make_evidence, read_ids, read_rows

EN = load_words("en")


def measure(*sizes: int, program: str = "04-io-thread_pool", **changes: object) -> list[Record]:
    return [make_record(make_variant(program=program, tasks=tasks, **changes)) for tasks in sizes]


def list_programs(table: str) -> list[str]:
    """The first cells of the rows."""
    return [row[0] for row in read_rows(table)]


def test_of_several_sizes_the_largest_is_shown_and_said() -> None:
    several = make_evidence([*measure(10, 300, 50), *measure(40, program="01-io-sequential")])
    assert list_programs(show_results(several, EN)) == [
        "01-io-sequential 40 tasks, 1 worker",
        "04-io-thread_pool 300 tasks, 1 worker",
    ]


def test_a_size_that_all_have_is_not_said() -> None:
    alike = make_evidence([*measure(10, 40), *measure(40, program="01-io-sequential")])
    assert list_programs(show_results(alike, EN)) == [
        "01-io-sequential 1 worker",
        "04-io-thread_pool 1 worker",
    ]


def test_the_largest_is_that_of_each_family_and_core_count_with_any_number_of_workers() -> None:
    records = [
        *measure(10, 30, cores=1),
        *measure(20, cores=2),
        *measure(50, cores=2, family="cpu"),
        *measure(30, cores=1, workers=9),
    ]
    chosen = [one.record for one in choose_largest(make_evidence(records).judgements)]
    assert chosen == records[1:]


def test_a_table_may_be_of_some_families_only() -> None:
    records = [
        *measure(30, cores=1),
        *measure(30, cores=2),
        *measure(21, cores=2, family="cpu", program="08-cpu-sequential"),
    ]
    evidence = make_evidence(records)
    assert read_ids(show_results(evidence, EN)) == ["results-2-cores", "results-1-cores"]
    cpu = show_results(evidence, EN, families=["cpu"])
    assert read_ids(cpu) == ["results-2-cores"]
    assert list_programs(cpu) == ["08-cpu-sequential 1 worker"]


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
            "SIZE=3 io, one: tasks=5,7 workers=2 two: trials=3 memory_trials=0 one: tasks=3,5 one: tasks=4 *: tasks=10,30…90",
        ],
        ["smoke", "2", "1", "10 s", ""],
    ]
