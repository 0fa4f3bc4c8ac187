"""Claims are decided by interval against margin; how seldom wrongly, ``bench/simulation.py`` tells."""

from collections.abc import Sequence

import pytest

from making import (
    EXITED,
    alter,
    make_build,
    make_machine,
    make_record,
    make_values,
    make_variant,
    replace,
)
from poolwise.declaration import Code, Reason
from poolwise.record import Record, Trial
from poolwise.statistics import Estimate
from scripts.site.declare.claims import Claim, Outcome, Relation, Size, Where
from scripts.site.judge.claims import (
    TICK_S,
    Check,
    check_evidence,
    check_machines,
    find_cell,
    find_taken,
)
from scripts.site.judge.decisions import decide
from scripts.site.judge.evidence import Judgement, Rows
from tests import factories
from tests.factories import PLAIN, POOL, make_comparison, make_side
from tests.site.render.markup import list_pythons, make_evidence

ANYWHERE = Where()
WITH_DIRECTION: Outcome = "equal-with-direction"


def make_claim(
    relation: Relation = "less", margin: float = 1.1, *, where: Where = ANYWHERE, **changes: object
) -> Claim:
    comparison = make_comparison(relation=relation, margin=margin, **changes)
    return factories.make_claim(comparison, where=where)


def make_pair(
    left: Sequence[float], right: Sequence[float] = (2.0,) * 5, *, cores: int = 2
) -> list[Record]:
    return [
        make_record(make_variant(program=POOL, cores=cores), left),
        make_record(make_variant(program=PLAIN, cores=cores), right),
    ]


def check(claim: Claim, records: Sequence[Record], system: str = "Linux") -> tuple[Check, ...]:
    evidence = make_evidence(records, list_pythons(records))
    return check_evidence([claim], replace(evidence, machine=make_machine(system=system)))


@pytest.mark.parametrize(
    ("source", "scale", "status"),
    [("an-article", "10", "open"), ("an-article", "1", "confirmed"), ("us", "10", "confirmed")],
)
def test_a_claim_of_an_article_stays_open_while_its_work_is_cut(
    source: str, scale: str, status: str
) -> None:
    experiment = factories.make_experiment()
    full = replace(experiment.profiles["quick"], name="full", params={"SCALE": scale})
    experiment = replace(experiment, profiles=experiment.profiles | {"full": full})
    evidence = make_evidence(make_pair([1.0] * 5), experiment=experiment)
    (checked,) = check_evidence([replace(make_claim(), source=source)], evidence)
    assert checked.status == status
    assert (checked.outcome == "preview") == (status == "open")


def test_a_check_has_the_sizes_of_the_rows_that_it_compares() -> None:
    claim = factories.make_claim(make_comparison(margin=1.1), at={"tasks": "pages", "SIZE": "rows"})
    left, right = make_pair([1.0] * 5)
    left = replace(left, workers=5, params={"SIZE": "500", "SERVER_WAIT_MS": "50"})
    right = replace(right, tasks=3, params={"SERVER_WAIT_MS": "50"})
    (result,) = check(claim, [left, right])
    assert result.at == {
        "tasks": (30, 3),
        "wait_s": (0.05,),
        "SIZE": (500.0,),
        "workers": (5, 1),
        "cores": (2,),
    }
    swept = make_claim("falls", 1.5, right=None, over="cores")
    records = [make_record(make_variant(program=POOL, cores=cores)) for cores in (1, 2)]
    assert [result.at["cores"] for result in check(swept, records)] == [(1, 2)]


