"""The pipeline measures what has no valid record, once, and survives interruption and damage."""

import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

import pytest

from making import DECLARATION, EXITED, make_build, make_values, replace, write_experiment
from poolwise import plan as planning
from poolwise import pythons as discovery
from poolwise import run as collecting
from poolwise.declaration import Reason
from poolwise.dependencies import Environment
from poolwise.experiment import BUDGETS_S
from poolwise.machine import describe_machine, usable_cores
from poolwise.metrics import Values
from poolwise.plan import Step
from poolwise.pythons import Installation, describe_python, select
from poolwise.record import Trial
from poolwise.run import RunTrial, Summary, collect
from poolwise.store import RecordsError, locate, read_results, write_results
from poolwise.trial import Bench
from scripts.site.declare.claims import Claim, Question
from scripts.site.declare.declarations import Declarations, find_experiments
from scripts.site.judge import rounds
from scripts.site.judge.evidence import Evidence
from scripts.site.settings import Settings
from scripts.site.study import pipeline
from scripts.site.study.agenda import read_unfinished
from scripts.site.study.pipeline import Pipeline
from scripts.site.study.waiting import PatientMeter
from tests.factories import make_claim, make_comparison, make_question, make_side

PATIENCE_S = 60.0
NO_WHEEL = Reason("no-wheel", {"package": "gevent"})
FAR = "far-away"
OTHER_FAMILY = """[families.cpu]
title = { en = "Computing", ru = "Вычисления" }
baseline = "one"

[[programs]]"""

# Asking a machine or an interpreter what it is takes long, and here it always is the same.
describe_here = cache(describe_machine)
describe_build = cache(lambda path, env: describe_python(path, dict(env)))


