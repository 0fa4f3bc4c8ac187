"""A comparison is of two cells, each of one size under one start method, or over a sweep."""

from collections.abc import Sequence

import pytest

from scripts.harness.declaration import Code, Reason
from scripts.harness.margins import Relation
from scripts.harness.record import Record, Trial
from scripts.site.declare.claims import Claim, Size, Where
from scripts.site.judge.claims import TICK_S, Check, check_evidence, find_cell
from scripts.site.judge.judge import Judgement
from scripts.site.judge.rows import Rows
from tests import factories
from tests.factories import (
    PLAIN,
    POOL,
    make_comparison,
    make_interpreter,
    make_record,
    make_side,
    make_values,
    make_variant,
    replace,
)
from tests.site.render.markup import list_pythons, make_evidence

ANYWHERE = Where()
SIZES = [(3, 2), *((tasks, workers) for tasks in (4, 5, 10) for workers in (2, 4, 8))]
"""Tasks and workers that were measured, on four cores: the fewest tasks with two workers only."""


def make_cell(program: str = POOL, wall_s: float = 1.0, **changes: object) -> Record:
    return make_record(make_variant(program=program, **{"cores": 4} | changes), [wall_s] * 5)


def make_claim(where: Where = ANYWHERE, **changes: object) -> Claim:
    return factories.make_claim(make_comparison(**{"margin": 1.5} | changes), where=where)


def check(claim: Claim, records: Sequence[Record]) -> tuple[Check, ...]:
    return check_evidence([claim], make_evidence(records, list_pythons(records)))


@pytest.mark.parametrize(
    ("named", "size"),
    [
        ({}, (10, 8)),
        ({"tasks": "most"}, (10, 8)),
        ({"tasks": "least"}, (3, 2)),
        ({"tasks": "cores"}, (4, 8)),
        ({"tasks": "above cores"}, (5, 8)),
        ({"tasks": 5}, (5, 8)),
        ({"workers": "least"}, (10, 2)),
        ({"workers": 4}, (10, 4)),
        ({"tasks": 4, "workers": "least"}, (4, 2)),
        ({"tasks": 3, "workers": 2}, (3, 2)),
    ],
)
def test_a_side_names_its_size(named: dict[str, object], size: tuple[int, int]) -> None:
    cells = [make_cell(tasks=tasks, workers=workers) for tasks, workers in SIZES]
    rows = Rows(Judgement(record=cell) for cell in cells)
    found = find_cell(make_side(POOL, **named), rows)
    assert found
    assert (found.tasks, found.workers) == size


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ({"tasks": 6}, "other-size"),
        ({"workers": 3}, "other-size"),
        ({"tasks": 3, "workers": 8}, "other-size"),
        ({"start_method": "spawn"}, "not-measured"),
    ],
)
def test_what_was_not_measured_is_not_applicable_and_says_so(
    named: dict[str, object], code: Code
) -> None:
    records = [make_cell(tasks=tasks, workers=workers) for tasks, workers in SIZES]
    claim = make_claim(right=make_side(POOL, **named))
    (found,) = check(claim, records)
    assert (found.status, found.reasons) == ("not applicable", ((POOL, Reason(code)),))


FREE = {"interpreter": "cpython-3.14.1t", "gil": "off"}


def check_tax(*ordinary: str) -> dict[str, Check]:
    """A free-threaded build held against the ordinary one of its version, where there are these."""
    held = {"right": POOL, "relation": "not more", "margin": 1.25, "right_python": "ordinary"}
    claim = make_claim(Where(gil="off"), **held)
    records = [make_cell(**FREE, wall_s=2.2)]
    records += [make_cell(interpreter=name, wall_s=2.0) for name in ordinary]
    return {one.interpreter: one for one in check(claim, records)}


def test_a_build_is_held_against_the_ordinary_one_of_its_version() -> None:
    others = ("cpython-3.14.0", "cpython-3.14.1", "cpython-3.14.1t-gil", "cpython-3.14.1-jit")
    found = check_tax(*others)
    assert found[FREE["interpreter"]].status == "confirmed"
    assert found[FREE["interpreter"]].findings[0].right.median == 2.0
    assert {found[one].status for one in others} == {"not applicable"}


def test_a_release_is_held_against_another_of_builds_alike() -> None:
    pythons = [
        make_interpreter(id=f"cpython-{version}{flags}", version=version, **facts)
        for version, flags, facts in (
            ("3.14.2", "", {"pgo": True}),
            ("3.14.2", "-0a1b2c", {"pgo": None}),
            ("3.15.0a3", "", {"pgo": None}),
        )
    ]
    held = {"right": POOL, "relation": "more", "margin": 1.25, "right_python": "3.14.2"}
    claim = make_claim(Where(release="3.15.0a3"), **held)
    walls = (1.0, 2.0, 3.0)
    records = [
        make_cell(interpreter=one.id, wall_s=wall_s)
        for one, wall_s in zip(pythons, walls, strict=True)
    ]
    (found,) = check_evidence([claim], make_evidence(records, pythons))
    assert found.findings[0].right.median == 2.0
    assert (found.interpreter, found.status) == ("cpython-3.15.0a3", "confirmed")


def test_without_the_ordinary_build_of_its_version_it_is_said_that_there_is_none() -> None:
    found = check_tax("cpython-3.13.0", "cpython-3.14.1t-gil")[FREE["interpreter"]]
    assert found.reasons == (("", Reason("needs-ordinary-python")),)