@pytest.mark.parametrize(
    ("relation", "below", "under", "straddling", "over", "above"),
    [
        # The interval: below 1 ÷ margin; inside the margins; across 1 ÷ margin; across; above.
        ("less", "other-way", "no-difference", "other-way", "how-much-open", "as-claimed"),
        ("more", "other-way", "no-difference", "other-way", "how-much-open", "as-claimed"),
        ("falls", "other-way", "no-difference", "other-way", "how-much-open", "as-claimed"),
        ("rises", "other-way", "no-difference", "other-way", "how-much-open", "as-claimed"),
        ("equal", "apart", "equal", "not-decided", "not-decided", "apart"),
        ("stays", "apart", "equal", "not-decided", "not-decided", "apart"),
        ("not less", WITH_DIRECTION, "equal", WITH_DIRECTION, "not-decided", "apart"),
        ("not more", WITH_DIRECTION, "equal", WITH_DIRECTION, "not-decided", "apart"),
    ],
)
def test_an_interval_is_held_against_the_margin(
    relation: Relation, below: str, under: str, straddling: str, over: str, above: str
) -> None:
    intervals = [(0.4, 0.5), (0.96, 1.05), (0.6, 0.9), (1.1, 1.5), (1.6, 2.0)]
    decided = [
        decide(relation, 1.25, Estimate(median=(low + high) / 2, low=low, high=high))
        for low, high in intervals
    ]
    assert decided == [below, under, straddling, over, above]


@pytest.mark.parametrize(
    ("relation", "margin", "low", "high", "outcome"),
    [
        # A bound at the margin reaches it, but what is the same is not more.
        ("more", 1.25, 1.25, 2.0, "as-claimed"),
        ("more", 1.25, 1.05, 1.25, "how-much-open"),
        ("not more", 1.25, 1.25, 2.0, "apart"),
        ("not more", 1.25, 1.05, 1.25, "not-decided"),
        ("equal", 1.25, 0.8, 1.25, "equal"),
        ("equal", 1.25, 0.5, 0.8, "not-decided"),
        ("equal", 1.25, 1.25, 2.0, "not-decided"),
        ("more", 1.0, 1.0, 1.0, "no-difference"),
        ("more", 1.0, 1.0, 1.2, "not-decided"),
        ("more", 1.0, 1.001, 1.2, "as-claimed"),
        ("not more", 1.0, 1.0, 1.0, "equal"),
        # Where it misses the margin, its direction tells, and of none how much it is at most.
        ("more", 1.25, 1.01, 1.24, "less"),
        ("more", 1.25, 0.98, 1.24, "at-most"),
        ("more", 1.25, 0.8, 0.99, "other-way"),
        ("more", 1.25, 0.94, 1.05, "at-most"),
        ("more", 1.04, 1.01, 1.03, "less"),
        ("equal", 1.25, 1.01, 1.25, WITH_DIRECTION),
        # An interval that lies at the margin, on both sides of it, is measured well enough.
        ("more", 1.25, 1.10, 1.43, "at-the-margin"),
        ("more", 1.25, 1.08, 1.43, "how-much-open"),
        ("more", 1.25, 1.10, 1.44, "how-much-open"),
        ("more", 1.1, 0.96, 1.2, "at-the-margin"),
        ("not less", 1.25, 1.10, 1.43, "at-the-margin"),
        ("equal", 1.25, 1.10, 1.43, "at-the-margin"),
        ("equal", 1.25, 0.71, 0.9, "at-the-margin"),
        ("equal", 1.25, 0.78, 1.30, "not-decided"),
    ],
)
def test_a_bound_may_reach_the_margin_or_lie_about_it_and_decides_only_if_it_is_sure(
    relation: Relation, margin: float, low: float, high: float, outcome: Outcome
) -> None:
    estimate = Estimate(median=low, low=low, high=high)
    assert decide(relation, margin, estimate) == outcome
    assert decide(relation, margin, replace(estimate, is_sure=False)) == "not-decided"


def make_both(interpreter: str) -> list[Record]:
    variants = (make_variant(program=program, interpreter=interpreter) for program in (POOL, PLAIN))
    return [make_record(variant, [2.0] * 5) for variant in variants]


def test_a_claim_about_one_python_is_checked_on_that_one() -> None:
    names = [f"cpython-3.{minor}.1" for minor in (12, 13, 14, 130)]
    records = [record for name in names for record in make_both(name)]
    checks = check(make_claim(margin=1.25, where=Where(python="3.13")), records)
    assert [result.interpreter for result in checks] == [names[1]]
    assert checks[0].outcome == "at-most"
    (absent,) = check(make_claim(where=Where(python="3.9")), records)
    assert (absent.interpreter, absent.status) == (names[0], "not applicable")


