"""Noise flags are raised by what they name, and by nothing else."""

import pytest
from msgspec import structs

from making import IO, VARIANT, alter, make_record, make_values, make_variant, replace
from poolwise.experiment import Experiment, Family
from poolwise.record import Record, Trial
from scripts.site.judge.noise import (
    CONTENTION,
    DELAY_S,
    SHARED_CORE,
    find_floor,
    find_noise,
    find_span,
    find_task_wait,
    find_too_short,
    find_wait,
)
from scripts.site.judge.samples import UNMOVED, Span
from tests.factories import make_experiment


def load(wall_s: float, cpu_s: float, others: float = 1.0, **changes: object) -> Record:
    """A record of two cores of which others took so many; nothing goes on outside the work."""
    values = make_values(wall_s, cpu_s, others_share=others, inside_s=wall_s)
    trial = Trial(status="ok", values=values, readings={"wrong": 3.0, "waited": 3.0})
    return replace(make_record(), timed=(trial,) * 3, cores=2, **changes)


def make_lab(kind: str, wait_s: float = 0.0) -> Experiment:
    """The experiment of the record, whose program is of a kind and has to wait so long."""
    lab = make_experiment()
    programs = [replace(program, kind=kind) for program in lab.programs]
    quick = replace(lab.profiles["quick"], longest_wait_s={VARIANT.family: wait_s})
    return replace(lab, programs=programs, profiles={"quick": quick})


PACE = 1 + CONTENTION / 2


@pytest.mark.parametrize(
    ("record", "kind", "wait_s", "span"),
    [
        # Whatever computes on both cores may have had one of them: half of its time.
        (load(2.0, 2.0), "processes", 0.0, (0.5 / PACE, PACE)),
        (load(2.0, 3.0), "sequential", 0.0, (0.75 / PACE, PACE)),
        # What computes on one core alone has had it for as long as it computed.
        (load(2.0, 2.0), "sequential", 0.0, (1 / PACE, PACE)),
        (load(2.0, 2.0, packages={"uvloop": "0.22.1"}), "coroutines", 0.0, (1 / PACE, PACE)),
        (load(2.0, 2.0, packages={"numpy": "2.4.0"}), "sequential", 0.0, (0.5 / PACE, PACE)),
        # What waits takes at least as long as it has to.
        (load(2.0, 0.0), "coroutines", 1.8, (0.9, 1.0)),
        (load(2.0, 0.0), "threads", 0.0, (0.5, 1.0)),
        # Without the GIL threads get in each other's way, and the less so the fewer run.
        (load(2.0, 2.0, gil="off"), "threads", 0.0, (0.5 / PACE, 2.0)),
    ],
)
def test_a_time_is_moved_by_others_no_further_than_they_can_have_held_it_up(
    record: Record, kind: str, wait_s: float, span: Span
) -> None:
    assert find_span(make_lab(kind, wait_s), record, "inside_s") == pytest.approx(span)


@pytest.mark.parametrize(("others", "sharing"), [(1.0, 1.0), (0.5, 0.5)])
def test_what_shares_a_core_with_others_computes_more_slowly(others: float, sharing: float) -> None:
    lab, record = make_lab("sequential"), load(2.0, 2.0, others)
    apart, together = (find_span(lab, record, "wall_s", smt) or UNMOVED for smt in (1, 2))
    slower = 1 + SHARED_CORE * sharing
    assert together == pytest.approx((apart[0] / slower, apart[1]))
    waiting = load(2.0, 0.0, others)
    assert find_span(lab, waiting, "wall_s", 2) == find_span(lab, waiting, "wall_s", 1)


@pytest.mark.parametrize(
    ("name", "span"),
    [
        ("peak_pss_bytes", UNMOVED),
        ("wrong", UNMOVED),
        ("waited", None),
        ("cpu_s", (1 / PACE, PACE)),
        ("cpu_share", (1 / PACE, PACE / 0.5)),
    ],
)
def test_others_move_times_but_neither_memory_nor_counts_and_latencies_without_bound(
    name: str, span: Span | None
) -> None:
    factors = find_span(make_lab("processes"), load(2.0, 2.0), name)
    assert factors == (span and pytest.approx(span))
    assert find_span(make_lab("processes"), load(2.0, 2.0, others=0.0), name) == UNMOVED


def test_where_others_took_every_core_a_program_has_still_waited_and_computed() -> None:
    computing, waiting = load(2.0, 1.0, others=2.0), load(2.0, 0.0, others=2.0)
    pace = 1 + CONTENTION
    (least, _) = find_span(make_lab("processes"), computing, "inside_s") or UNMOVED
    assert least == pytest.approx(0.25 / (1 + 0.5 * (pace - 1)))
    (least, _) = find_span(make_lab("processes"), waiting, "inside_s") or UNMOVED
    assert 0 < least < 0.001


def test_a_loop_may_have_been_as_much_later_as_others_had_its_core_in_turn() -> None:
    traced = Trial(status="ok", values={"peak_pss_bytes": 1, "lag_max_s": 1.0}, trace=())
    late = replace(load(2.0, 2.0), traced=(traced,) * 3)
    bounds = (0.5 / PACE - DELAY_S, PACE)
    assert find_span(make_lab("coroutines"), late, "lag_max_s") == pytest.approx(bounds)


@pytest.mark.parametrize(
    ("flag", "shares", "is_raised"),
    [
        ("slowed", [0.0, 0.11, 0.3], True),
        ("slowed", [0.0, 0.09, 0.3], False),
        ("slowed", [None] * 3, False),
        ("server", [0.0, 0.71, 0.9], True),
        ("server", [0.0, 0.69, 0.9], False),
    ],
)
def test_a_share_of_time_is_told_from_its_threshold_on_in_the_median_trial(
    flag: str, shares: list[float | None], is_raised: bool
) -> None:
    values = (make_values(1.0, **{f"{flag}_share": share}) for share in shares)
    timed = tuple(Trial(status="ok", values=row) for row in values)
    assert (flag in find_noise(replace(make_record(), timed=timed))) == is_raised


