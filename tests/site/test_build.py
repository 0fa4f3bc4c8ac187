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

from poolwise.run import Summary
from scripts.site import build
from scripts.site.settings import BadSetting, Settings

Calls = list[str]
FIRST = ("judge", "root")
REST = ("measure", "watch", "judge", "root", "failures")


def stand_in(language: str, site: Path, log: Path) -> None:
    """Instead of MkDocs: tells how it was called."""
    names = ("FRESH", "MEASURE", "MEASURING")
    log.write_text(f"{language} {site} {[os.environ.get(name) for name in names]}\n")
    site.mkdir(parents=True)
    (site / "index.html").write_text(log.read_text())


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Calls:
    """What a build asked for, in order; the stages themselves do nothing."""
    calls: Calls = []

    def note(name: str, gives: object = None) -> Callable[..., object]:
        def keep(*arguments: object, **options: object) -> object:
            calls.append(name)
            return gives

        return keep

    pipeline = SimpleNamespace(
        sketch=note("sketch", gives=Summary(trials=3)),
        measure=note("measure"),
        watch=note("watch"),
        plan=note("plan"),
        find_later_s=lambda stage: build.WORTH_PAGES_S + 1,
        begin_pages=lambda: "6/6 pages",
        describe_numbers=lambda: "whose numbers",
    )
    stages = {
        "open_measuring": lambda settings: pipeline,
        "read_settings": lambda environment: Settings(),
        "check_build": note("check"),
        "finish_site": note("root"),
        "tell_failures": note("failures", gives=False),
        "digest_shown": note("judge"),
        "refresh": lambda: None,
        "list_signs": dict,
        "name_shown": str,
        "keep_signs": lambda *_: None,
        "report": calls.append,
        "build_language": stand_in,
        "CACHE": tmp_path / "cache",
        "LOGS": tmp_path / "logs",
    }
    for name, stage in stages.items():
        monkeypatch.setattr(build, name, stage)
    monkeypatch.setenv("FRESH", "1")
    monkeypatch.setenv("MEASURE", "1")
    return calls


def test_what_mkdocs_says_is_kept_and_told_where_it_complains_but_is_no_command_to_a_runner(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def complain(language: str, site: Path, log: Path) -> None:
        log.write_text(f"WARNING - lab.md: {language}\n::stop-commands::p\nx ##[error]f")
        sys.exit(language == "ru")

    monkeypatch.setattr(build, "build_language", complain)
    assert build.build_site(str(tmp_path / "site")) == 1
    told = capfd.readouterr().err
    assert "lab.md: ru" in told
    assert "lab.md: en" not in told
    assert "lab.md: en" in (tmp_path / "logs" / "mkdocs-en.log").read_text()
    assert "::stop" not in told
    assert "##[" not in told


def test_a_sketch_is_seen_in_one_language_before_the_rest_is_measured(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    pages: list[str] = []
    finish = build.finish_site

    def look(folder: Path) -> None:
        finish(folder)
        pages.append(" ".join(sorted(page.read_text() for page in site.glob("*/index.html"))))

    monkeypatch.setattr(build, "finish_site", look)
    assert build.build_site(str(site)) == 0
    address = f"To look at it: python3 -m http.server --directory {site}"
    sketched = f"{site}/ has a sketch, in English; measuring goes on. {address}"
    assert calls == ["check", "plan", "sketch", *FIRST, sketched, *REST]
    assert [page.count(" ['0', '0', '1']") for page in pages] == [1, 0]
    assert [page.count(" ['0', '0', None]") for page in pages] == [0, 2]
    assert ["ru " in page for page in pages] == [False, True]
    assert capfd.readouterr().out == f"whose numbers\nThe site is in {site}/. {address}\n"


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
    assert build.build_languages(tmp_path, ["en", "ru"])
    assert page.read_text() == "new"
    assert not (tmp_path / build.NEXT).exists()


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
        build.build_languages(tmp_path / "site", ["en", "ru"])
    assert waited == [2, 2]  # who stops again while one ends leaves no other
    assert {process.exitcode for process in started} == {-signal.SIGTERM}
    assert len(set(started)) == 2