def test_interpreters_that_lack_a_program_are_passed_over_and_told_where_all_do() -> None:
    old, new = "cpython-3.12.1", "cpython-3.13.1"
    lacking = make_record(make_variant(program=POOL, interpreter=old))
    assert [result.interpreter for result in check(make_claim(), [lacking, *make_both(new)])] == [
        new
    ]
    other = make_record(make_variant(program="08-cpu-sequential", family="cpu", interpreter=new))
    (nearest,) = check(make_claim(), [other, lacking])
    assert (nearest.interpreter, nearest.reasons[0][0]) == (old, PLAIN)


def test_a_comparison_with_a_number_takes_it_as_it_is() -> None:
    claim = make_claim("not more", 1.0, metric="cpu_share", left=PLAIN, right=0.25)
    (result,) = check(claim, make_pair([1.0] * 3, [2.0] * 3))
    assert result.status == "confirmed"
    (finding,) = result.findings
    assert finding.left.median == pytest.approx(0.2)
    assert finding.right.median == 0.25
    (few,) = check(claim, make_pair([1.0] * 2, [2.0] * 2))
    assert (few.status, few.reasons) == ("open", (("", Reason("too-few-trials")),))


@pytest.mark.parametrize(
    ("relation", "limit", "every", "outcome"),
    [
        ("more", 0.5, False, "as-claimed"),
        ("not less", 1.0, False, "as-claimed"),
        ("not more", 4.0, False, "as-claimed"),
        ("more", 4.0, False, "apart"),
        ("less", 2.0, True, "apart"),
        ("not less", 4.0, False, "apart"),
    ],
)
def test_a_number_is_kept_to_or_not_and_has_no_other_side(
    relation: Relation, limit: float, every: bool, outcome: Outcome
) -> None:
    claim = make_claim(relation, 1.0, left=PLAIN, right=limit, every=every)
    (result,) = check(claim, make_pair([1.0] * 3, [2.0] * 3))
    assert result.outcome == outcome


@pytest.mark.parametrize(
    ("where", "cores", "applies"),
    [
        (Where(cores="one"), 1, True),
        (Where(cores="one"), 2, False),
        (Where(cores="several"), 2, True),
        (Where(cores="several"), 1, False),
        (Where(gil="off"), 2, False),
        (Where(system="Linux"), 2, False),
    ],
)
def test_a_claim_said_of_other_conditions_does_not_apply(
    where: Where, cores: int, applies: bool
) -> None:
    (result,) = check(make_claim(where=where), make_pair([1.0] * 5, cores=cores), "Darwin")
    assert (result.status == "confirmed", bool(result.findings)) == (applies, applies)


@pytest.mark.parametrize("measured", [0, 1])
def test_a_program_that_failed_or_never_ran_leaves_a_claim_open_with_the_reason(
    measured: int,
) -> None:
    records = make_pair([1.0] * 5)
    failed = replace(records[0], status="failed", reason=EXITED, timed=())
    (result,) = check(make_claim(), [failed, records[1]] if measured else records[1:])
    assert result.status == "not applicable"
    assert result.reasons == ((POOL, EXITED if measured else Reason("not-measured")),)


@pytest.mark.parametrize(
    ("left", "right_s", "cpu_s", "status", "code"),
    [
        ([1.0], 9.0, 0.1, "open", "too-few-trials"),
        ([1.0] * 2, 9.0, 0.9, "open", "too-few-trials"),
        ([1.0] * 2, 9.0, 0.1, "confirmed", None),  # what waits has no two speeds
        ([1.0] * 3, 9.0, 0.9, "confirmed", None),
        ([1.0, 2.0, 1.0, 2.0, 1.0], 1.5, 0.1, "open", None),
        ([1.0, 2.0] * 8, 1.5, 0.1, "open", "too-close"),
    ],
)
def test_too_few_trials_decide_nothing_and_what_the_last_leave_open_is_too_close_to_call(
    left: list[float], right_s: float, cpu_s: float, status: str, code: Code | None
) -> None:
    pool = make_record(make_variant(program=POOL, cores=2), left, cpu_s=cpu_s)
    _, plain = make_pair(left, [right_s] * len(left))
    (result,) = check(make_claim(), [pool, plain])
    assert result.status == status
    assert result.reasons == ((("", Reason(code)),) if code else ())


