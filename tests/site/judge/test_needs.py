"""What is open needs trials of the variants that it compares, and nothing else does."""

from collections.abc import Sequence
from itertools import product
from math import inf

import pytest

from making import make_record, make_variant, replace
from poolwise.record import Record, Trial
from scripts.site.declare.claims import Claim, Where
from scripts.site.judge.needs import Look, list_claimed, list_questions, list_weighed, take_look
from scripts.site.judge.rounds import Need
from tests.factories import (
    PLAIN,
    POOL,
    make_claim,
    make_comparison,
    make_experiment,
    make_question,
    make_side,
)
from tests.site.render.markup import make_evidence

STEADY = [2.0, 2.01, 1.99, 2.0, 2.02, 1.98, 2.0]
NOISY = [1.2, 3.4, 1.9, 2.6, 1.4, 3.0, 2.1]
QUICK = [0.5, 0.51, 0.49, 0.5, 0.52, 0.48, 0.5]


def claim(**changes: object) -> Claim:
    return make_claim(make_comparison(**{"margin": 1.1} | changes))


def pair(left: Sequence[float], right: Sequence[float] = STEADY) -> list[Record]:
    return [
        make_record(make_variant(program=POOL), left),
        make_record(make_variant(program=PLAIN), right),
    ]


def find(claims: Sequence[Claim], records: Sequence[Record]) -> tuple[list[Need], list[Need]]:
    """What claims need, and what verdicts do."""
    evidence = make_evidence(records, experiment=make_experiment())
    needs = take_look([evidence], {"lab": claims}).needs
    return [need for need in needs if need.urgent], [need for need in needs if not need.urgent]


def test_a_claim_that_is_open_needs_trials_of_both_sides_the_more_the_wider_its_interval() -> None:
    (wide,) = find([claim()], pair(NOISY))[0]
    (wider,) = find([claim()], pair([wall**2 / 2 for wall in NOISY]))[0]
    assert (wide.name, wide.traced) == ("it", False)
    assert [variant.program for variant in wide.variants] == [POOL, PLAIN]
    assert 7 < wide.trials < wider.trials


@pytest.mark.parametrize(("faster", "is_hopeless"), [(1.5, True), (3.0, False)])
def test_what_others_may_have_changed_no_number_of_trials_decides(
    faster: float, is_hopeless: bool
) -> None:
    """Beside others that took one of two cores, what is less than twice its margin stays open."""
    records = pair([wall_s / faster for wall_s in NOISY], [2 * wall_s for wall_s in STEADY])
    busy = [
        replace(record, timed=[disturb(trial) for trial in record.timed], cores=2)
        for record in records
    ]
    (need,) = find([claim(relation="not less", margin=2.0)], busy)[0]
    assert (need.trials == inf) == is_hopeless
    assert need.trials > 0


def disturb(trial: Trial) -> Trial:
    """The trial, but others took one core meanwhile."""
    return replace(trial, values={**trial.values, "others_share": 1.0})


def test_of_several_comparisons_only_the_open_one_needs_trials() -> None:
    noisy = make_record(make_variant(program="08-cpu-sequential", family="cpu"), NOISY)
    other = make_record(make_variant(program="12-cpu-process_pool", family="cpu"), STEADY)
    other_two = make_comparison(left="08-cpu-sequential", right="12-cpu-process_pool", margin=1.1)
    both = make_claim(make_comparison(margin=1.1), other_two)
    (need,) = find([both], [*pair(QUICK), noisy, other])[0]
    assert [variant.program for variant in need.variants] == [
        "08-cpu-sequential",
        "12-cpu-process_pool",
    ]


@pytest.mark.parametrize("trials", [1, 2])
def test_a_verdict_of_few_trials_gets_more(trials: int) -> None:
    needs = find([], pair([0.5, 0.9][:trials], [2.0, 3.1][:trials]))[1]
    assert not any(need.traced for need in needs)
    assert set().union(*(need.variants for need in needs)) == {
        record.variant for record in pair([1.0])
    }


def test_a_claim_or_a_verdict_that_memory_may_change_gets_memory_trials() -> None:
    (need,) = find([claim(metric="peak_pss_bytes")], pair(QUICK))[0]
    assert need.traced
    dear = make_record(make_variant(program="06-io-async"), QUICK, peak_pss_bytes=134 << 20)
    question = make_question(costs=["peak_pss_bytes"])
    experiment = replace(make_experiment(), questions={"io": question})
    evidence = make_evidence([*pair(QUICK), dear], experiment=experiment)
    (need,) = take_look([evidence], {"lab": []}).needs
    assert need.traced
    assert {variant.program for variant in need.variants} == {"06-io-async", POOL}


