"""Releases run one after another, there and back, until each comparison is settled."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from making import make_build, make_machine, make_values, replace
from poolwise.plan import Job
from poolwise.pythons import Installation, Interpreter
from poolwise.record import Trial, Variant, add_trial
from poolwise.store import Store
from scripts.site.settings import BadSetting, Settings
from scripts.site.study import releases
from scripts.site.study.releases import BUDGET_S, Releases

OLD, NEW, FREE = make_build("3.14.0"), make_build("3.15.0rc1"), make_build("3.14.0", "t")
Lab = Callable[..., tuple[Releases, list[Variant]]]


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Lab:
    def measure(
        *pythons: Interpreter, time_s: Callable[[Variant, int], float]
    ) -> tuple[Releases, list[Variant]]:
        """Measure trials that take as long as is told of each cell and round."""
        ran: list[Variant] = []
        installations = [Installation(interpreter=python, path=tmp_path) for python in pythons]

        def collect(jobs: Sequence[Job], store: Store, *_: object) -> None:
            (job,) = jobs
            for step in job.steps:
                record = store.find(step.variant, "quick") or job.records[step.variant]
                values = make_values(time_s(step.variant, step.round), 0.1)
                trial = Trial(status="ok", session=store.session, values=values)
                store.put(add_trial(record, trial, traced=False, now=record.measured_at))
                ran.append(step.variant)

        monkeypatch.setattr(releases, "select", lambda _: installations)
        monkeypatch.setattr(releases, "describe_machine", make_machine)
        monkeypatch.setattr(releases, "collect", collect)
        found = Releases(Settings(results=tmp_path))
        found.measure(anew=False)
        return found, ran

    return measure


def test_releases_follow_one_another_and_come_back_in_the_next_round(lab: Lab) -> None:
    found, ran = lab(NEW, FREE, OLD, time_s=lambda *_: 0.6)
    calls = [(cell.interpreter[8:14], cell.workers) for cell in ran if cell.program == "01-calls"]
    there = [("3.14.0", 1), ("3.15.0", 1), ("3.14.0", 1), ("3.14.0", 2)]
    assert calls == (there + there[::-1]) * 2 + there
    assert found.count() == (10, 10)


def test_what_is_settled_is_left_out_and_the_rest_goes_on_to_the_last_round(lab: Lab) -> None:
    def take(cell: Variant, number: int) -> float:
        is_wild = cell.program == "05-lock" and "3.15" in cell.interpreter
        return 0.3 * (1 + 2 * (number % 2)) if is_wild else 0.6

    found, ran = lab(OLD, NEW, time_s=take)
    assert {ran.count(cell) for cell in ran if cell.program != "05-lock"} == {5}
    assert {ran.count(cell) for cell in ran if cell.program == "05-lock"} == {16}
    assert found.count() == (4, 5)


def test_trials_for_which_no_time_is_left_are_not_begun(lab: Lab) -> None:
    def take(cell: Variant, number: int) -> float:
        return BUDGET_S / 25 * (1 + (number + ("3.15" in cell.interpreter)) % 2)

    _, ran = lab(OLD, NEW, time_s=take)
    assert len(ran) == 50 + 3 * 16  # as no time passes, each look has as much again


def test_builds_that_differ_are_not_compared_and_each_has_its_own_file(lab: Lab) -> None:
    found, _ = lab(OLD, NEW, time_s=lambda *_: 0.6)
    ids = [python.id for python in found.cells.interpreters]
    assert ids != [OLD.id, NEW.id]
    assert len({id_.rpartition("-")[2] for id_ in ids}) == 1
    with pytest.raises(BadSetting, match="not built alike"):
        lab(OLD, replace(NEW, pgo=True), time_s=lambda *_: 0.6)
