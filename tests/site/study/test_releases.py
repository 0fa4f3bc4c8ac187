"""Releases run one after another, there and back, until each comparison is settled."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from making import make_build, make_machine, make_values, replace
from poolwise.plan import Job
from poolwise.pythons import Installation
from poolwise.record import Trial, Variant, add_trial
from poolwise.store import Store
from scripts.site.judge.releases import is_decided
from scripts.site.settings import BadSetting, Settings
from scripts.site.study import releases
from scripts.site.study.releases import MOST_SECONDS, Releases

OLD, NEW, FREE = make_build("3.14.0"), make_build("3.15.0rc1"), make_build("3.14.0", "t")
Lab = Callable[..., tuple[Releases, list[Variant]]]


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Lab:
    """Measure Pythons, whose trials take as long as is told of each cell and round."""

    def measure(*pythons, time_s=lambda *_: 0.6):  # type: ignore[no-untyped-def]
        ran: list[Variant] = []

        def collect(jobs: Sequence[Job], store: Store, *_: object) -> None:
            for step in jobs[0].steps:
                record = store.find(step.variant, "quick") or jobs[0].records[step.variant]
                values = make_values(time_s(step.variant, step.round), 0.1)
                trial = Trial(status="ok", session=store.session, values=values)
                store.put(add_trial(record, trial, traced=False, now=record.measured_at))
                ran.append(step.variant)
            store.save()

        installed = [Installation(interpreter=python, path=tmp_path) for python in pythons]
        monkeypatch.setattr(releases, "select", lambda _: installed)
        monkeypatch.setattr(releases, "describe_machine", make_machine)
        monkeypatch.setattr(releases, "collect", collect)
        found = Releases(Settings(results=tmp_path))
        found.measure(anew=False)
        return found, ran

    return measure


def count_decided(found: Releases) -> tuple[int, int]:
    ratios = [ratio for _, ratio in found.compare()]
    return sum(map(is_decided, ratios)), len(ratios)


def test_releases_follow_one_another_and_come_back_in_the_next_round(lab: Lab) -> None:
    found, ran = lab(NEW, FREE, OLD)
    calls = [(cell.interpreter[8:14], cell.workers) for cell in ran if cell.program == "01-calls"]
    there = [("3.14.0", 1), ("3.15.0", 1), ("3.14.0", 1), ("3.14.0", 2)]
    assert calls == (there + there[::-1]) * 2 + there
    assert count_decided(found) == (10, 10)


def test_what_is_settled_is_left_out_and_the_rest_goes_on_to_the_last_round(lab: Lab) -> None:
    def take(cell: Variant, number: int) -> float:
        is_wild = cell.program == "05-lock" and "3.15" in cell.interpreter
        return 0.3 * (1 + 2 * (number % 2)) if is_wild else 0.6

    found, ran = lab(OLD, NEW, time_s=take)
    assert {ran.count(cell) for cell in ran if cell.program != "05-lock"} == {5}
    assert {ran.count(cell) for cell in ran if cell.program == "05-lock"} == {40}
    assert count_decided(found) == (4, 5)


def test_trials_for_which_no_time_is_left_are_not_begun(lab: Lab) -> None:
    def take(cell: Variant, number: int) -> float:
        return MOST_SECONDS / 25 * (1 + (number + ("3.15" in cell.interpreter)) % 2)

    _, ran = lab(OLD, NEW, time_s=take)
    assert len(ran) == 50 + 5 * 16  # as no time passes, each look has as much again


def test_a_run_goes_on_with_the_one_before_unless_a_release_was_added(lab: Lab) -> None:
    lab(OLD, NEW)
    assert lab(OLD, NEW)[1] == []
    found, ran = lab(OLD, NEW, FREE)
    assert {*map(ran.count, ran)} == {5}
    assert count_decided(found) == (10, 10)


def test_builds_that_differ_are_not_compared_and_each_has_its_own_file(lab: Lab) -> None:
    found, _ = lab(OLD, NEW)
    ids = [python.id for python in found.cells.interpreters]
    assert ids != [OLD.id, NEW.id]
    assert len({id_.rpartition("-")[2] for id_ in ids}) == 1
    with pytest.raises(BadSetting, match="not built alike"):
        lab(OLD, replace(NEW, pgo=True))