def look_at(*groups: tuple[Sequence[Record], Sequence[str]]) -> Look:
    """A look at records, of which each group has claims of these ids."""
    experiments = [replace(make_experiment(), name=f"lab-{place}") for place in range(len(groups))]
    evidences = [
        make_evidence(records, experiment=experiment)
        for (records, _), experiment in zip(groups, experiments, strict=True)
    ]
    claims = {
        experiment.name: [replace(claim(), id=id_) for id_ in ids]
        for (_, ids), experiment in zip(groups, experiments, strict=True)
    }
    return take_look(evidences, claims)


def test_a_look_says_in_two_lines_what_is_open_and_what_gets_trials() -> None:
    records = pair(NOISY)
    look = look_at((records, ["a", "b", "c", "d", "e"]), (pair(QUICK), ["decided"]))
    line = "5 of 6 checks open, 1 verdicts; 1 min 30 s left for further trials"
    assert look.describe_plan([], 90.0) == [line]
    coming = "  next: a, b, c and 2 more"
    assert look.describe_plan([records[0].variant], 90.0) == [line, coming]


def test_the_end_groups_what_is_open_by_its_cause_and_says_what_to_do() -> None:
    busy = [
        record.with_trials(
            timed=[
                replace(trial, values={**trial.values, "others_share": 1.0})
                for trial in record.timed
            ]
        )
        for record in pair(NOISY)
    ]
    look = look_at(
        (pair(QUICK), ["decided"]),
        (busy, list("abcd")),
        (pair(NOISY[:1], STEADY[:1]), ["few"]),
        (pair(NOISY), ["late"]),
        (pair(NOISY * 3, STEADY * 3), ["close"]),
    )
    assert look.describe_end() == [
        "8 checks: 12% decided, 88% open",
        "  4 open: the machine was busy (a, b, c and 1 more)",
        "  1 open: time was up before enough trials (few)",
        "  1 open: too close to call (close)",
        "  1 open: time was up before they were decided (late)",
        "  On a quiet machine, `make measure FRESH=1 ONLY=lab-1,lab-2,lab-3` gives them more time.",
    ]
    assert look_at().describe_end() == []


def test_a_sweep_that_is_open_needs_trials_of_the_sizes_between_which_it_is() -> None:
    swept = claim(over="workers", relation="falls", margin=1.0)
    steady = [20.0, 20.1, 19.9, 20.0, 20.2, 19.8, 20.0]
    walls = {2: steady, 4: NOISY, 8: NOISY}
    sizes = [
        make_record(make_variant(program=POOL, workers=workers), walls[workers])
        for workers in walls
    ]
    (need,) = find([swept], sizes)[0]
    assert [variant.workers for variant in need.variants] == [8, 4]


def list_empty(programs: Sequence[str], sizes: Sequence[int]) -> list[Record]:
    cells = product(programs, sizes)
    return [make_record(make_variant(program=program, tasks=tasks), []) for program, tasks in cells]


def test_claimed_are_the_sizes_that_a_claim_means_where_it_applies() -> None:
    least = claim(left=make_side(POOL, tasks="least"), right=make_side(PLAIN, tasks=20))
    elsewhere = replace(claim(), where=Where(gil="off"))
    cells = list_claimed(list_empty((POOL, PLAIN), (10, 20, 30)), [least, elsewhere], "Linux")
    assert {(cell.program, cell.tasks) for cell in cells} == {(POOL, 10), (PLAIN, 20)}


def test_weighed_are_those_that_contend_and_the_baseline_at_the_size_asked() -> None:
    sizes = list_empty((POOL, PLAIN, "06-io-async"), (10, 30))
    experiment = replace(make_experiment(), questions={"io": make_question(contend=[POOL])})
    cells = list_weighed(sizes, experiment)
    assert {(cell.program, cell.tasks) for cell in cells} == {(POOL, 30), (PLAIN, 30)}


def test_a_question_is_of_a_place_or_of_a_claim_on_one_python_or_on_several() -> None:
    free, plain = "cpython-3.14.7t", "cpython-3.14.7"
    cells = {
        (program, python): make_variant(program=program, tasks=tasks, interpreter=python)
        for program, tasks in ((POOL, 30), (PLAIN, 20))
        for python in (free, plain)
    }
    pairs = [frozenset((cells[POOL, python], cells[PLAIN, python])) for python in (free, plain)]
    alone = {frozenset((cell,)) for cell in cells.values()}
    across, within = claim(right_python="ordinary"), claim()
    assert {*list_questions(cells.values(), [])} == alone
    assert {*list_questions(cells.values(), [within])} == {*alone, *pairs}
    every = frozenset(cells.values())
    assert {*list_questions(cells.values(), [across, within])} == {*alone, every, *pairs}
