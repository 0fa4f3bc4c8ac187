"""A build measures once, nothing before it is known to work, and claims no success it had not."""

import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.site import build
from scripts.site.settings import BadSetting, Settings

Calls = list[str]
COMPARED = ("check", "measure", "judge", "root")
REST = ("rest", "watch", "judge", "root", "failures")


def stand_in(language: str, site: Path, log: Path) -> None:
    """Instead of MkDocs: tells how it was called."""
    set_to = {name: os.environ[name] for name in ("FRESH", "MEASURE")}
    log.write_text(f"{language} {site} {set_to}\n")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Calls:
    """What a build asked for, in order; the stages themselves do nothing."""
    calls: Calls = []

    def note(name: str, gives: object = None) -> Callable[..., object]:
        def keep(*arguments: object, **options: object) -> object:
            calls.append(name)
            return gives

        return keep

    measured = SimpleNamespace(
        measure=note("rest"), watch=note("watch"), lacks_timelines=lambda: True
    )
    stages = {
        "measure_everything": note("measure", gives=measured),
        "read_settings": lambda environment: Settings(),
        "check_build": note("check"),
        "finish_site": note("root"),
        "tell_failures": note("failures", gives=False),
        "check_all": note("judge"),
        "refresh": lambda: None,
        "list_machines": dict,
        "list_printed": dict,
        "report": calls.append,
        "build_language": stand_in,
        "CACHE": tmp_path / "cache",
    }
    for name, stage in stages.items():
        monkeypatch.setattr(build, name, stage)
    monkeypatch.setenv("FRESH", "1")
    monkeypatch.setenv("MEASURE", "1")
    return calls


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


def test_the_site_is_there_and_told_before_the_rest_is_measured(
    calls: Calls, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    assert build.build_site(str(site)) == 0
    address = f"To look at it: python3 -m http.server --directory {site}"
    told = f"{site}/ has what is compared; the rest follows. {address}"
    assert calls == [*COMPARED, told, *REST]
    said = capfd.readouterr()
    assert said.err.count(".next/ru {'FRESH': '0', 'MEASURE': '0'}") == 1  # by the build at the end
    assert said.out == f"The site is in {site}/. {address}\n"


def test_a_site_that_is_not_as_it_should_be_is_told_once_at_the_end(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(language: str, site: Path, log: Path) -> None:
        stand_in(language, site, log)
        sys.exit(language == "ru")

    monkeypatch.setattr(build, "build_language", fail)
    assert build.build_site(str(tmp_path / "site")) == 1
    assert calls == [*COMPARED, *REST]
    told = capfd.readouterr().err
    assert told.count(".next/ru ") == told.count("The build has failed") == 1


def test_a_language_is_seen_once_it_is_whole(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "en" / "index.html"
    page.parent.mkdir()
    page.write_text("old")

    def write(language: str, site: Path, log: Path) -> None:
        assert page.read_text() == "old"
        site.mkdir(parents=True)
        (site / "index.html").write_text("new")

    monkeypatch.setattr(build, "build_language", write)
    assert build.build_languages(tmp_path)
    assert page.read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["en", "ru"]


@pytest.mark.parametrize("was_there", [False, True])
def test_pages_that_cannot_be_written_leave_the_old_site_or_none(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was_there: bool
) -> None:
    def refuse(language: str, site: Path, log: Path) -> None:
        site.mkdir(parents=True)
        (site / "index.html").write_text("a part")
        sys.exit(os.EX_IOERR)

    site = tmp_path / "site"
    old = (site / "index.html", site / "en" / "index.html")
    if was_there:
        build.build_site(str(site))
        for page in old:
            page.parent.mkdir(exist_ok=True)
            page.write_text("old")
    monkeypatch.setattr(build, "build_language", refuse)
    with pytest.raises(OSError, match="its pages cannot be written"):
        build.build_site(str(site))
    assert site.exists() == was_there
    assert not (site / build.NEXT).exists()
    assert {page.read_text() for page in old if was_there} == ({"old"} if was_there else set())


def test_a_foreign_folder_is_refused_before_anything_is_done(calls: Calls, tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(BadSetting):
        build.build_site(str(tmp_path))
    assert calls == []


def test_a_program_that_failed_fails_the_build_which_says_so(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "tell_failures", lambda: True)
    assert build.build_site(str(tmp_path / "site")) == 1
    assert "The site is in" not in capfd.readouterr().out


def test_a_build_that_is_stopped_leaves_no_process(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "build_language", lambda *_: time.sleep(600))
    started: list[BaseProcess] = []
    ended: list[BaseProcess] = []
    join, terminate = BaseProcess.join, BaseProcess.terminate

    def join_until_stopped(process: BaseProcess, timeout: float | None = None) -> None:
        started.append(process)
        if len(started) == 1:
            raise KeyboardInterrupt
        waited.append(len(ended))
        join(process, timeout)

    def end(process: BaseProcess) -> None:
        ended.append(process)
        terminate(process)

    waited: list[int] = []
    monkeypatch.setattr(BaseProcess, "join", join_until_stopped)
    monkeypatch.setattr(BaseProcess, "terminate", end)
    with pytest.raises(KeyboardInterrupt):
        build.build_languages(tmp_path / "site")
    assert waited == [2, 2]  # who stops again while one ends leaves no other
    assert {process.exitcode for process in started} == {-signal.SIGTERM}
    assert len(set(started)) == 2
