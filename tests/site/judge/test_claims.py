"""Claims are decided by interval against margin, and seldom wrongly.

The rates are those of claims on synthetic trials: log-normal, with a known ratio of medians,
decided as the build decides them. A few of a thousand draws may go wrong; more than one in twenty
must not.
"""

from collections.abc import Sequence
from functools import cache
from typing import Literal, get_args

import numpy as np
import pytest
from msgspec import structs

from scripts.harness.declaration import Reason
from scripts.harness.margins import ClaimStatus, Relation, decide
from scripts.harness.record import Record
from scripts.harness.statistics import Estimate, estimate_ratio
from scripts.site.declare.claims import Claim, Comparison, Where
from scripts.site.judge.claims import Check, check_evidence, check_machines, find_taken
from scripts.site.judge.judge import Judgement
from tests.factories import (
    EXITED,
    make_machine,
    make_record,
    make_side,
    make_variant,
    replace,
    say,
)
from tests.site.render.markup import list_pythons, make_evidence

DRAWS = 1_000
TOO_FEW = (("", Reason("too-few-trials")),)
NOTHING = make_evidence(())
LEFT, RIGHT = "04-io-thread_pool", "01-io-sequential"
CPU, POOL = "08-cpu-sequential", "12-cpu-process_pool"


def make_claim(
    relation: Relation = "less",
    margin: float = 1.1,
    *,
    metric: str = "wall_s",
    left: str = LEFT,
    right: str | float = RIGHT,
    **changes: object,
) -> Claim:
    comparison = Comparison(
        metric=metric,
        left=make_side(left),
        right=make_side(right) if isinstance(right, str) else right,
        relation=relation,
        margin=margin,
    )
    fields = {"all": [comparison]} | changes
    return Claim(id="it", topic="io", source="us", **say(), **fields)  # type: ignore[arg-type]


def make_pair(
    left: Sequence[float], right: Sequence[float] = (2.0,) * 5, *, cores: int = 2
) -> list[Record]:
    return [
        make_record(make_variant(program=LEFT, cores=cores), left),
        make_record(make_variant(program=RIGHT, cores=cores), right),
    ]


def check(claim: Claim, records: Sequence[Record], system: str = "Linux") -> tuple[Check, ...]:
    evidence = make_evidence(records, list_pythons(records))
    return check_evidence([claim], replace(evidence, machine=make_machine(system=system)))


@pytest.mark.parametrize(
    ("relation", "below", "under", "straddling", "over", "above"),
    [
        # The interval: below 1 ÷ margin; inside the margins; across 1 ÷ margin; across; above.
        ("less", "refuted", "refuted", "refuted", "open", "confirmed"),
        ("more", "refuted", "refuted", "refuted", "open", "confirmed"),
        ("falls", "refuted", "refuted", "refuted", "open", "confirmed"),
        ("rises", "refuted", "refuted", "refuted", "open", "confirmed"),
        ("equal", "refuted", "confirmed", "open", "open", "refuted"),
        ("stays", "refuted", "confirmed", "open", "open", "refuted"),
        ("not less", "confirmed", "confirmed", "confirmed", "open", "refuted"),
        ("not more", "confirmed", "confirmed", "confirmed", "open", "refuted"),
    ],
)
def test_an_interval_is_held_against_the_margin(
    relation: Relation, below: str, under: str, straddling: str, over: str, above: str
) -> None:
    intervals = [(0.4, 0.5), (0.95, 1.05), (0.7, 0.9), (1.1, 1.4), (1.5, 2.0)]
    decided = [
        decide(relation, 1.25, Estimate(median=(low + high) / 2, low=low, high=high))
        for low, high in intervals
    ]
    assert decided == [below, under, straddling, over, above]


@pytest.mark.parametrize(
    ("relation", "margin", "low", "high", "status"),
    [
        ("more", 1.25, 1.25, 2.0, "confirmed"),
        ("more", 1.25, 1.1, 1.25, "open"),
        ("not more", 1.25, 1.25, 2.0, "refuted"),
        ("not more", 1.25, 1.1, 1.25, "open"),
        ("equal", 1.25, 0.8, 1.25, "confirmed"),
        ("equal", 1.25, 0.5, 0.8, "open"),
        ("equal", 1.25, 1.25, 2.0, "open"),
        ("more", 1.0, 1.0, 1.0, "refuted"),
        ("more", 1.0, 1.0, 1.2, "open"),
        ("more", 1.0, 1.001, 1.2, "confirmed"),
        ("not more", 1.0, 1.0, 1.0, "confirmed"),
    ],
)
def test_a_bound_at_the_margin_reaches_it_but_what_is_the_same_is_not_more(
    relation: Relation, margin: float, low: float, high: float, status: str
) -> None:
    assert decide(relation, margin, Estimate(median=low, low=low, high=high)) == status