def test_one_comparison_that_fails_refutes_the_whole() -> None:
    busier = make_comparison(relation="more", margin=2.0)
    both = factories.make_claim(make_comparison(margin=1.5), busier)
    (result,) = check(both, make_pair([1.0] * 5))
    assert result.status == "refuted"
    assert [finding.status for finding in result.findings] == ["confirmed", "refuted"]
    assert result.deciding
    assert result.deciding.comparison == busier


@pytest.mark.parametrize(("left_mib", "status"), [(50, None), (90, "refuted"), (None, None)])
def test_the_memory_of_what_gains_is_compared_and_told_where_it_is_surely_no_tie(
    left_mib: int | None, status: str | None
) -> None:
    faster, plain = make_pair([1.0] * 5)
    sizes = [None if left_mib is None else left_mib << 20, 50 << 20]
    records = [
        replace(record, traced=[replace(record.traced[0], values={"peak_pss_bytes": size})] * 3)
        for record, size in zip((faster, plain), sizes, strict=True)
    ]
    (result,) = check(make_claim(), records)
    assert result.status == "confirmed"
    assert (result.memory and result.memory.status) == status
    (slower,) = check(make_claim("more"), records)
    assert slower.memory is None


def test_a_claim_that_holds_comes_out_as_claimed_where_one_comparison_does() -> None:
    no_slower = make_comparison(relation="not more", margin=1.25)
    (result,) = check(
        factories.make_claim(no_slower, make_comparison(margin=1.5)), make_pair([1.0] * 5)
    )
    assert [finding.outcome for finding in result.findings] == [WITH_DIRECTION, "as-claimed"]
    assert result.deciding is result.findings[1]
    assert result.outcome == "as-claimed"


def test_a_claim_is_checked_elsewhere_on_what_was_measured_and_on_the_machine_shown() -> None:
    ours, theirs = (make_evidence(make_pair([1.0] * 5), machine=name) for name in "ab")
    (checked,) = check_machines("lab", [make_claim()], [ours, theirs])
    assert [result.status for result in checked.checks] == ["confirmed"]
    assert [place.machine for place in checked.elsewhere] == [theirs.machine]


def test_a_program_is_taken_by_the_cell_that_decides_its_claim_and_by_none_where_none_does() -> (
    None
):
    records = [*make_pair([1.0] * 5, cores=1), *make_pair([1.0] * 5, cores=2)]
    evidence = make_evidence(records)
    several, refuted = make_claim(where=Where(cores="several")), make_claim(left=PLAIN, right=POOL)
    for claim in (several, refuted):
        (checked,) = check_machines("lab", [claim], [evidence])
        for program in (POOL, PLAIN):
            cell = find_taken(program, checked, evidence)
            assert cell
            assert (cell.program, cell.cores) == (program, 2)
    for nothing in (make_evidence(records[:2]), make_evidence(())):  # on one core, or at all
        (checked,) = check_machines("lab", [several], [nothing])
        assert find_taken(POOL, checked, nothing) is None


def test_a_program_that_an_old_python_cannot_run_says_since_when_it_could() -> None:
    evidence = make_evidence([make_record(make_variant(program=PLAIN))])
    newer = alter(evidence.experiment, "programs", POOL, python="3.14")
    (check,) = check_evidence([make_claim()], replace(evidence, experiment=newer))
    reason = Reason("needs-python", {"since": "3.14"})
    assert (check.status, check.reasons) == ("not applicable", ((POOL, reason),))


# A comparison is of two cells, each of one size under one start method, or over a sweep.

