"""Each program that a page shows is watched, as long as nothing of it changes; here nobody really looks."""

import fcntl
from collections.abc import Sequence
from contextlib import nullcontext

import pytest

from making import make_values
from poolwise.declaration import Reason
from poolwise.dependencies import Environment
from poolwise.pythons import Installation
from poolwise.record import Variant
from poolwise.trial import Bench
from scripts.site.study import watch
from scripts.site.study.timeline import Timeline, list_timelines, read_timeline
from scripts.site.study.watch import LONGEST_S, RUNS
from tests.factories import make_timeline
from tests.site import test_pipeline
from tests.site.test_pipeline import Lab, claim_two

lab = test_pipeline.lab


@pytest.fixture
def watched(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that were watched, in order, each while its turn to measure lasted."""
    watched = []

    def trace(bench: Bench, variant: Variant, cores: Sequence[int], fingerprint: str) -> Timeline:
        watched.append(variant.program)
        with (lab.results / ".lock").open("w") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        place = {name: getattr(variant, name) for name in ("experiment", "machine", "interpreter")}
        size = {"tasks": variant.tasks, "wall_us": 100_000 + 1000 * (7 * len(watched) % RUNS)}
        return make_timeline(program=variant.program, fingerprint=fingerprint, **place, **size)

    monkeypatch.setattr(watch, "is_watchable", lambda: True)
    monkeypatch.setattr(watch, "Launcher", nullcontext)
    monkeypatch.setattr(watch, "trace_program", trace)
    return watched


def test_a_program_is_watched_once_until_it_changes_and_all_are_if_asked(
    lab: Lab, watched: list[str]
) -> None:
    for _ in range(2):
        lab.pipeline().watch()
    assert watched[::RUNS] == ["one", "two"]
    lab.change("two")
    lab.pipeline().watch()
    lab.pipeline(measure="all").watch()
    assert watched[::RUNS] == ["one", "two", "two", "one", "two"]


def test_of_several_runs_the_one_of_median_length_is_kept(lab: Lab, watched: list[str]) -> None:
    lab.watched = {"lab/two": ""}
    lab.pipeline().watch()
    (path,) = list_timelines(lab.results)
    timeline = read_timeline(path)
    assert timeline
    assert timeline.wall_us == 102_000
    assert watched == ["two"] * RUNS


@pytest.mark.parametrize(("took_s", "programs"), [(1.0, 2), (LONGEST_S + 1, 0)])
def test_a_program_is_watched_at_the_size_of_its_claim_and_not_where_that_takes_long(
    lab: Lab, watched: list[str], took_s: float, programs: int
) -> None:
    lab.claims = {"lab": [claim_two(tasks="least")]}
    lab.watched = dict.fromkeys(("lab/one", "lab/two"), lab.claims["lab"][0].id)
    lab.take(lambda step: make_values(took_s, 0.1))
    sizes = {row.tasks for row in lab.gather().judgements if row.program == "two"}
    lab.pipeline().watch()
    assert len({*watched}) == programs
    for path in list_timelines(lab.results)[1:]:
        timeline = read_timeline(path)
        assert timeline
        assert timeline.tasks == min(sizes) < max(sizes)


def test_what_lacks_a_package_is_not_waited_for(
    lab: Lab, watched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(installation: Installation, packages: dict[str, str]) -> Environment:
        missing = {name: Reason("no-wheel", {"package": name}) for name in packages}
        return Environment(installation=installation, missing=missing)

    lab.change("two", "import gevent")
    monkeypatch.setattr(watch, "prepare", prepare)
    lab.pipeline().watch()
    assert {*watched} == {"one"}


def test_the_plan_counts_what_is_watched_and_the_stage_names_each_program(
    lab: Lab, watched: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    build = lab.pipeline()
    build.plan()
    build.watch()
    lines = capsys.readouterr().err
    assert "2 programs" in lines
    assert "timelines 0/2 · lab/one" in lines


def test_in_smoke_nothing_is_watched_but_what_argues_no_claim(lab: Lab, watched: list[str]) -> None:
    lab.claims = {"lab": [claim_two()]}
    lab.watched["lab/two"] = lab.claims["lab"][0].id
    lab.pipeline(profile="smoke").watch()
    assert {*watched} == {"one"}
