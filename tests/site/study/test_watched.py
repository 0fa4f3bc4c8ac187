"""Each program is watched once, as long as nothing of it changes; here nobody really looks."""

import fcntl
from collections.abc import Sequence
from contextlib import nullcontext

import pytest

from poolwise.declaration import Reason
from poolwise.dependencies import Environment
from poolwise.pythons import Installation
from poolwise.record import Variant
from poolwise.trial import Bench
from scripts.site.study import watch
from scripts.site.study.timeline import Timeline
from tests.factories import make_timeline
from tests.site import test_pipeline
from tests.site.test_pipeline import Lab

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
        return make_timeline(program=variant.program, fingerprint=fingerprint, **place)

    monkeypatch.setattr(watch, "is_watchable", lambda: True)
    monkeypatch.setattr(watch, "Launcher", nullcontext)
    monkeypatch.setattr(watch, "trace_program", trace)
    return watched


def test_a_program_is_watched_once_until_it_changes_and_all_are_if_asked(
    lab: Lab, watched: list[str]
) -> None:
    for _ in range(2):
        lab.pipeline().watch()
    assert watched == ["one", "two"]
    lab.change("two")
    lab.pipeline().watch()
    lab.pipeline(measure="all").watch()
    assert watched == ["one", "two", "two", "one", "two"]


def test_what_lacks_a_package_is_not_waited_for(
    lab: Lab, watched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(installation: Installation, packages: dict[str, str]) -> Environment:
        missing = {name: Reason("no-wheel", {"package": name}) for name in packages}
        return Environment(installation=installation, missing=missing)

    lab.change("two", "import gevent")
    monkeypatch.setattr(watch, "prepare", prepare)
    lab.pipeline().watch()
    assert watched == ["one"]


def test_the_plan_counts_what_is_watched_and_the_stage_names_each_program(
    lab: Lab, watched: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    build = lab.pipeline()
    build.plan()
    build.watch()
    lines = capsys.readouterr().err
    assert "2 programs" in lines
    assert "timelines 0/2 · lab/one" in lines


def test_in_smoke_nothing_is_watched_but_what_asks_for_it(lab: Lab, watched: list[str]) -> None:
    lab.pipeline(profile="smoke").watch()
    assert watched == []
    path = lab.examples / "lab" / "experiment.toml"
    path.write_text(f"watch_all = true\n{path.read_text()}")
    lab.pipeline(profile="smoke").watch()
    assert watched == ["one", "two"]