@pytest.mark.parametrize(
    ("relation", "low", "high", "status"),
    [
        ("more", 1.20, 1.30, "borderline"),
        ("more", 1.18, 1.30, "open"),
        ("more", 1.20, 1.32, "open"),
        ("not less", 1.20, 1.30, "borderline"),
        ("equal", 1.20, 1.30, "borderline"),
        ("equal", 0.78, 0.82, "borderline"),
        ("equal", 0.78, 1.30, "open"),
    ],
)
def test_an_interval_that_lies_at_the_margin_is_borderline(
    relation: Relation, low: float, high: float, status: str
) -> None:
    assert decide(relation, 1.25, Estimate(median=low, low=low, high=high)) == status


def test_an_interval_that_is_not_sure_decides_nothing() -> None:
    unsure = Estimate(median=2.0, low=1.9, high=2.1, is_sure=False)
    assert decide("more", 1.25, unsure) == "open"


def test_a_claim_about_one_python_is_checked_on_that_one() -> None:
    names = [f"cpython-3.{minor}.1" for minor in (12, 13, 14)]
    records = [
        make_record(make_variant(program=program, interpreter=name), [2.0] * 5)
        for name in names
        for program in (LEFT, RIGHT)
    ]
    found = check(make_claim(where=Where(python="3.13")), records)
    assert [one.interpreter for one in found] == [names[1]]
    assert found[0].status == "refuted"
    (absent,) = check(make_claim(where=Where(python="3.9")), records)
    assert (absent.interpreter, absent.status) == (names[0], "not applicable")


def test_interpreters_that_lack_a_program_are_passed_over_and_told_where_all_do() -> None:
    old, new = "cpython-3.12.1", "cpython-3.13.1"
    sides = [
        make_record(make_variant(program=program, interpreter=new)) for program in (LEFT, RIGHT)
    ]
    lacking = make_record(make_variant(program=LEFT, interpreter=old))
    assert [one.interpreter for one in check(make_claim(), [lacking, *sides])] == [new]
    other = make_record(make_variant(program=CPU, family="cpu", interpreter=new))
    (nearest,) = check(make_claim(), [other, lacking])
    assert (nearest.interpreter, nearest.reasons[0][0]) == (old, RIGHT)


def test_a_finding_has_both_values_and_how_many_times_less_the_left_one_is() -> None:
    (found,) = check(make_claim(), make_pair([1.0] * 5))
    (finding,) = found.findings
    assert (finding.left.median, finding.right.median, finding.ratio.median) == (1.0, 2.0, 2.0)


def test_what_is_held_against_the_margin_is_the_ratio_of_all_the_trials() -> None:
    left, right = [1.0, 1.9, 1.1, 1.4, 1.2], [2.0, 2.9, 2.2, 1.5, 1.7]
    (found,) = check(make_claim(margin=1.25), make_pair(left, right, cores=1))
    assert found.findings[0].ratio == estimate_ratio(right, left)
    assert found.status == decide("less", 1.25, estimate_ratio(right, left))


def test_a_comparison_with_a_number_takes_it_as_it_is() -> None:
    claim = make_claim("not more", 1.0, metric="cpu_share", left=RIGHT, right=0.25)
    (found,) = check(claim, make_pair([1.0] * 3, [2.0] * 3))
    assert found.status == "confirmed"
    (finding,) = found.findings
    assert finding.left.median == pytest.approx(0.2)
    assert finding.right.median == 0.25
    (few,) = check(claim, make_pair([1.0] * 2, [2.0] * 2))
    assert (few.status, few.reasons) == ("open", TOO_FEW)


@pytest.mark.parametrize("where", [Where(cores="one"), Where(gil="off"), Where(system="Linux")])
def test_a_claim_said_of_other_conditions_does_not_apply(where: Where) -> None:
    (found,) = check(make_claim(where=where), make_pair([1.0] * 5), "Darwin")
    assert (found.status, found.findings) == ("not applicable", ())


@pytest.mark.parametrize(("cores", "measured"), [("one", 1), ("several", 2)])
def test_a_claim_about_one_core_applies_on_one_and_about_several_from_two_on(
    cores: Literal["one", "several"], measured: int
) -> None:
    claim = make_claim(where=Where(cores=cores))
    (found,) = check(claim, make_pair([1.0] * 5, cores=measured))
    assert found.status == "confirmed"
    (found,) = check(claim, make_pair([1.0] * 5, cores=3 - measured))
    assert found.status == "not applicable"


