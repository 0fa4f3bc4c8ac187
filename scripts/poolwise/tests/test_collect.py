"""Collecting runs what is planned, keeps it, and says how long the rest will take; by clocks of ours."""

import itertools
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest

import making
from poolwise import plan as planning
from poolwise import run as collecting
from poolwise.declaration import Reason
from poolwise.dependencies import Environment
from poolwise.load import Meter
from poolwise.machine import Pair
from poolwise.plan import Done, Job, Step, plan_job
from poolwise.process import Launcher
from poolwise.pythons import Installation
from poolwise.record import Trial, Variant
from poolwise.run import Summary, collect, measure_pair
from poolwise.samplers import Pacer
from poolwise.store import Store
from poolwise.trial import Bench

PAIR = Pair(first_s=(1.0,) * 5, second_s=(1.1,) * 5, measured_at=datetime.now(UTC))
HERE = Installation(interpreter=making.make_interpreter(), path=Path("python"))
ONE, TWO = making.make_variant(), making.make_variant(program="04-io-thread_pool", cores=2)


class Lab:
    """Trials that take two seconds of a clock that stands still otherwise."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 0.0
        self.cores: dict[Variant, tuple[int, ...]] = {}
        self.meter = Meter((4, 6), rest=lambda _: True)
        self.give: Callable[[Step], Trial] = lambda step: Trial(
            status="ok", values={"peak_pss_bytes": 1} if step.traced else making.make_values(1.5)
        )
        self.store = Store(folder, making.make_machine(), [making.make_interpreter()], pytest.fail)
        self.save = Mock(wraps=self.store.save)
        monkeypatch.setattr(self.store, "save", self.save)
        monkeypatch.setattr(collecting, "monotonic", lambda: self.now_s)
        monkeypatch.setattr(collecting, "Launcher", nullcontext)
        monkeypatch.setattr(collecting, "measure_pair", lambda _: PAIR)

    def run_trial(self, bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
        self.now_s += 2.0
        self.cores[step.variant] = cores
        return self.give(step)

    def plan(self, *variants: Variant, timed: int = 3, **changes: object) -> Job:
        """A job of so many timed trials of each."""
        records = {
            one: making.replace(making.make_record(one, []), traced=(), **changes)
            for one in variants
        }
        asked = dict.fromkeys(variants, Done(timed=timed))
        quick = making.make_experiment().profiles["quick"]
        return plan_job(making.make_experiment(), quick, records, asked, self.store, [HERE], [])

    def collect(self, job: Job, pacer: Pacer | None = None) -> Summary:
        return collect([job], self.store, (4, 6), self.meter, pacer=pacer, run=self.run_trial)

    def count(self, variant: Variant) -> tuple[int, int]:
        record = self.store.find(variant, "quick")
        assert record
        return len(record.timed), len(record.disturbed)


@pytest.fixture
def lab(tmp_path, monkeypatch):
    return Lab(tmp_path, monkeypatch)


def test_every_step_is_run_on_the_first_cores_and_kept(lab):
    summary = lab.collect(lab.plan(ONE, TWO))
    assert summary == Summary(trials=6, total_s=12.0, inside_s=9.0)
    assert lab.count(ONE) == lab.count(TWO) == (3, 0)
    assert lab.cores == {ONE: (4,), TWO: (4, 6)}


def test_a_failure_ends_its_variant_is_told_and_hinders_no_other(lab, capsys):
    well = lab.give
    lab.give = lambda step: (
        Trial(status="failed", reason=making.EXITED) if step.variant == TWO else well(step)
    )
    lab.collect(lab.plan(ONE, TWO))
    assert (lab.count(ONE), lab.count(TWO)) == ((3, 0), (0, 0))
    assert capsys.readouterr().err.count("04-io-thread_pool: failed, exited (code 1)") == 1


def test_what_was_measured_is_saved_when_it_is_interrupted(lab):
    well = lab.give

    def interrupt(step: Step) -> Trial:
        if lab.now_s > 20.0:
            raise KeyboardInterrupt
        return well(step)

    lab.give = interrupt
    with pytest.raises(KeyboardInterrupt):
        lab.collect(lab.plan(ONE, timed=40))
    lab.store.read()
    assert lab.count(ONE) == (10, 0)


@pytest.mark.parametrize("cost_s", [0.0, 1.0])
def test_the_first_trial_is_saved_at_once_and_later_ones_as_often_as_saving_is_cheap(lab, cost_s):
    saves_s: list[float] = []

    def save() -> None:
        saves_s.append(lab.now_s)
        lab.now_s += cost_s

    lab.save.side_effect = save
    lab.collect(lab.plan(ONE, timed=60))
    pauses_s = [later - sooner - cost_s for sooner, later in itertools.pairwise(saves_s[:-1])]
    assert saves_s[0] == 2.0
    assert min(pauses_s) >= max(collecting.SAVE_EVERY_S, cost_s / collecting.SAVE_SHARE)
    assert max(pauses_s) <= max(collecting.SAVE_EVERY_S, cost_s / collecting.SAVE_SHARE) + 2.0


def test_who_stops_the_measuring_of_one_program_as_two_loses_no_trial(lab, monkeypatch):
    monkeypatch.setattr(collecting, "measure_pair", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        lab.collect(lab.plan(ONE))
    lab.store.read()
    assert lab.count(ONE) == (3, 0)


def test_a_disturbed_trial_is_repeated_until_others_stay_and_progress_says_so(lab, capsys):
    lab.give = lambda _: Trial(status="ok", values=making.make_values(1.5, others_share=1.0))
    lab.collect(lab.plan(ONE, timed=12), Pacer())
    assert lab.count(ONE) == (11, 1)
    told = capsys.readouterr().err
    assert told.count("Other programs take 1.0 of 2 cores. End them") == 1


def test_what_needs_a_package_that_there_is_not_is_not_run(lab, monkeypatch):
    no_wheel = Reason("no-wheel", {"package": "gevent"})
    lacking = Environment(installation=HERE, missing={"gevent": no_wheel})
    monkeypatch.setattr(planning, "prepare", lambda *_: lacking)
    planned = lab.plan(ONE, packages={"gevent": "1"})
    assert planned.steps == ()
    assert planned.records[ONE].reason == no_wheel


def test_a_machine_measures_one_program_as_two_once_a_day_and_keeps_it(lab, tmp_path, monkeypatch):
    lab.collect(lab.plan(ONE))
    reopened = Store(tmp_path, making.make_machine(), [making.make_interpreter()], pytest.fail)
    assert reopened.machine.pair == PAIR
    monkeypatch.setattr(collecting, "measure_pair", pytest.fail)
    collecting.keep_pair(reopened, nullcontext())  # type: ignore[arg-type]
    stale = making.replace(PAIR, measured_at=PAIR.measured_at - timedelta(days=2))
    reopened.machine = making.replace(reopened.machine, pair=stale)
    for found, kept in ((PAIR, PAIR), (None, stale)):
        reopened.machine = making.replace(reopened.machine, pair=stale)
        monkeypatch.setattr(collecting, "measure_pair", lambda _, found=found: found)
        collecting.keep_pair(reopened, nullcontext())  # type: ignore[arg-type]
        assert reopened.machine.pair == kept


def test_both_sides_have_a_time_of_each_round_that_counts(monkeypatch):
    monkeypatch.setattr(collecting, "PAIR_WORK", "pass")
    monkeypatch.setattr(collecting, "PAIR_ROUNDS", 3)
    with Launcher() as launcher:
        pair = measure_pair(launcher)
    assert pair
    assert len(pair.first_s) == len(pair.second_s) == 3
    assert min(*pair.first_s, *pair.second_s) > 0
    monkeypatch.setattr(collecting, "PAIR_WORK", "raise SystemExit(1)")
    with Launcher() as launcher:
        assert measure_pair(launcher) is None
