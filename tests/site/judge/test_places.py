"""Places: each machine, core count and Python of a family, the first Pythons of all before others."""

from dataclasses import replace

from scripts.harness.record import Record
from scripts.site.judge.judge import Evidence, judge_records
from scripts.site.judge.places import list_places
from tests.factories import (
    NOW,
    make_experiment,
    make_interpreter,
    make_machine,
    make_record,
    make_variant,
)

SLOW, FAST = [2.0, 2.1, 1.9, 2.0, 2.05], [1.0, 1.1, 0.9, 1.0, 1.05]


def gather(machine: str, *records: Record, pythons: int = 1) -> Evidence:
    experiment = make_experiment()
    return Evidence(
        experiment=experiment,
        profile="quick",
        machine=make_machine(id=machine),
        interpreters=tuple(
            make_interpreter(id=f"cpython-3.{13 + one}.0", version=f"3.{13 + one}.0")
            for one in range(pythons)
        ),
        judgements=judge_records(experiment, records),
        generated_at=NOW,
    )


def make_pair(machine: str, cores: int = 1, interpreter: str = "cpython-3.13.0") -> list[Record]:
    place = {"machine": machine, "cores": cores, "interpreter": interpreter}
    return [
        make_record(make_variant(**place), SLOW),
        make_record(make_variant(program="04-io-thread_pool", workers=30, **place), FAST),
    ]


def test_places_of_a_machine_begin_with_the_most_cores() -> None:
    found, left = list_places([gather("box", *make_pair("box"), *make_pair("box", 2))], "io")
    assert ([place.cores for place in found], left) == ([2, 1], 0)


def test_a_family_that_was_not_measured_has_no_places() -> None:
    assert list_places([gather("box", *make_pair("box"))], "cpu") == ([], 0)


def test_without_its_baseline_nothing_can_be_held_against_it() -> None:
    alone = make_pair("box")[1]
    assert list_places([gather("box", alone)], "io") == ([], 0)


def test_of_several_numbers_of_workers_the_fastest_counts() -> None:
    slow, fast = make_pair("box")
    few = make_record(replace(fast.variant, workers=2), SLOW)
    ((place,), _) = list_places([gather("box", slow, few, fast)], "io")
    assert place.cells["04-io-thread_pool"].record.variant.workers == 30


def test_the_first_pythons_of_all_machines_come_before_others_where_room_is_short() -> None:
    newer = "cpython-3.14.0"
    here = gather("box", *make_pair("box"), *make_pair("box", interpreter=newer), pythons=2)
    there = gather("far", *make_pair("far"))
    found, left = list_places([here, there], "io", most=2)
    names = [(one.evidence.machine.id, one.interpreter.id) for one in found]
    assert (names, left) == ([("box", "cpython-3.13.0"), ("far", "cpython-3.13.0")], 1)
    found, left = list_places([here, there], "io")
    assert [one.interpreter.id for one in found] == [newer, "cpython-3.13.0", "cpython-3.13.0"]


def test_the_pythons_of_one_core_count_stand_together() -> None:
    newer = "cpython-3.14.0"
    records = [
        record
        for cores in (1, 2)
        for python in ("cpython-3.13.0", newer)
        for record in make_pair("box", cores, python)
    ]
    found, _ = list_places([gather("box", *records, pythons=2)], "io")
    assert [(one.cores, one.interpreter.name) for one in found] == [
        (2, "3.14"), (2, "3.13"), (1, "3.14"), (1, "3.13"),
    ]  # fmt: skip


def test_every_python_on_all_cores_of_every_machine_comes_before_fewer_cores() -> None:
    names = [f"cpython-3.{13 + one}.0" for one in range(3)]
    pairs = {
        machine: [
            record
            for name in names
            for cores in range(1, most + 1)
            for record in make_pair(machine, cores, name)
        ]
        for machine, most in (("box", 2), ("limited", 1))
    }
    evidences = [gather(machine, *own, pythons=3) for machine, own in pairs.items()]
    found, left = list_places(evidences, "io", most=6)
    assert [(one.evidence.machine.id, one.cores) for one in found] == [
        *[("box", 2)] * 3,
        *[("limited", 1)] * 3,
    ]
    assert left == 3
