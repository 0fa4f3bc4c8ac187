"""Ratios are formed within one session, whatever was measured when, and by whom."""

import itertools
from collections.abc import Callable
from statistics import median

import pytest

from making import EXITED, make_values, replace
from poolwise import store
from poolwise.declaration import Reason
from poolwise.metrics import Values
from poolwise.plan import Step
from poolwise.record import Record, Trial
from poolwise.store import locate, locate_contributed, read_results, write_results
from poolwise.trial import Bench
from scripts.site.judge.claims import Check, check_evidence, check_machines, choose_told
from scripts.site.judge.evidence import Evidence
from scripts.site.study import agenda, pipeline
from tests.site import test_pipeline
from tests.site.test_pipeline import Lab, claim_two

Boot = Callable[[], None]
lab = test_pipeline.lab
CLAIM = claim_two(tasks="least")


@pytest.fixture
def boot(monkeypatch: pytest.MonkeyPatch) -> Boot:
    """Boots the machine: what is measured from then on is of another session."""
    boots = (f"{number:06x}" for number in itertools.count())

    def boot() -> None:
        name = next(boots)
        for module in (store, agenda):
            monkeypatch.setattr(module, "read_boot", lambda: name)

    boot()
    return boot


def take(lab: Lab, **walls_s: float | tuple[float, ...]) -> None:
    """From now on programs take so long, nearly the same in each round or by turns."""

    def give(step: Step) -> Values:
        given = walls_s[step.variant.program]
        turns = given if isinstance(given, tuple) else (given, given * 1.001, given * 1.002)
        wall_s = turns[step.round % 3]
        return make_values(wall_s, 0.1, inside_s=wall_s)

    lab.take(give)


def read_records(lab: Lab) -> dict[tuple[str, int, int], Record]:
    """What is stored, whole."""
    results = read_results(lab.file)
    assert results
    return {(one.program, one.cores, one.tasks): one for one in results.records}


def list_gains(evidence: Evidence) -> set[float | None]:
    """How many times as fast as the baseline two is, in every place."""
    two = [one for one in evidence.judgements if (one.program, one.tasks) == ("two", 3)]
    return {one.speedup and round(one.speedup.median, 2) for one in two}


def check(lab: Lab) -> Check:
    (*_, found) = check_evidence([CLAIM], lab.gather(measure="nothing"))
    return found


def test_what_is_measured_in_a_later_session_is_measured_with_what_it_is_compared_with(
    lab: Lab, boot: Boot
) -> None:
    take(lab, one=2.0, two=1.0)
    lab.gather()
    boot()
    take(lab, one=4.0, two=2.0)  # another day, on which everything is slower
    lab.change("two")
    evidence = lab.gather(only="two")  # its partner may not be measured, so no ratio is formed
    assert list_gains(evidence) == {None}
    assert all(one.verdict is None for one in evidence.judgements if one.record.session > "2")
    assert list_gains(lab.gather()) == {2.0}
    counts = {name: len(record.sessions) for (name, _, tasks), record in read_records(lab).items()}
    assert counts == {"one": 2, "two": 1}


def test_of_two_sessions_that_all_share_the_later_is_shown_and_none_are_mixed(
    lab: Lab, boot: Boot
) -> None:
    take(lab, one=2.0, two=1.0)
    lab.gather()
    boot()
    take(lab, one=30.0, two=10.0)
    evidence = lab.gather(measure="all")
    assert list_gains(evidence) == {3.0}
    assert {len(one.record.sessions) for one in evidence.judgements} == {1}
    assert {median(one.record.wall_s) > 5 for one in evidence.judgements} == {True}