class Lab:
    """An experiment of two programs whose trials are made up, and counted."""

    def __init__(self, folder: Path) -> None:
        self.examples = folder / "examples"
        self.results = folder / "results"
        self.ran: list[Step] = []
        self.take(lambda step: make_values(1.0, 0.1))
        self.claims: dict[str, list[Claim]] = {}
        self.answered: set[str] = set()
        self.watched = {"lab/one": "", "lab/two": ""}
        self.questions: dict[str, Question] = {}
        write_experiment(self.examples / "lab")

    def take(self, give: Callable[[Step], Values]) -> None:
        """From now on a timed trial gives these values."""
        self.run: RunTrial = lambda bench, step, cores: Trial(
            status="ok", values={"peak_pss_bytes": 1000} if step.traced else give(step)
        )

    def change(self, program: str, code: str = "print()") -> None:
        """Let a program be another one."""
        (self.examples / "lab" / f"{program}.py").write_text(f"{code}\n")

    def gather(self, **settings: object) -> Evidence:
        """What is known after a build, of which ``ran`` has the steps."""
        self.ran.clear()
        return self.pipeline(**settings).gather("lab")

    def run_trial(self, bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
        trial = self.run(bench, step, cores)
        self.ran.append(step)
        return trial

    def pipeline(self, *, retry: bool = False, **settings: object) -> Pipeline:
        experiments = {}
        for experiment in find_experiments(self.examples):
            experiments[experiment.name] = replace(experiment, questions=self.questions)
        return Pipeline(
            Settings(results=self.results, **settings),  # type: ignore[arg-type]
            declared=Declarations(
                experiments=experiments,
                claims=self.claims,
                answered=self.answered,
                watched=self.watched,
            ),
            retry=retry,
            run=partial(collect, run=self.run_trial),
            meter=PatientMeter(usable_cores(), rest=lambda _: True),
        )

    @property
    def file(self) -> Path:
        opened = self.pipeline(measure="nothing")
        return locate(self.results, opened.machine.id, opened.interpreters[0].id)

    @property
    def programs(self) -> set[str]:
        return {step.variant.program for step in self.ran}


def list_statuses(evidence: Evidence) -> dict[str, str]:
    return {judged.program: judged.record.status for judged in evidence.judgements}


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    def describe(path: Path, env: Mapping[str, str] | None = None) -> Installation:
        return describe_build(path, tuple((env or {}).items()))

    monkeypatch.setattr(collecting, "Launcher", nullcontext)
    monkeypatch.setattr(collecting, "measure_pair", lambda _: None)
    monkeypatch.setattr(discovery, "describe_python", describe)
    monkeypatch.setattr(pipeline, "describe_machine", describe_here)
    return Lab(tmp_path)


def test_a_cell_is_measured_by_the_first_who_asks_and_again_when_its_program_changes(
    lab: Lab,
) -> None:
    judgements = lab.gather().judgements
    counts = {(len(it.record.timed), len(it.record.traced)) for it in judgements}
    assert counts == {(5, 1)}
    assert len(lab.gather().judgements) == len(judgements)
    assert lab.ran == []
    lab.change("two")
    shown = lab.gather(measure="nothing")  # here what is no longer valid is not shown
    assert {it.program for it in shown.judgements if it.record.timed} == {"one"}
    assert shown.outdated == frozenset()
    lab.gather()
    assert lab.programs == {"two"}


@pytest.mark.parametrize("claims", [0, 1])
def test_fresh_measures_everything_again_in_one_session_once_a_build(lab: Lab, claims: int) -> None:
    lab.take(lambda step: make_values(1.0 + (step.variant.program == "one"), 0.1))
    lab.claims = {"lab": [claim_two()] * claims}
    lab.gather()
    steps, fresh = len(lab.ran), lab.pipeline(measure="all")
    fresh.measure()
    shown = fresh.gather("lab")
    assert len(lab.ran) == 2 * steps > 0
    assert len({judged.record.session for judged in shown.judgements}) == 1


def test_what_is_left_out_or_not_measured_runs_nothing_and_says_so(lab: Lab) -> None:
    assert list_statuses(lab.gather(only="two")) == {"one": "unavailable", "two": "ok"}
    lab.file.unlink()
    evidence = lab.gather(measure="nothing")
    assert (evidence.judgements, evidence.absence) == ((), Reason("measuring-off"))
    assert lab.pipeline(measure="nothing").measure(["lab"]) == Summary()
    assert lab.ran == []


def test_what_is_on_request_is_measured_only_where_it_is_named(lab: Lab) -> None:
    asked = DECLARATION.replace("server = ", 'on_request = "in rounds"\nserver = ')
    write_experiment(lab.examples / "lab", asked)
    lab.gather()
    assert lab.ran == []
    lab.gather(only="lab")
    assert lab.programs == {"one", "two"}


def test_a_failure_is_tried_again_only_when_asked(lab: Lab) -> None:
    run = lab.run
    lab.run = lambda bench, step, cores: Trial(status="failed", reason=EXITED)
    lab.gather()
    lab.run = run
    lab.gather()
    assert lab.ran == []
    assert {*list_statuses(lab.gather(retry=True)).values()} == {"ok"}


def test_two_builds_at_once_take_turns(
    lab: Lab, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    builds = lab.pipeline(), lab.pipeline()
    run, report, has_said = lab.run, collecting.report, threading.Event()

    def listen(text: str) -> None:
        report(text)
        if "another build" in text:
            has_said.set()

    def run_when_the_other_waits(bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
        assert has_said.wait(PATIENCE_S)
        return run(bench, step, cores)

    monkeypatch.setattr(collecting, "report", listen)
    lab.run = run_when_the_other_waits
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda build: build.gather("lab"), builds))
    assert len(lab.ran) == len(set(lab.ran))
    assert "another build is at work here" in capsys.readouterr().err


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> Installation:
    """Another Python, found beside the running one."""
    old = Installation(interpreter=make_build("3.8.18"), path=Path("/opt/3.8/bin/python3"))
    here = select("current")
    pythons = {"": here, "current": here, "3.8": (old,), "auto": (*here, old)}
    monkeypatch.setattr(pipeline, "select", pythons.__getitem__)
    return old


def test_a_family_for_every_python_is_measured_on_each_found_unless_others_are_wanted(
    lab: Lab, old: Installation
) -> None:
    every = 'baseline = "one"\ninterpreters = "every"'
    write_experiment(lab.examples / "lab", DECLARATION.replace('baseline = "one"', every))
    lab.gather(interpreters="current")
    assert old.interpreter.id not in {step.variant.interpreter for step in lab.ran}
    ran, run = set(), lab.run

    def note(bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
        ran.add((bench.installation.path, step.variant.interpreter))
        return run(bench, step, cores)

    lab.run = note
    assert old.interpreter in lab.gather().interpreters
    assert ran == {(old.path, old.interpreter.id)}


def test_what_could_not_be_fetched_is_told_and_tried_again_by_the_next_build(
    lab: Lab, old: Installation, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offline = {"gevent": Reason("not-fetched", {"package": "gevent"})}
    lacking = Environment(installation=old, missing=offline, problem="the network is down")
    environments = [lacking, Environment(installation=old)]
    lab.change("two", "import gevent")
    monkeypatch.setattr(planning, "prepare", lambda *_: environments.pop(0))
    lab.gather(interpreters="3.8", retry=True)
    assert lab.programs == {"one"}
    assert capsys.readouterr().err.count("the network is down\n") == 1
    assert {*list_statuses(lab.gather(interpreters="3.8", retry=True)).values()} == {"ok"}


def test_without_a_wheel_what_imports_it_says_so_and_it_is_not_tried_again_until_asked(
    lab: Lab, old: Installation, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    equipped = []

    def equip(installation: Installation, packages: Mapping[str, str]) -> Environment:
        equipped.append(list(packages))
        missing = {"gevent": NO_WHEEL} if "gevent" in packages else {}
        return Environment(installation=installation, missing=missing)

    monkeypatch.setattr(planning, "prepare", equip)
    lab.change("one", "import aiohttp")
    lab.change("two", "import gevent, urllib3")
    lab.gather(interpreters="3.8", only="one")
    assert equipped == [["aiohttp"]]  # only what the chosen programs import
    for _ in range(2):
        judgements = lab.gather(interpreters="3.8", retry=True).judgements
        reasons = {judged.program: judged.record.reason for judged in judgements}
        assert reasons == {"one": None, "two": NO_WHEEL}
    assert len(equipped) == 2
    lab.gather(interpreters="3.8", measure="all")
    assert len(equipped) == 3
    assert lab.programs == {"one"}
    line = "lab, cpython-3.8.18: no wheel (package gevent); what imports it is not measured\n"
    assert capsys.readouterr().err.count(line) == 2


def make_open(lab: Lab) -> None:
    """Two programs of which no trial tells which is faster, and a claim that one is."""
    noise = {"one": (1.0, 2.2, 1.4), "two": (1.1, 2.0, 1.6)}
    lab.take(lambda step: make_values(noise[step.variant.program][step.round % 3]))
    lab.claims = {"lab": [claim_two()]}


def claim_two(**left: object) -> Claim:
    """A claim that two is faster than one."""
    faster = make_comparison(left=make_side("two", **left), right="one", margin=1.2)
    return make_claim(faster)


def count_timed(evidence: Evidence) -> set[int]:
    """Count the trials of the cells of the size that the claim is about."""
    records = (judged.record for judged in evidence.judgements)
    return {len(record.timed) for record in records if record.tasks in (3, 5)}


def test_what_stays_open_gets_further_rounds_up_to_the_last_level(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_open(lab)
    monkeypatch.setattr(rounds, "LEVELS", (5, 7, 9))
    assert 9 in count_timed(lab.gather())
    lines = capsys.readouterr().err
    assert "checks open" in lines
    assert "left for further trials" in lines
    assert "1 open: time was up before they were decided (it)" in lines


def test_further_rounds_end_with_the_time_of_the_profile(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_open(lab)
    monkeypatch.setitem(BUDGETS_S, "quick", 30.0)  # two programs of 1.5 s: not enough for 16 trials
    assert count_timed(lab.gather()) == {5, 7}
    lab.gather()
    assert lab.ran == []


def test_a_sketch_is_one_trial_of_what_answers_compare_where_most_of_it_has_no_record(
    lab: Lab,
) -> None:
    times_s = {"one": 1.0, "two": 0.5}  # decided by the first trials
    lab.take(lambda step: make_values(times_s[step.variant.program], 0.1))
    lab.claims = {"lab": [claim_two()]}
    assert lab.pipeline().sketch() == Summary()  # no answer shows the claim
    lab.answered = {"it"}
    build = lab.pipeline()
    assert build.sketch().trials == len(lab.ran) > 0
    assert not any(step.traced for step in lab.ran)
    assert lab.programs == {"one", "two"}
    build.measure()
    assert {lab.ran.count(step) for step in lab.ran} == {1}
    assert count_timed(lab.gather()) == {5}
    lab.change("two")
    assert lab.pipeline().sketch() == Summary()  # half of it is there


@pytest.mark.parametrize(
    ("profile", "taken", "waits"), [("quick", 1.0, 1), ("quick", 0.0, 0), ("smoke", 1.0, 0)]
)
def test_on_a_busy_machine_there_is_a_wait_between_the_sketch_and_the_rest(
    lab: Lab, capsys: pytest.CaptureFixture[str], profile: str, taken: float, waits: int
) -> None:
    lab.claims, lab.answered = {"lab": [claim_two()]}, {"it"}
    lab.take(lambda step: make_values(1.0, others_share=taken * step.variant.cores))
    build = lab.pipeline(profile=profile)
    assert bool(build.sketch().trials) == (profile != "smoke")
    assert "for quiet. Busy" not in capsys.readouterr().err
    build.measure()
    lines = capsys.readouterr().err
    assert lines.count("for quiet. Busy: others") == waits
    assert lines.startswith("Waiting") == bool(waits)
    assert ("timed trials were disturbed" in build.describe_numbers()) == (taken > 0)


def test_the_stages_of_a_run_are_told_with_their_trials_and_each_announces_itself(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    make_open(lab)
    lab.answered = {"it"}
    build = lab.pipeline()
    build.plan(early_pages_s=5.0, pages_s=10.0)
    plan = capsys.readouterr().err.splitlines()
    names = [name for name in pipeline.STAGES if any(f" {name} " in line for line in plan)]
    trials = sum(int(line.split()[-2]) for line in plan if line.endswith(" trials"))
    assert {*pipeline.STAGES} - {*names} <= {pipeline.TIMELINES}
    time.sleep(0.002)  # names of sessions have milliseconds
    build.sketch()
    noted = read_unfinished(lab.results)
    assert noted
    build.measure()
    lines = capsys.readouterr().err
    for number, name in enumerate(names[:4], start=1):
        assert f"{number}/{len(names)} {name}: " in lines
    records = [judged.record for judged in lab.gather().judgements]
    assert trials == 6 * len(records)
    assert {session for record in records for session in record.sessions} == {noted.session}
    capsys.readouterr()
    lab.pipeline(only="one").plan()  # what was measured needs no plan
    assert "trials" not in capsys.readouterr().err


def test_whose_numbers_they_are_is_told_with_their_day_and_the_way_to_new_ones(lab: Lab) -> None:
    empty = lab.pipeline(measure="nothing").describe_numbers()
    assert empty == "Measured today: 0, and nothing is recorded. For your numbers: make site."
    build = lab.pipeline()
    build.measure()
    assert build.describe_numbers() == f"Measured today: {len(lab.ran)} trials on this machine."
    today = datetime.now(UTC)
    start = f"Measured today: 0. The numbers are from {today.day} {today:%B}. For yours: make site "
    assert re.fullmatch(rf"{start}FRESH=1, about [1-9]\d* min\.", lab.pipeline().describe_numbers())
    far = lab.pipeline(machine=lab.file.parent.name)
    assert far.describe_numbers() == f"{start}without MACHINE."


def test_what_is_compared_comes_first_and_what_nothing_compares_last_and_takes_no_time_from_it(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = DECLARATION.replace("[[programs]]", OTHER_FAMILY, 1)
    write_experiment(
        lab.examples / "lab", declared.replace('families = ["io"]', 'families = ["io", "cpu"]', 1)
    )
    lab.questions = {"cpu": make_question()}
    make_open(lab)
    monkeypatch.setattr(rounds, "LEVELS", (5, 7, 9))
    lab.gather()
    cores = max(step.variant.cores for step in lab.ran)
    claimed = {("one", "io", 3, cores), ("two", "io", 5, cores)}
    places = []
    for variant in (step.variant for step in lab.ran):
        cell = (variant.program, variant.family, variant.tasks, variant.cores)
        places.append(cell not in claimed and variant.family != "cpu")
    assert places == sorted(places)
    assert {*places} == {False, True}
    lab.gather()
    assert lab.ran == []


def test_what_was_disturbed_is_repeated_but_not_in_smoke(lab: Lab) -> None:
    def count(others: Callable[[], float], **settings: object) -> tuple[set[int], int]:
        lab.take(lambda step: make_values(1.0, others_share=others()))
        evidence = lab.gather(measure="all", **settings)
        records = [judged.record for judged in evidence.judgements]
        return {len(it.timed) for it in records}, sum(len(it.disturbed) for it in records)

    timed, repeated = count(lambda: 1.5 if len(lab.ran) % 5 == 0 else 0.0)
    assert timed == {5}
    assert repeated > 1
    assert count(lambda: 1.5, profile="smoke") == ({1}, 0)


@pytest.fixture
def far(lab: Lab) -> Path:
    """The results file of another machine, on which everything was measured."""
    lab.gather()
    results = read_results(lab.file)
    assert results
    records = [replace(it, variant=replace(it.variant, machine=FAR)) for it in results.records]
    machine = replace(results.machine, id=FAR)
    path = locate(lab.results, FAR, results.interpreter.id)
    write_results(path, replace(results, machine=machine, records=tuple(records)))
    lab.ran.clear()
    return path


@pytest.mark.parametrize("measure", ["missing", "all"])
def test_nothing_is_measured_in_place_of_another_machine(lab: Lab, far: Path, measure: str) -> None:
    lab.change("two")
    before = far.read_text()
    lab.gather(machine=FAR, measure=measure)
    assert lab.ran == []
    assert far.read_text() == before


def test_where_nothing_is_recorded_of_this_machine_the_one_with_most_records_is_shown(
    lab: Lab, far: Path
) -> None:
    assert lab.pipeline(measure="nothing").machine.id != FAR
    lab.file.unlink()
    evidence = lab.gather(measure="nothing")
    assert {judged.record.machine for judged in evidence.judgements} == {FAR}
    lab.gather()
    assert lab.ran  # whoever measures sees this machine


def test_records_of_another_machine_stop_no_build_of_this_one(
    lab: Lab, far: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    far.write_text("{")
    assert len(lab.pipeline().gather_machines("lab")) == 1
    assert f"left out: {far}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "obstruct"),
    [
        ("results", os.mkfifo),
        ("results", lambda path: path.symlink_to(path)),
        ("results/.lock", Path.mkdir),
    ],
)
def test_where_no_records_can_be_kept_nothing_is_measured(
    lab: Lab, place: str, obstruct: Callable[[Path], None]
) -> None:
    obstacle = lab.results.parent / place
    obstacle.parent.mkdir(exist_ok=True)
    obstruct(obstacle)
    with pytest.raises(RecordsError, match=f"^{lab.results}.*: "):
        lab.pipeline().measure(["lab"])
    assert lab.ran == []
