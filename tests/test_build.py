"""A build measures once, nothing before it is known to work, and claims no success it had not."""

import fcntl
import io
import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from scripts import build
from scripts.declare.declaration import MalformedDeclaration
from scripts.measure.progress import Progress
from scripts.output import ForeignFolder
from scripts.settings import Settings

Calls = list[str]


def stand_in(language: str, site: Path, log: Path) -> None:
    """Instead of MkDocs: tells how it was called."""
    log.write_text(
        f"{language} {site} FRESH {os.environ['FRESH']} MEASURE {os.environ['MEASURE']}\n"
    )


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Calls:
    """What a build asked for, in order; the stages themselves do nothing."""
    calls: Calls = []

    def note(name: str, gives: object = None) -> Callable[..., object]:
        def keep(*arguments: object, **options: object) -> object:
            calls.append(name)
            return gives

        return keep

    monkeypatch.setattr(build, "measure_everything", note("measure"))
    monkeypatch.setattr(build, "read_settings", lambda environment: Settings())
    monkeypatch.setattr(build, "check_build", note("check"))
    monkeypatch.setattr(build, "finish_site", note("root"))
    monkeypatch.setattr(build, "tell_failures", note("failures", gives=False))
    monkeypatch.setattr(build, "check_all", note("judge"))
    monkeypatch.setattr(build, "refresh", lambda: None)
    monkeypatch.setattr(build, "list_machines", dict)
    monkeypatch.setattr(build, "build_language", stand_in)
    monkeypatch.setenv("FRESH", "1")
    monkeypatch.setenv("MEASURE", "1")
    return calls


def test_measuring_comes_after_the_checks_and_before_the_root(calls: Calls, tmp_path: Path) -> None:
    assert build.build_site(str(tmp_path / "site")) == 0
    assert calls == ["check", "measure", "judge", "root", "failures"]


def test_every_language_is_built_of_what_there_is_now(
    calls: Calls, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    build.build_site(str(tmp_path / "site"))
    told = capfd.readouterr().err.splitlines()
    assert told == [
        f"{language} {tmp_path}/site/.next/{language} FRESH 0 MEASURE 0"
        for language in ("en", "ru")
    ]


def test_what_mkdocs_says_of_a_program_is_no_command_to_a_runner(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    said = "WARNING - lab.md: failed\n::stop-commands::p\nx ##[error]f"
    monkeypatch.setattr(build, "build_language", lambda *given: given[2].write_text(said))
    build.build_site(str(tmp_path / "site"))
    told = capfd.readouterr().err
    assert "lab.md: failed" in told
    assert "::stop" not in told
    assert "##[" not in told


def test_no_other_build_fills_the_folder_meanwhile(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def try_to_hold(site: Path) -> bool:
        fcntl.flock(os.open(site, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True

    monkeypatch.setattr(build, "build_languages", try_to_hold)
    with pytest.raises(BlockingIOError):
        build.build_site(str(tmp_path / "site"))


def expect(left_s: float, told: io.StringIO | None = None) -> Progress:
    """Measuring that should take so long."""
    return Progress([], told or io.StringIO(), budget_s=left_s)


class Minutes:
    """A clock of which each build takes ``build_s``; trials end every five seconds."""

    def __init__(self, build_s: float) -> None:
        self.now_s = 0.0
        self.build_s = build_s
        self.built_s: list[float] = []

    def take(self, *_: object, **__: object) -> bool:
        self.now_s += self.build_s
        self.built_s.append(self.now_s)
        return True

    def measure(self, interim: build.Interim, lasts_s: float) -> None:
        measured_s = 0.0
        while measured_s < lasts_s:
            interim.build_if_due(expect(lasts_s - measured_s))
            measured_s += 5.0
            self.now_s += 5.0


@pytest.mark.parametrize("build_s", [8.0, 25.0])
def test_pages_are_there_within_three_minutes_and_take_little_of_a_quick_run(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, build_s: float
) -> None:
    clock = Minutes(build_s)
    monkeypatch.setattr(build, "build_languages", clock.take)
    interim = build.Interim("site", tmp_path, lambda: clock.now_s)
    clock.measure(interim, 870.0)
    assert clock.built_s[0] == build_s
    assert build.SOON_S < clock.built_s[1] <= 180.0
    assert build_s * len(clock.built_s) <= 90.0 + build_s


def test_where_pages_are_the_first_of_what_is_measured_come_soon(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Minutes(10.0)
    monkeypatch.setattr(build, "build_languages", clock.take)
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "index.html").touch()
    clock.measure(build.Interim("site", tmp_path, lambda: clock.now_s), 2 * build.SOON_S + 5)
    assert clock.built_s == [build.SOON_S + 10.0]


def test_nothing_is_built_where_measuring_ends_soon(calls: Calls, tmp_path: Path) -> None:
    build.Interim("site", tmp_path).build_if_due(expect(build.SOON_S - 1))
    assert calls == []


def test_the_address_is_told_before_anything_is_built(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = io.StringIO()
    seen: list[str] = []
    monkeypatch.setattr(build, "build_languages", lambda *_, **__: seen.append(told.getvalue()))
    build.Interim("pages", tmp_path).build_if_due(expect(600.0, told))
    assert "--directory pages\n" in seen[0]
    assert calls == ["root"]


def test_a_language_is_seen_once_it_is_whole(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "index.html").write_text("old")

    def write(language: str, site: Path, log: Path) -> None:
        assert (tmp_path / "en" / "index.html").read_text() == "old"
        site.mkdir(parents=True)
        (site / "index.html").write_text("new")

    monkeypatch.setattr(build, "build_language", write)
    assert build.build_languages(tmp_path)
    assert (tmp_path / "en" / "index.html").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["en", "ru"]


def test_a_foreign_folder_is_refused_before_anything_is_done(calls: Calls, tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(ForeignFolder):
        build.build_site(str(tmp_path))
    assert calls == []


def test_what_cannot_be_built_is_not_measured(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Settings) -> None:
        raise MalformedDeclaration("mkdocs.yml: no such plugin")

    monkeypatch.setattr(build, "check_build", fail)
    with pytest.raises(MalformedDeclaration):
        build.build_site(str(tmp_path / "site"))
    assert calls == []


def test_a_language_that_fails_fails_the_build_which_says_so(
    calls: Calls,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fail(language: str, site: Path, log: Path) -> None:
        stand_in(language, site, log)
        sys.exit(language == "ru")

    monkeypatch.setattr(build, "build_language", fail)
    assert build.build_site(str(tmp_path / "site")) == 1
    told = capfd.readouterr()
    assert "The site is in" not in told.out
    assert "The build has failed" in told.err


def test_a_program_that_failed_fails_the_build_which_says_so(
    calls: Calls,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(build, "tell_failures", lambda: True)
    assert build.build_site(str(tmp_path / "site")) == 1
    assert "The site is in" not in capfd.readouterr().out


def test_a_build_that_is_stopped_leaves_no_process(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "build_language", lambda *_: time.sleep(600))
    started: list[BaseProcess] = []
    join = BaseProcess.join

    def join_until_stopped(process: BaseProcess, timeout: float | None = None) -> None:
        started.append(process)
        if len(started) == 1:
            raise KeyboardInterrupt
        join(process, timeout)

    monkeypatch.setattr(BaseProcess, "join", join_until_stopped)
    with pytest.raises(KeyboardInterrupt):
        build.build_languages(tmp_path / "site")
    assert {process.exitcode for process in started} == {-signal.SIGTERM}
    assert len(set(started)) == 2