def cut_off(lab: Lab, after: int, **settings: object) -> None:
    """A run of everything that ends after so many steps."""
    lab.ran.clear()
    run = lab.run

    def stop(bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
        if len(lab.ran) == after:
            raise KeyboardInterrupt
        return run(bench, step, cores)

    lab.run = stop
    with pytest.raises(KeyboardInterrupt):
        lab.pipeline(**settings).measure()
    lab.run = run


@pytest.mark.parametrize("after", [1, 7, 30])
@pytest.mark.parametrize("boots", [False, True])
def test_what_is_interrupted_and_resumed_loses_no_ratio_and_repeats_nothing_it_can_keep(
    lab: Lab, boot: Boot, after: int, boots: bool
) -> None:
    take(lab, one=2.0, two=1.0)
    cut_off(lab, after)
    before = {*lab.ran}
    assert len(before) == after
    if boots:
        boot()
        take(lab, one=4.0, two=2.0)
    evidence = lab.gather()
    assert list_gains(evidence) == {2.0}
    assert all(one.speedup for one in evidence.judgements if one.tasks == 3)
    sessions = {one.session for record in read_records(lab).values() for one in record.timed}
    assert len(sessions) == 1 + boots or after == 1
    if not boots:
        assert len(lab.ran) == 6 * len(evidence.judgements) - after
        assert not before & {*lab.ran}


def measure(lab: Lab, **settings: object) -> int:
    """A run of everything; gives how many trials it took."""
    lab.ran.clear()
    lab.pipeline(**settings).measure()
    return len(lab.ran)


@pytest.mark.parametrize("again", ["missing", "all"])
@pytest.mark.parametrize("after", [0, 7])
def test_a_run_that_measures_everything_again_and_is_cut_off_is_gone_on_with(
    lab: Lab, boot: Boot, after: int, again: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trials = measure(lab)
    cut_off(lab, after, measure="all")
    assert measure(lab, measure=again) == trials - after
    assert f"{after} of {trials} trials kept): continuing it\n" in capsys.readouterr().err
    assert {len(record.sessions) for record in read_records(lab).values()} == {2}
    assert measure(lab) == 0
    assert "cut off" not in capsys.readouterr().err


def test_only_what_was_to_be_measured_again_is_gone_on_with(lab: Lab, boot: Boot) -> None:
    measure(lab)
    cut_off(lab, 1, measure="all", only="two")
    measure(lab)
    assert {step.variant.program for step in lab.ran} == {"two"}


def test_what_was_cut_off_before_the_machine_was_started_again_is_told_and_not_gone_on_with(
    lab: Lab, boot: Boot, capsys: pytest.CaptureFixture[str]
) -> None:
    measure(lab)
    cut_off(lab, 7, measure="all")
    boot()
    assert measure(lab) == 0
    assert "its session is over" in capsys.readouterr().err


def test_what_failed_in_one_session_and_is_tried_again_keeps_the_trials_of_others(
    lab: Lab, boot: Boot
) -> None:
    measure(lab)
    run, failed = lab.run, Trial(status="failed", reason=EXITED)
    lab.run = lambda bench, step, cores: (
        failed if step.variant.program == "two" else run(bench, step, cores)
    )
    measure(lab, measure="all")
    lab.run = run
    measure(lab, retry=True)
    assert {step.variant.program for step in lab.ran} == {"two"}
    assert {len(record.sessions) for record in read_records(lab).values()} == {2}


def test_a_part_of_a_file_that_a_killed_run_has_left_goes(lab: Lab, boot: Boot) -> None:
    measure(lab)
    part = lab.file.with_name(f".{lab.file.name}.77.part")
    part.touch()
    measure(lab)
    assert not part.exists()
    assert lab.file.exists()


def test_fresh_goes_on_with_no_run_that_measured_what_was_missing(lab: Lab, boot: Boot) -> None:
    cut_off(lab, 7)
    measure(lab, measure="all")
    sessions = {name for record in read_records(lab).values() for name in record.sessions}
    assert len(sessions) == 2


def test_a_claim_that_flips_between_sessions_is_open(lab: Lab, boot: Boot) -> None:
    take(lab, one=2.0, two=1.0)
    lab.gather()
    take(lab, one=1.0, two=1.0)
    evidence = lab.gather(measure="all")
    found = check(lab)
    assert found.status == "open"
    assert found.pooled == 2
    (finding,) = found.findings
    assert finding.left.median / finding.right.median == pytest.approx(
        finding.ratio.invert().median
    )
    assert [one.status for one in found.sessions] == ["confirmed", "open"]
    two = [one for one in evidence.judgements if one.program == "two"]
    assert {one.verdict for one in two if one.speedup} == {None}


def test_a_title_is_told_by_the_session_that_decided_its_claim(lab: Lab, boot: Boot) -> None:
    take(lab, one=2.0, two=1.0)
    lab.gather()
    boot()
    take(lab, one=2.0, two=(1.0, 2.2, 4.0))
    evidence = lab.gather(measure="all")
    (checked,) = check_machines("lab", [CLAIM], [evidence])
    told = choose_told(checked, evidence)
    for found, gain in ((evidence, 0.91), (told, 2.0)):
        walls_s = {row.program: median(row.record.wall_s) for row in found.rows if row.cores == 1}
        assert round(walls_s["one"] / walls_s["two"], 2) == gain


@pytest.mark.parametrize(
    ("slow_s", "taken", "status", "code"),
    [
        (3.0, 2.0, "open", "disturbed"),
        (2.0, 1.0, "open", "disturbed"),
        (4.0, 1.0, "confirmed", "despite-others"),
    ],
)
def test_beside_others_is_decided_what_they_cannot_have_changed(
    lab: Lab, slow_s: float, taken: float, status: str, code: str
) -> None:
    slow = make_values(slow_s, 0.1, others_share=taken)
    fast = make_values(1.0, 0.1, others_share=0.0)
    lab.take(lambda step: slow if step.variant.program == "one" else fast)
    evidence = lab.gather()
    if status == "open":
        assert {one.verdict for one in evidence.judgements if one.speedup} == {None}
    found = check(lab)
    reason = Reason(code, {"taken": taken, "cores": 2.0})
    assert (found.status, found.reasons) == (status, (("", reason),))


def contribute(lab: Lab) -> None:
    """A stranger's records of the machine at hand, with more trials, and one program half as fast."""
    results = read_results(lab.file)
    assert results
    records = []
    for record in results.records:
        factor = 0.5 if record.program == "two" else 1.0
        timed = [
            replace(one, values=make_values(one.wall_s / factor, 0.01, inside_s=None))
            for one in record.timed * 3
        ]
        records.append(replace(record, timed=tuple(timed)))
    path = locate(locate_contributed(lab.results), results.machine.id, results.interpreter.id)
    write_results(path, replace(results, records=tuple(records)))


def test_what_strangers_send_enters_no_evidence_and_is_no_machine_to_show(lab: Lab) -> None:
    take(lab, one=2.0, two=1.0)
    (before,) = lab.pipeline().gather_machines("lab")
    contribute(lab)
    (after,) = lab.pipeline().gather_machines("lab")
    assert after.judgements == before.judgements
    lab.file.unlink()
    id_ = lab.file.parent.name
    (shown,) = lab.pipeline(machine=id_, measure="nothing").gather_machines("lab")
    assert not any(one.record.timed for one in shown.judgements)


def test_this_machine_is_as_described_with_its_records_until_it_measures(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lab.gather().machine
    updated = replace(first, kernel="9.9")
    monkeypatch.setattr(pipeline, "describe_machine", lambda: updated)
    assert lab.pipeline(measure="nothing").machine.kernel == first.kernel
    lab.gather(measure="all")
    assert lab.pipeline(measure="nothing").machine.kernel == "9.9"
