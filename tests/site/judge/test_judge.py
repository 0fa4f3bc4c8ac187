"""Judging compares like with like, in one place at a time, whatever a results file holds."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from test_store import RESULTS

from making import (
    EXITED,
    NOW,
    alter,
    make_build,
    make_record,
    make_values,
    make_variant,
    read_undigested,
    replace,
)
from poolwise.declaration import Reason
from poolwise.record import Trial, add_trial
from poolwise.store import DamagedRecords, locate, read_results, write_results
from scripts.site.judge.judge import contend, judge_records, judge_sessions
from scripts.site.judge.samples import UNMOVED, Sample, can_decide
from scripts.site.judge.spreads import Spreads, take_sample
from tests.factories import hide_time, make_experiment, make_question
from tests.site.render.markup import make_evidence

SEQUENTIAL, POOL = "01-io-sequential", make_variant(program="04-io-thread_pool", workers=5)


def test_numbers_of_tasks_are_never_mixed_into_one_ratio() -> None:
    plain = [(SEQUENTIAL, 10, 1.0), (SEQUENTIAL, 30, 3.0)]
    pool = [(POOL.program, 10, 0.5), (POOL.program, 30, 1.0), (POOL.program, 90, 3.0)]
    records = [
        make_record(make_variant(program=program, tasks=tasks), [wall_s] * 5)
        for program, tasks, wall_s in (*plain, *pool)
    ]
    judged = judge_records(make_experiment(), map(hide_time, records))
    assert [j.speedup and j.speedup.median for j in judged] == [1.0, 1.0, 2.0, 3.0, None]


@pytest.mark.parametrize(("size", "tasks"), [("most", 30), ("least", 10)])
def test_a_question_is_asked_at_one_size_that_the_baseline_has(size: str, tasks: int) -> None:
    records = [
        make_record(make_variant(program=program, tasks=number), [wall] * 5)
        for program, wall in ((SEQUENTIAL, 2.0), ("04-io-thread_pool", 1.0))
        for number in (10, 20, 30, 90)
        if (program, number) != (SEQUENTIAL, 90)
    ]
    experiment = replace(make_experiment(), questions={"io": make_question(tasks=size)})
    judged = judge_records(experiment, records)
    assert {row.tasks for row in judged if row.verdict} == {tasks}


def test_what_a_program_was_compared_with_is_of_its_own_family_size_and_place() -> None:
    places = ({"tasks": 10}, {"tasks": 30}, {"tasks": 30, "cores": 2}, {"machine": "other"})
    records = [
        make_record(make_variant(program=program, **place))
        for place in places
        for program in (SEQUENTIAL, "04-io-thread_pool")
    ]
    judged = judge_records(make_experiment(), records)
    expected = [record for record in records[::2] for _ in "ab"]
    assert [judgement.baseline for judgement in judged] == expected


def test_a_failed_program_is_kept_without_estimates_and_hurts_no_other() -> None:
    failed = add_trial(
        make_record(POOL), Trial(status="failed", reason=EXITED), traced=False, now=NOW
    )
    plain, pool = judge_records(make_experiment(), [make_record(), failed])
    assert pool.wall is None
    assert pool.verdict is None
    assert plain.verdict == "recommended"


def test_a_baseline_that_failed_under_one_start_method_is_taken_under_another() -> None:
    fork, spawn = (
        make_record(make_variant(start_method=method), [2.0] * 5) for method in ("fork", "spawn")
    )
    failed = add_trial(fork, Trial(status="failed"), traced=False, now=NOW)
    judged = judge_records(make_experiment(), [failed, spawn, make_record(POOL, [0.5] * 5)])
    assert [judgement.verdict for judgement in judged] == [None, "gains nothing", "recommended"]


def test_programs_that_all_print_their_time_are_judged_by_the_work_inside() -> None:
    started = make_variant(program="06-io-async")
    records = [make_record(walls=[1.1] * 5), make_record(started, [0.6] * 5)]
    plain, other = judge_records(make_experiment(), records)
    assert (other.time, other.speedup and other.speedup.median) == ("inside_s", pytest.approx(2.0))
    silent = judge_records(make_experiment(), [records[0], hide_time(records[1])])
    assert {judged.time for judged in silent} == {"wall_s"}
    assert silent[1].speedup
    assert silent[1].speedup.median == pytest.approx(1.1 / 0.6)
    assert plain.time == "inside_s"


def test_cpu_time_is_weighed_of_the_same_work_as_time_is() -> None:
    """Of 0.4 s of CPU time the start took 0.1 s."""
    record = make_record(cpu_s=0.4)
    (inside,), (whole,) = (
        contend([record], make_question(weigh=time), Spreads()).values()
        for time in ("inside_s", "wall_s")
    )
    assert list(inside["cpu_s"]) == pytest.approx([0.3] * 5)
    assert list(whole["cpu_s"]) == pytest.approx([0.4] * 5)
    assert list(inside["inside_s"]) == record.list_values("inside_s")


def test_what_is_in_the_way_of_a_program_or_of_a_family_is_so_on_an_older_python_alone() -> None:
    old, new = make_build("3.13.0"), make_build("3.14.0")
    needs, program = Reason("needs-python", {"since": "3.14"}), SEQUENTIAL
    for kind, name in (("programs", program), ("families", "io")):
        experiment = alter(make_experiment(), kind, name, python="3.14")
        for pythons in ([old, new], [new, old]):
            evidence = make_evidence([], pythons, experiment)
            assert evidence.find_obstacle(program, old.id, "io") == needs
            assert (evidence.find_obstacle(program, old.id) == needs) == (kind == "programs")
            assert evidence.find_obstacle(program, new.id, "io") is None
            assert evidence.find_obstacle(program, "cpython-3.9.0", "io") is None


def test_a_reading_that_counts_tasks_is_no_larger_than_they_are() -> None:
    readings = {"counted": [28.0, 30.0], "timed": [0.5, 3.0], "beyond": [30.0, 31.0]}
    record = make_record(make_variant(tasks=30), [1.0, 1.0], readings=readings)
    most = {name: take_sample(record, name, Spreads()).most for name in (*readings, "wall_s")}
    assert most == {"counted": 30, "timed": math.inf, "beyond": math.inf, "wall_s": math.inf}


def test_only_undisturbed_values_of_one_session_decide_anything() -> None:
    first, second = (Sample([1.0], session=name) for name in ("first", "second"))
    unknown, disturbed = Sample([1.0]), Sample([1.0], session="first", span=None)
    assert can_decide(first, first, unknown, [1.0])
    assert not can_decide(first, second)
    assert not can_decide(first, disturbed)


def test_others_disturb_time_and_not_memory() -> None:
    busy = Trial(status="ok", values=make_values(2.0, others_share=0.9))
    record = replace(make_record(), timed=(busy,))
    assert take_sample(record, "wall_s", Spreads()).span != UNMOVED
    assert take_sample(record, "peak_pss_bytes", Spreads()).span == UNMOVED


def test_a_verdict_that_another_session_contradicts_is_none_but_a_tie_contradicts_nothing() -> None:
    def judge(*sessions: tuple[tuple[float, float], ...]) -> list[str | None]:
        records = []
        for place, variant in enumerate(
            (make_variant(), POOL, make_variant(program="06-io-async"))
        ):
            trials = [
                replace(trial, session=str(number))
                for number, costs_s in enumerate(sessions)
                for wall_s, cpu_s in costs_s[place : place + 1]
                for trial in make_record(variant, [wall_s] * 5, cpu_s=cpu_s).timed
            ]
            records.append(replace(make_record(variant), timed=tuple(trials)))
        rows, *_ = judge_sessions(make_experiment(), records, Spreads(records), ())
        return [row.verdict for row in rows]

    plain, cheap, dear = (3.0, 0.4), (1.0, 0.4), (1.0, 1.2)
    tied, apart = (plain, cheap, cheap), (plain, cheap, dear)
    assert judge(tied, tied) == ["gains nothing", "as good", "as good"]
    assert judge(tied, apart) == ["gains nothing", "recommended", None]
    assert judge(tied, ((0.5, 0.1), cheap, cheap)) == [None, None, None]


VALUES: list[Any] = [
    *(0, 1, -1, 2, 0.5, -0.5, 1e-320, 1e-5, 1e6, 1e308, -1e308, 10**30, 2**63, True, None),
    *("", "x", "on", "ok", "timeout", "\u202e", "\x00", "/"),
    *("2026-01-01T00:00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
    *([], [[]], {}, [None], [1e308], {"a": 1}, [[[0, 1, 0]]], "9" * 400, "x" * 5000),
]


def mutate_value(file: Any, chance: random.Random) -> None:
    """Put another value somewhere, or take one away."""
    part = chance.choice([file, file["machine"], file["interpreter"], *file["rows"], *file["rows"]])
    while True:
        key = chance.choice([*(part if isinstance(part, dict) else range(len(part)))])
        if not isinstance(part[key], dict | list) or not part[key] or chance.random() < 0.3:
            break
        part = part[key]
    if chance.random() < 0.1:
        del part[key]
    else:
        part[key] = chance.choice(VALUES)


def test_whatever_a_file_holds_is_judged_or_told_in_a_sentence(tmp_path: Path) -> None:
    experiment, path = make_experiment(), locate(tmp_path, "box", "cpython-3.13.0")
    cells = set()
    for program in experiment.programs:
        cells |= {(program.name, family) for family in program.families}
    write_results(path, RESULTS)
    valid, chance = json.dumps(read_undigested(path)), random.Random(2026)
    read = 0
    for _ in range(300):
        file = json.loads(valid)
        mutate_value(file, chance)
        path.write_text(json.dumps(file))
        results, message = None, ""
        try:
            results = read_results(path)
        except DamagedRecords as error:
            message = str(error)
        assert bool(results) != (message.startswith(f"{path}: ") and message.isprintable())
        if not results:
            continue
        read += 1
        known = [record for record in results.records if (record.program, record.family) in cells]
        declared = [record for record in known if record.profile in experiment.profiles]
        assert len(judge_records(experiment, declared)) == len(declared)
    assert 20 < read < 250