SIZES = [(3, 2), *((tasks, workers) for tasks in (4, 5, 10) for workers in (2, 4, 8))]
"""Tasks and workers that were measured, on four cores: the fewest tasks with two workers only."""


def make_cell(program: str = POOL, wall_s: float = 1.0, **changes: object) -> Record:
    return make_record(make_variant(program=program, **{"cores": 4} | changes), [wall_s] * 5)


@pytest.mark.parametrize(
    ("side", "size"),
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
def test_a_side_names_its_size(side: dict[str, object], size: tuple[int, int]) -> None:
    cells = [make_cell(tasks=tasks, workers=workers) for tasks, workers in SIZES]
    rows = Rows(Judgement(record=cell) for cell in cells)
    cell = find_cell(make_side(POOL, **side), rows)
    assert cell
    assert (cell.tasks, cell.workers) == size


@pytest.mark.parametrize(
    ("side", "code"),
    [
        ({"tasks": 6}, "other-size"),
        ({"workers": 3}, "other-size"),
        ({"tasks": 3, "workers": 8}, "other-size"),
        ({"start_method": "spawn"}, "not-measured"),
    ],
)
def test_what_was_not_measured_is_not_applicable_and_says_so(
    side: dict[str, object], code: Code
) -> None:
    records = [make_cell(tasks=tasks, workers=workers) for tasks, workers in SIZES]
    claim = make_claim(right=make_side(POOL, **side))
    (result,) = check(claim, records)
    assert (result.status, result.reasons) == ("not applicable", ((POOL, Reason(code)),))


FREE = {"interpreter": "cpython-3.14.1t", "gil": "off"}


def check_tax(*ordinary: str) -> dict[str, Check]:
    """A free-threaded build held against the ordinary one of its version, where there are these."""
    held = {"right": POOL, "relation": "not more", "margin": 1.25, "right_python": "ordinary"}
    claim = make_claim(where=Where(gil="off"), **held)
    records = [make_cell(**FREE, wall_s=2.2)]
    records += [make_cell(interpreter=name, wall_s=2.0) for name in ordinary]
    return {result.interpreter: result for result in check(claim, records)}


def test_a_build_is_held_against_the_ordinary_one_of_its_version_if_there_is_one() -> None:
    others = ("cpython-3.14.0", "cpython-3.14.1", "cpython-3.14.1t-gil", "cpython-3.14.1-jit")
    checks = check_tax(*others)
    assert checks[FREE["interpreter"]].status == "confirmed"
    assert checks[FREE["interpreter"]].findings[0].right.median == 2.0
    assert {checks[python].status for python in others} == {"not applicable"}
    lacking = check_tax("cpython-3.13.0", "cpython-3.14.1t-gil")[FREE["interpreter"]]
    assert lacking.reasons == (("", Reason("needs-ordinary-python")),)


def test_a_release_is_held_against_another_of_builds_alike() -> None:
    tuned = make_build("3.14.2", pgo=True)
    pythons = [tuned, make_build("3.14.2", "-0a1b2c"), make_build("3.15.0a3")]
    held = {"right": POOL, "relation": "more", "margin": 1.25, "right_python": "3.14.2"}
    claim = make_claim(where=Where(release="3.15.0a3"), **held)
    records = [
        make_cell(interpreter=python.id, wall_s=place)
        for place, python in enumerate(pythons, start=1)
    ]
    (result,) = check_evidence([claim], make_evidence(records, pythons))
    assert result.findings[0].right.median == 2.0
    assert (result.interpreter, result.status) == ("cpython-3.15.0a3", "confirmed")


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
    record = make_record(make_variant(program=POOL), walls_s)
    (result,) = check(claim, [record])
    assert result.status == status
    busy = [replace(trial, values={**trial.values, "others_share": 1.0}) for trial in record.timed]
    (result,) = check(claim, [replace(record, timed=busy)])
    assert result.status == "open"  # each trial may have been moved by others


@pytest.mark.parametrize("made", [None, 0.0, 6.0])
def test_a_reading_that_a_program_does_not_print_or_that_is_nought_decides_nothing(
    made: float | None,
) -> None:
    readings = {
        PLAIN: {} if made is None else {"made": [0.0] * 5},
        POOL: {"made": [made or 0.0] * 5},
    }
    records = [
        make_record(make_variant(program=program), [1.0] * 5, readings=readings[program])
        for program in readings
    ]
    (result,) = check(make_claim(metric="made"), records)
    reason = "no-metric" if made is None else "nothing-at-all"
    assert (result.status, result.findings) == ("not applicable", ())
    assert result.reasons == (("", Reason(reason)),)


def make_kernel(program: str, system_s: Sequence[float]) -> Record:
    values = (make_values(1.0, system_s=one_s) for one_s in system_s)
    timed = tuple(Trial(status="ok", values=row) for row in values)
    return replace(make_cell(program), timed=timed)


@pytest.mark.parametrize("few_s", [[0.02, 0.0, 0.02], [0.0, 0.0, 0.0]])
def test_no_cpu_time_counts_for_less_than_a_tick_of_its_clock(few_s: list[float]) -> None:
    """A single trial without any would leave nothing to divide by."""
    records = [make_kernel(PLAIN, few_s), make_kernel(POOL, [2.0, 2.0, 2.1])]
    claim = make_claim(left=PLAIN, right=POOL, metric="system_s")
    turned_round = make_claim(metric="system_s", relation="more")
    for turned in (claim, turned_round):
        (result,) = check(turned, records)
        (finding,) = result.findings
        sides = {finding.left.median, finding.right.median}
        assert result.status == "confirmed"
        assert sides == {max(few_s[0], TICK_S), 2.0}
        assert finding.ratio.median == pytest.approx(max(sides) / min(sides))


def sweep(walls: dict[int, float], over: Size = "workers") -> list[Record]:
    return [make_cell(wall_s=wall, **{over: size}) for size, wall in walls.items()]


@pytest.mark.parametrize(
    ("relation", "margin", "walls", "status"),
    [
        ("falls", 1.5, (4.0, 2.0, 1.0), "confirmed"),
        ("falls", 8.0, (4.0, 2.0, 1.0), "borderline"),
        ("falls", 1.5, (4.0, 1.0, 2.0), "refuted"),
        ("falls", 1.5, (4.0, 1.0, 0.95), "confirmed"),
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
    (result,) = check(
        make_claim(relation, margin, over="workers"),
        sweep(dict(zip((2, 4, 8), walls, strict=True))),
    )
    assert result.status == status
    (finding,) = result.findings
    assert [finding.left.median, finding.right.median] == [walls[0], walls[-1]]
    if relation == "stays":  # the larger size by the smaller
        assert finding.ratio.median == pytest.approx(walls[1] / walls[0])


def test_of_a_sweep_that_turns_the_step_is_shown_and_of_one_size_nothing() -> None:
    (result,) = check(make_claim("falls", 1.5, over="workers"), sweep({2: 4.0, 4: 1.0, 8: 2.0}))
    assert result.findings[0].ratio.median == 0.5
    (result,) = check(make_claim("falls", 1.5, over="workers"), sweep({2: 4.0}))
    assert (result.status, result.reasons) == ("not applicable", (("", Reason("one-size")),))


def test_a_sweep_over_cores_is_of_as_many_as_there_are() -> None:
    records = sweep({1: 4.0, 2: 2.0, 4: 1.0}, "cores")
    (result,) = check(make_claim("falls", 3.0, over="cores"), records)
    assert (result.cores, result.status) == (4, "confirmed")


def test_a_share_of_the_cores_is_of_those_that_it_ran_on() -> None:
    claim = make_claim(metric="cpu_share", of_cores=0.05, relation="more", margin=1.0)
    records = [make_record(make_variant(program=POOL, cores=4), [1.0] * 8, cpu_s=0.4)]
    (result,) = check(claim, records)
    assert result.status == "confirmed"
    assert result.findings[0].left.median == pytest.approx(0.1)