@pytest.mark.parametrize("measured", [0, 1])
def test_a_program_that_failed_or_never_ran_leaves_a_claim_open_with_the_reason(
    measured: int,
) -> None:
    records = make_pair([1.0] * 5)
    failed = replace(records[0], status="failed", reason=EXITED, timed=())
    (found,) = check(make_claim(), [failed, records[1]] if measured else records[1:])
    assert found.status == "not applicable"
    assert found.reasons == ((LEFT, EXITED if measured else Reason("not-measured")),)


@pytest.mark.parametrize(("trials", "status"), [(1, "open"), (2, "open"), (3, "confirmed")])
def test_too_few_trials_decide_nothing(trials: int, status: str) -> None:
    (found,) = check(make_claim(), make_pair([1.0] * trials, [9.0] * trials))
    assert found.status == status
    assert found.reasons == (TOO_FEW if status == "open" else ())


@pytest.mark.parametrize(("trials", "reasons"), [(5, ()), (16, (("", Reason("too-close")),))])
def test_what_stays_open_after_the_last_trials_is_too_close_to_call(
    trials: int, reasons: tuple[tuple[str, Reason], ...]
) -> None:
    noisy = [1.0, 2.0] * trials
    (found,) = check(make_claim(), make_pair(noisy[:trials], [1.5] * trials))
    assert found.status == "open"
    assert found.reasons == reasons


def test_one_comparison_that_fails_refutes_the_whole() -> None:
    faster = Comparison(
        metric="wall_s", left=make_side(LEFT), right=make_side(RIGHT), relation="less", margin=1.5
    )
    busier = Comparison(
        metric="cpu_s", left=make_side(LEFT), right=make_side(RIGHT), relation="more", margin=2.0
    )
    (found,) = check(make_claim(all=[faster, busier]), make_pair([1.0] * 5))
    assert found.status == "refuted"
    assert [finding.status for finding in found.findings] == ["confirmed", "refuted"]
    assert found.deciding
    assert found.deciding.comparison == busier


@pytest.mark.parametrize(("left_mib", "status"), [(50, None), (90, "refuted"), (None, None)])
def test_the_memory_of_what_gains_is_compared_and_told_where_it_is_surely_no_tie(
    left_mib: int | None, status: str | None
) -> None:
    faster, plain = make_pair([1.0] * 5)
    sizes = [None if left_mib is None else left_mib << 20, 50 << 20]
    records = [
        replace(one, traced=[replace(one.traced[0], values={"peak_pss_bytes": size})] * 3)
        for one, size in zip((faster, plain), sizes, strict=True)
    ]
    (found,) = check(make_claim(), records)
    assert found.status == "confirmed"
    assert (found.memory and found.memory.status) == status
    (slower,) = check(make_claim("more"), records)
    assert slower.memory is None


def test_of_a_check_that_flips_between_sessions_the_first_finding_is_told() -> None:
    (once,) = check(make_claim(), make_pair([1.0] * 5))
    (again,) = check(make_claim(), make_pair([3.0] * 5))
    findings = (*once.findings, *again.findings)
    flips = replace(once, status="borderline", findings=findings, sessions=(once, again))
    assert flips.deciding is findings[0]
    assert replace(flips, sessions=()).deciding is None
    assert replace(flips, findings=()).deciding is None


def test_a_claim_is_checked_elsewhere_on_what_was_measured_and_on_the_machine_shown() -> None:
    ours, theirs, sent = (make_evidence(make_pair([1.0] * 5), machine=name) for name in "abc")
    sent = replace(sent, origin="contributed")
    for shown, *others in ((ours, theirs, sent), (sent, ours, theirs)):
        (found,) = check_machines("lab", [make_claim()], [shown, *others])
        assert [one.status for one in found.checks] == ["confirmed"]
        measured = [one.machine for one in others if one.origin == "measured"]
        assert [one.machine for one in found.elsewhere] == measured


def test_a_program_is_taken_by_the_cell_that_decides_its_claim_and_by_none_where_none_does() -> (
    None
):
    records = [one for cores in (1, 2) for one in make_pair([1.0] * 5, cores=cores)]
    evidence = make_evidence(records)
    several, refuted = make_claim(where=Where(cores="several")), make_claim(left=RIGHT, right=LEFT)
    for claim in (several, refuted):
        (checked,) = check_machines("lab", [claim], [evidence])
        for program in (LEFT, RIGHT):
            found = find_taken(program, checked, evidence)
            assert found
            assert (found.program, found.cores) == (program, 2)
    for nothing in (make_evidence(records[:2]), NOTHING):  # on one core, or at all
        (checked,) = check_machines("lab", [several], [nothing])
        assert find_taken(LEFT, checked, nothing) is None