@pytest.mark.parametrize(
    ("relation", "walls_s", "status"),
    [
        ("less", [1.0] * 20, "confirmed"),
        ("less", [1.0] * 19 + [3.0], "refuted"),
        ("less", [1.0] * 2, "open"),
        ("not less", [3.0] * 19 + [2.0], "confirmed"),
        ("not less", [3.0] * 19 + [0.0], "refuted"),
        ("more", [3.0] * 19 + [1.0], "refuted"),
    ],
)
def test_what_may_not_happen_once_is_refuted_by_a_single_trial(
    relation: Relation, walls_s: list[float], status: str
) -> None:
    claim = make_claim(right=2.0, relation=relation, margin=1.0, every=True)
    (found,) = check(claim, [make_record(make_variant(program=POOL), walls_s)])
    assert found.status == status


def make_reading(program: str, readings: dict[str, list[float]]) -> Record:
    return make_record(make_variant(program=program), [1.0] * 5, readings=readings)


def test_a_reading_that_a_program_does_not_print_decides_nothing() -> None:
    records = [make_reading(PLAIN, {}), make_reading(POOL, {"made": [6.0] * 5})]
    claim = make_claim(metric="made")
    (found,) = check(claim, records)
    assert found.status == "not applicable"
    assert found.reasons == (("", Reason("no-metric")),)


@pytest.mark.parametrize("made", [0.0, 6.0])
def test_nothing_is_divided_by_nothing(made: float) -> None:
    records = [make_reading(PLAIN, {"made": [0.0] * 5}), make_reading(POOL, {"made": [made] * 5})]
    claim = make_claim(metric="made")
    (found,) = check(claim, records)
    assert (found.status, found.findings) == ("not applicable", ())
    assert found.reasons


def make_kernel(program: str, system_s: Sequence[float]) -> Record:
    values = (make_values(1.0, system_s=one_s) for one_s in system_s)
    timed = tuple(Trial(status="ok", values=one) for one in values)
    return replace(make_cell(program), timed=timed)


@pytest.mark.parametrize("few_s", [[0.02, 0.0, 0.02], [0.0, 0.0, 0.0]])
def test_no_cpu_time_counts_for_less_than_a_tick_of_its_clock(few_s: list[float]) -> None:
    """A single trial without any would leave nothing to divide by."""
    records = [make_kernel(PLAIN, few_s), make_kernel(POOL, [0.2, 0.2, 0.21])]
    claim = make_claim(left=PLAIN, right=POOL, metric="system_s")
    turned_round = make_claim(metric="system_s", relation="more")
    for turned in (claim, turned_round):
        (found,) = check(turned, records)
        (finding,) = found.findings
        sides = {finding.left.median, finding.right.median}
        assert found.status == "confirmed"
        assert sides == {max(few_s[0], TICK_S), 0.2}
        assert finding.ratio.median == pytest.approx(max(sides) / min(sides))


def make_sweep(relation: Relation, margin: float, over: Size = "workers") -> Claim:
    return make_claim(over=over, relation=relation, margin=margin)


def sweep(walls: dict[int, float], over: Size = "workers") -> list[Record]:
    return [make_cell(wall_s=wall, **{over: size}) for size, wall in walls.items()]


@pytest.mark.parametrize(
    ("relation", "margin", "walls", "status"),
    [
        ("falls", 1.5, (4.0, 2.0, 1.0), "confirmed"),
        ("falls", 8.0, (4.0, 2.0, 1.0), "refuted"),
        ("falls", 1.5, (4.0, 1.0, 2.0), "refuted"),
        ("falls", 1.5, (4.0, 1.0, 1.05), "confirmed"),
        ("rises", 1.5, (1.0, 2.0, 4.0), "confirmed"),
        ("rises", 1.5, (1.0, 8.0, 4.0), "refuted"),
        ("rises", 1.0, (4.0, 2.0, 1.0), "refuted"),
        ("stays", 1.25, (1.0, 1.1, 1.0), "confirmed"),
        ("stays", 1.25, (1.0, 2.0, 1.0), "refuted"),
    ],
)
def test_a_sweep_holds_over_all_sizes_and_not_at_its_ends_alone(
    relation: Relation, margin: float, walls: tuple[float, ...], status: str
) -> None:
    (found,) = check(make_sweep(relation, margin), sweep(dict(zip((2, 4, 8), walls, strict=True))))
    assert found.status == status
    assert [found.findings[0].left.median, found.findings[0].right.median] == [walls[0], walls[-1]]


def test_what_is_shown_of_a_sweep_that_turns_is_the_step_at_which_it_does() -> None:
    (found,) = check(make_sweep("falls", 1.5), sweep({2: 4.0, 4: 1.0, 8: 2.0}))
    assert found.findings[0].ratio.median == 0.5


def test_a_sweep_of_one_size_shows_nothing_and_says_so() -> None:
    (found,) = check(make_sweep("falls", 1.5), sweep({2: 4.0}))
    assert (found.status, found.reasons) == ("not applicable", (("", Reason("one-size")),))


def test_a_sweep_over_cores_is_of_as_many_as_there_are() -> None:
    records = sweep({1: 4.0, 2: 2.0, 4: 1.0}, "cores")
    (found,) = check(make_sweep("falls", 3.0, "cores"), records)
    assert (found.cores, found.status) == (4, "confirmed")


def test_a_share_of_the_cores_is_of_those_that_it_ran_on() -> None:
    claim = make_claim(metric="cpu_share", of_cores=0.09, relation="more", margin=1.0)
    records = [make_record(make_variant(program=POOL, cores=4), [1.0] * 8, cpu_s=0.4)]
    (found,) = check(claim, records)
    assert found.status == "confirmed"
    assert found.findings[0].left.median == pytest.approx(0.1)
