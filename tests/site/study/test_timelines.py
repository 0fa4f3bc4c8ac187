"""Each program is watched once, as long as nothing of it changes; here nobody really looks."""

import fcntl
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from making import write_experiment
from poolwise.declaration import Reason
from poolwise.dependencies import Environment
from poolwise.pythons import Installation
from poolwise.record import Variant
from poolwise.trial import Bench
from scripts.site.declare.declarations import Declarations, find_experiments
from scripts.site.settings import Settings
from scripts.site.study import watch
from scripts.site.study.pipeline import Pipeline
from scripts.site.study.timeline import Timeline
from tests.factories import make_timeline


@dataclass(kw_only=True)
class Lab:
    """An experiment of two programs, and those that were watched, in order."""

    folder: Path
    watched: list[str] = field(default_factory=list)

    @property
    def results(self) -> Path:
        return self.folder / "results"

    def pipeline(self, **settings: object) -> Pipeline:
        experiments = {one.name: one for one in find_experiments(self.folder / "examples")}
        return Pipeline(
            Settings(results=self.results, **settings),  # type: ignore[arg-type]
            declared=Declarations(experiments=experiments, claims={}),
        )

    def trace(
        self, bench: Bench, variant: Variant, cores: Sequence[int], fingerprint: str
    ) -> Timeline:
        self.watched.append(variant.program)
        with (self.results / ".lock").open("w") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return make_timeline(
            program=variant.program,
            experiment=variant.experiment,
            machine=variant.machine,
            interpreter=variant.interpreter,
            fingerprint=fingerprint,
        )


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    lab = Lab(folder=tmp_path)
    write_experiment(tmp_path / "examples" / "lab")
    monkeypatch.setattr(watch, "is_watchable", lambda: True)
    monkeypatch.setattr(watch, "Launcher", nullcontext)
    monkeypatch.setattr(watch, "trace_program", lab.trace)
    return lab


def test_programs_are_watched_in_turn_with_who_measures_and_not_again(lab: Lab) -> None:
    lab.pipeline().watch()
    assert lab.watched == ["one", "two"]
    lab.pipeline().watch()
    assert lab.watched == ["one", "two"]


def test_a_changed_program_is_watched_again_and_all_are_if_asked(lab: Lab) -> None:
    lab.pipeline().watch()
    (lab.folder / "examples" / "lab" / "two.py").write_text("print()\n")
    lab.pipeline().watch()
    lab.pipeline(measure="all").watch()
    assert lab.watched == ["one", "two", "two", "one", "two"]


def test_what_lacks_a_package_is_not_waited_for(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    (lab.folder / "examples" / "lab" / "two.py").write_text("import gevent\n")

    def prepare(installation: Installation, packages: dict[str, str]) -> Environment:
        missing = {name: Reason("no-wheel", {"package": name}) for name in packages}
        return Environment(installation=installation, missing=missing)

    monkeypatch.setattr(watch, "prepare", prepare)
    lab.pipeline().watch()
    assert lab.watched == ["one"]


def test_the_plan_counts_what_is_watched_and_the_stage_names_each_program(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    pipeline = lab.pipeline()
    pipeline.plan()
    pipeline.watch()
    told = capsys.readouterr().err
    assert "timelines" in told
    assert "2 programs" in told
    assert "timelines 0/2 · lab/one" in told


def test_in_smoke_nothing_is_watched_but_what_asks_for_it(lab: Lab) -> None:
    lab.pipeline(profile="smoke").watch()
    assert lab.watched == []
    path = lab.folder / "examples" / "lab" / "experiment.toml"
    path.write_text(f"watch_all = true\n{path.read_text()}")
    lab.pipeline(profile="smoke").watch()
    assert lab.watched == ["one", "two"]