# ── The error rates ──────────────────────────────────────────────────────────────────────────────


def draw(generator: np.random.Generator, median: float, noise: float, trials: int) -> list[float]:
    values: list[float] = (median * np.exp(generator.normal(0, noise, trials))).tolist()
    return values


@cache
def draw_ratios(ratio: float, noise: float, draws: int) -> tuple[Estimate, ...]:
    """What checks hold against the margin: of pairs of five trials, whose true ratio it is."""
    generator = np.random.default_rng([round(ratio * 1e6), round(noise * 1e3)])
    return tuple(
        estimate_ratio(draw(generator, 2 * ratio, noise, 5), draw(generator, 2, noise, 5))
        for _ in range(draws)
    )


def count_statuses(
    relation: Relation, ratio: float, noise: float, draws: int = DRAWS
) -> dict[str, float]:
    """The share of each status over draws of a true ``ratio``."""
    statuses = [decide(relation, MARGIN, found) for found in draw_ratios(ratio, noise, draws)]
    return {status: statuses.count(status) / draws for status in get_args(ClaimStatus)}


def _check_bare(claim: Claim, records: Sequence[Record]) -> Check:
    """Without floors and verdicts, which take most of the time and say nothing here."""
    judgements = tuple(Judgement(record=record) for record in records)
    (found,) = check_evidence([claim], replace(NOTHING, judgements=judgements))
    return found


MARGIN = 1.25
NOISES = (0.02, 0.10, 0.30)
BOUNDARIES: dict[Relation, tuple[float, ...]] = {
    "more": (MARGIN,),
    "not more": (MARGIN,),
    "equal": (1 / MARGIN, MARGIN),
}
"""The ratios at which a claim turns from true to false; the other relations are decided as one of these."""
CLEAR: dict[Relation, tuple[float, float]] = {
    "more": (2.0, 1.0),
    "not more": (1.0, 2.0),
    "equal": (1.0, 2.0),
}
"""A ratio at which the claim is true, and one at which it is false, each far from the margin."""


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("relation", BOUNDARIES)
def test_at_the_margin_a_claim_is_seldom_decided(relation: Relation, noise: float) -> None:
    """There either decision is the hardest to get right, so these are the largest rates."""
    for ratio in BOUNDARIES[relation]:
        rates = count_statuses(relation, ratio, noise)
        assert max(rates["confirmed"], rates["refuted"]) <= 0.02


@pytest.mark.slow
@pytest.mark.parametrize("relation", CLEAR)
def test_where_the_data_can_tell_a_claim_is_decided_and_rightly(relation: Relation) -> None:
    for ratio, right, wrong in zip(
        CLEAR[relation], ("confirmed", "refuted"), ("refuted", "confirmed"), strict=True
    ):
        rates = count_statuses(relation, ratio, 0.02, 200)
        assert rates[right] >= 0.99
        assert rates[wrong] == 0


@pytest.mark.parametrize("relation", CLEAR)
def test_where_the_data_cannot_tell_a_claim_stays_open(relation: Relation) -> None:
    """Thirty per cent of noise hide a difference of a few per cent."""
    (ratio, *_) = BOUNDARIES[relation]
    rates = count_statuses(relation, ratio * 1.03, 0.30, 200)
    assert rates["open"] >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISES)
def test_against_a_number_eight_trials_keep_their_word(noise: float) -> None:
    claim = make_claim("more", MARGIN, metric="cpu_share", right=1.0)
    generator = np.random.default_rng(round(noise * 1e3))
    statuses = []
    for _ in range(DRAWS):
        # As much CPU time in every trial: the share is its product with one over the wall time.
        walls = draw(generator, 1, noise, 8)
        record = make_record(make_variant(program=LEFT), walls, cpu_s=MARGIN)
        statuses.append(_check_bare(claim, [record]).status)
    wrong = [statuses.count(status) / DRAWS for status in ("confirmed", "refuted")]
    assert max(wrong) <= 0.05


def test_a_program_that_an_old_python_cannot_run_says_since_when_it_could() -> None:
    found = make_evidence([make_record(make_variant(program=RIGHT))])
    programs = [
        structs.replace(one, python="3.14") if one.name == LEFT else one
        for one in found.experiment.programs
    ]
    newer = structs.replace(found.experiment, programs=tuple(programs))
    (check,) = check_evidence([make_claim()], replace(found, experiment=newer))
    reason = Reason("needs-python", {"since": "3.14"})
    assert (check.status, check.reasons) == ("not applicable", ((LEFT, reason),))
