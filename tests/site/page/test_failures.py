"""A program that failed is told of once the pages are written, also where no page shows it."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.record import Record
from scripts.site.page import failures
from scripts.site.settings import Settings
from tests.factories import EXITED, make_record, make_variant, replace
from tests.site.render.markup import make_evidence

SAID = "| a | <b>x</b>\n![](http://e.example) `c` *d*"
REASON = Reason("other-result", {"printed": SAID, "expected": "1"})


def fail(reason: Reason = REASON) -> Record:
    variant = make_variant(program="08-cpu-sequential", family="cpu")
    return replace(make_record(variant), status="failed", reason=reason, timed=(), traced=())


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A build whose ``records`` and ``settings`` a test may change."""
    build = SimpleNamespace(
        records=[make_record(), fail()], settings=Settings(), experiments={"lab": None}
    )
    monkeypatch.setattr(failures, "open_pipeline", lambda: build)
    monkeypatch.setattr(failures, "gather", lambda name: make_evidence(build.records))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return build


def test_a_failed_program_fails_the_build_and_is_named_with_its_reason(
    build: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = replace(fail(EXITED), stderr="Traceback\nOSError: no room")
    build.records = [make_record(), failed, failed]
    assert failures.tell_failures()
    told = capsys.readouterr().err
    assert told.count("Traceback") == 1
    assert "lab/08-cpu-sequential (cpu) on 1 core with " in told
    assert ": failed: exited with status 1: OSError: no room" in told


def test_the_log_tells_a_failure_in_one_line_that_is_no_command(
    build: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Reason("other-result", {"printed": "x\n::stop-commands::p\n##[error]f", "expected": "1"})
    build.records = [fail(said)]
    assert failures.tell_failures()
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert "##[" not in told[1]


def test_where_failures_are_told_only_they_are_told_and_do_not_fail_the_build(
    build: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    build.settings = Settings(failures="tell")
    assert not failures.tell_failures()
    assert "lab/08-cpu-sequential" in capsys.readouterr().err


def test_without_failures_nothing_is_told(
    build: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    build.records = [make_record()]
    assert not failures.tell_failures()
    assert capsys.readouterr().err == ""


def test_the_summary_of_a_run_has_a_line_in_which_nothing_is_markup(
    build: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    summary = tmp_path / "summary"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    failures.tell_failures()
    before, heading, *lines = filter(None, summary.read_text().splitlines())
    assert (before, heading) == ("before", "## Failed programs")
    assert "lab/08-cpu-sequential" in lines[0]
    assert all(line.startswith("    ") for line in lines)