@pytest.mark.parametrize(
    ("flag", "calm", "odd"),
    [
        ("few", [20.0] * 2, [20.0]),
        ("spread", [18.0, 19.0, 20.0, 21.0, 22.0], [18.0, 18.9, 20.0, 21.0, 22.0]),
        ("spread", [18.5, 20.0, 21.5], [17.9, 20.0, 22.0]),
        ("maximum", [20.0, 20.0, 20.0, 20.0, 30.0], [20.0, 20.0, 20.0, 20.0, 30.1]),
        ("slow-first", [21.9, 20.0, 20.0, 19.9, 20.1], [22.1, 20.0, 20.0, 19.9, 20.1]),
        ("slow-first", [22.1, 20.0, 20.0, 19.9, 22.2], [22.2, 20.0, 20.0, 19.9, 22.1]),
        ("outliers", [19.0, 20.0, 21.0, 19.0, 25.1], [19.0, 20.0, 21.0, 19.0, 25.3]),
    ],
)
def test_a_flag_is_raised_from_its_threshold_on(
    flag: str, calm: list[float], odd: list[float]
) -> None:
    assert flag not in find_noise(make_record(walls=calm))
    assert flag in find_noise(make_record(walls=odd))


QUICK = make_experiment().profiles["quick"]
UNEQUAL = Family(name="io", title=IO, baseline="plain", longest_task_share=0.3)
EQUAL = Family(name="io", title=IO, baseline="plain", equal_tasks=True)


@pytest.mark.parametrize(
    ("tasks", "workers", "longest_s", "wait_s"),
    [
        (12, 1, 0.0, 3.0),
        (12, 4, 0.0, 0.75),
        (13, 4, 0.0, 1.0),
        (12, 12, 0.0, 0.25),
        (12, 50, 0.0, 0.25),
        (12, 12, 1.0, 1.0),
        (12, 1, 1.0, 3.0),
    ],
)
def test_tasks_that_wait_equally_long_take_turns_unless_a_chain_of_waits_is_longer(
    tasks: int, workers: int, longest_s: float, wait_s: float
) -> None:
    declared = {"task_wait_s": {"io": 0.25}, "longest_wait_s": {"io": longest_s}}
    variant = make_variant(tasks=tasks, workers=workers)
    assert find_wait(structs.replace(QUICK, **declared), variant) == wait_s


@pytest.mark.parametrize(
    ("params", "declared", "waits_s"),
    [
        ({"SERVER_WAIT_MS": "20"}, {"task_wait_s": {"io": 0.25}}, (0.02, 0.0)),
        ({"WAIT_MS": "0"}, {"longest_wait_s": {"io": 1.0}}, (0.0, 0.0)),
        ({}, {"task_wait_s": {"io": 0.25}, "longest_wait_s": {}}, (0.25, 0.0)),
        ({}, {"task_wait_s": {"io": 0.25}, "longest_wait_s": {"io": 1.0}}, (0.0, 1.0)),
        ({}, {"longest_wait_s": {"io": 1.0}}, (0.0, 1.0)),
        ({}, {"longest_wait_s": {}}, (0.0, 0.0)),
    ],
)
def test_a_task_waits_as_its_record_says_or_else_its_profile(
    params: dict[str, str], declared: dict[str, dict[str, float]], waits_s: tuple[float, float]
) -> None:
    record = make_record(make_variant(params=params))
    assert find_task_wait(structs.replace(QUICK, **declared), record) == waits_s


@pytest.mark.parametrize(
    ("tasks", "floor_s"), [(1, 8.0), (3, 8.0 / 3), (4, 2.0), (5, 3.2), (8, 2.0), (9, 8.0 / 3)]
)
def test_equal_tasks_make_a_staircase_of_as_many_tasks_as_cores(tasks: int, floor_s: float) -> None:
    assert find_floor(EQUAL, 0.0, tasks, 4, 8.0) == pytest.approx(floor_s)


@pytest.mark.parametrize(("cores", "floor_s"), [(1, 8.0), (2, 4.0), (16, 2.4)])
def test_work_is_shared_by_the_cores_down_to_the_longest_task(cores: int, floor_s: float) -> None:
    assert find_floor(UNEQUAL, 0.0, 21, cores, 8.0) == pytest.approx(floor_s)


def test_a_record_that_waited_less_than_it_must_is_told() -> None:
    experiments = {"lab": make_experiment()}
    assert find_too_short(experiments, make_record(walls=[0.5, 0.6])) == ""
    assert find_too_short(experiments, make_record(walls=[0.6, 0.4])) == (
        "lab/01-io-sequential (30 tasks, 1 cores) took 0.4 s, but has to wait for 0.5 s"
    )


@pytest.mark.parametrize(
    ("changes", "ends", "walls"),
    [
        ({"experiment": "gone"}, "well", [0.4]),
        ({"program": "99-gone"}, "well", [0.4]),
        ({"family": "gone"}, "well", [0.4]),
        ({"params": {"SCALE": "0.1"}}, "well", [0.4]),
        ({}, "error", [0.4]),
        ({}, "well", []),
    ],
    ids=str,
)
def test_what_is_not_declared_or_declared_otherwise_or_has_no_trials_refutes_nothing(
    changes: dict[str, object], ends: str, walls: list[float]
) -> None:
    experiment = alter(make_experiment(), "programs", VARIANT.program, ends=ends)
    short = make_record(make_variant(**changes), walls)
    assert find_too_short({"lab": experiment}, short) == ""
