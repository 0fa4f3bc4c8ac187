"""Tables around the measurements say what was set."""

from pathlib import Path

import pytest

from scripts.harness.experiment import Range, Sweep, load_experiment
from scripts.harness.machine import Pair
from scripts.harness.record import Record, Trial
from scripts.site.render.facts import (
    MARGINS,
    show_machine,
    show_machines,
    show_margins,
    show_preloading,
    show_profiles,
    show_summary,
    tell_limit,
)
from tests.factories import (
    NOW,
    alter,
    make_interpreter,
    make_machine,
    make_record,
    make_values,
    make_variant,
    replace,
    write_experiment,
)
from tests.site.golden import WORDS, compare
from tests.site.judge.test_rows import gather, make_pair
from tests.site.render.markup import make_evidence, read, read_rows


def measure(program: str, wall_s: float, trials: int = 5, **changes: object) -> Record:
    return make_record(make_variant(program=program, **changes), [wall_s] * trials)


def test_the_margins_are_those_of_the_rule() -> None:
    rows = read_rows(show_margins(WORDS))
    assert [row[0] for row in rows] == list(MARGINS)
    assert [row[2] for row in rows] == [f"[{name}]" for name in MARGINS]


def test_profiles_tell_what_they_set_and_the_sizes_of_their_sweeps(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    sweeps = [
        Sweep(families=["io"], programs=["one"], tasks=[5, 7], workers=[2]),
        Sweep(programs=["two"], trials=3, memory_trials=0),
        Sweep(programs=["one"], tasks=Range(start=3, end=5, step=2)),
        Sweep(programs=["one"], tasks=Range(start=4, end=4, step=2)),
        Sweep(tasks=Range(start=10, end=90, step=20)),
    ]
    experiment = alter(load_experiment(tmp_path), "profiles", "quick", sweeps=sweeps)
    sizes = (
        "SIZE=3 [quoted Waiting], one: tasks=5,7 workers=2 two: trials=3 memory_trials=0"
        " one: tasks=3,5 one: tasks=4 [other_programs]: tasks=10,30…90"
    )
    assert read_rows(show_profiles(make_evidence([], experiment=experiment), WORDS)) == [
        ["quick", "5", "1", "10 [s]", sizes],
        ["smoke", "2", "1", "10 [s]", ""],
        ["full", "5", "1", "10 [s]", ""],
    ]


def test_what_a_process_costs_is_said_with_who_imports_the_main_module() -> None:
    pythons = [make_interpreter(id=f"cpython-{one}", version=one) for one in ("3.13.0", "3.14.1")]
    shown = read(show_preloading(make_evidence([], pythons), WORDS))
    assert shown == "[preloads_main cpython-3.14.1 ] [reimports_main cpython-3.13.0 ]"


def test_a_machine_tells_all_that_is_known_of_it_and_of_its_pythons() -> None:
    free = make_interpreter(
        id="cpython-3.14.7t-gil",
        version="3.14.7",
        free_threaded=True,
        pgo=True,
        lto=False,
        loop_s=0.0047,
    )
    compare("machine", show_machine(make_machine(affinity=(0,)), (make_interpreter(), free), WORDS))
    assert tell_limit(make_machine(), WORDS) == ""


@pytest.mark.parametrize(("factor", "told"), [(1, "[pair_same ×1"), (2, "[pair_apart ")])
def test_a_machine_that_tells_a_program_from_itself_says_so(factor: int, told: str) -> None:
    first_s = (1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 1.0)
    second_s = tuple(factor * one for one in first_s)
    pair = Pair(first_s=first_s, second_s=second_s, measured_at=NOW)
    assert told in read(show_machine(make_machine(pair=pair), (), WORDS))


def test_each_machine_is_a_row_and_the_one_shown_is_told() -> None:
    found = {name: [gather(name, *make_pair(name))] for name in ("box", "far")}
    compare("machines", show_machines(found, WORDS, "", "box"))


def test_the_noise_is_that_of_a_program_against_itself_if_there_are_enough_trials() -> None:
    every_other = [make_record(record.variant, [1.0, 1.1] * 4) for record in make_pair("box")]
    assert "[with_itself 10" in show_summary([gather("box", *every_other)], WORDS)
    assert "[with_itself" not in show_summary([gather("box", *make_pair("box"))], WORDS)


def test_what_of_their_pace_cores_lacked_is_told_by_how_much_they_computed() -> None:
    record = make_record()
    trials = [
        Trial(status="ok", values=make_values(1.0, cpu_s, slowed_share=slowed))
        for cpu_s, slowed in ((0.9, 0.2), (0.1, 0.4))
    ]
    shown = show_summary([gather("box", replace(record, timed=tuple(trials)))], WORDS)
    assert "[slowed_share 22 " in shown
    assert "[slowed_share" not in show_summary([gather("box", record)], WORDS)


def test_disturbed_trials_are_counted() -> None:
    first, second = make_pair("box")
    disturbed = replace(first, disturbed=first.timed[:1])
    assert "[disturbed_share 9.1 11]" in show_summary([gather("box", disturbed, second)], WORDS)


def test_a_machine_of_which_nothing_was_measured_is_described_nevertheless() -> None:
    shown = show_summary([replace(gather("box"), machine=make_machine(hypervisor="KVM"))], WORDS)
    assert "[not_measured]" in shown
    assert "KVM" in shown
