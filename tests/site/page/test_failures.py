"""Failures: of programs they are told once the pages are written, of a block they are its HTML."""

import logging
from pathlib import Path
from types import SimpleNamespace

import pytest
from markdown import Markdown
from markdown_exec import formatter, validator

from making import EXITED, make_record, make_variant, replace
from poolwise.declaration import Reason
from poolwise.record import Record
from poolwise.store import RecordsError
from scripts.site.page import failures, show
from scripts.site.page.context import Place
from scripts.site.page.failures import join_dashes, run
from scripts.site.settings import Settings
from tests.factories import make_experiment

SAID = "| a | <b>x</b>\n![](http://e.example) `c` *d*\n::stop-commands::p\n##[error]f"
RUN = '\n\n```python exec="on"\nopen({flag!r}, "w")\n```\n\n````````\n\n'


def fail(reason: Reason, stderr: str = "") -> Record:
    record = make_record(make_variant(program="08-cpu-sequential", family="cpu"))
    return replace(record, status="failed", reason=reason, stderr=stderr, timed=(), traced=())


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A build whose ``records`` and ``settings`` a test may change."""
    told = fail(Reason("other-result", {"printed": SAID, "expected": "1"}))
    build = SimpleNamespace(
        records=[make_record(), told], settings=Settings(), experiments={"lab": None}
    )
    monkeypatch.setattr(failures, "open_pipeline", lambda: build)

    def judge(name: str) -> SimpleNamespace:
        return SimpleNamespace(failed=[one for one in build.records if one.status == "failed"])

    monkeypatch.setattr(failures, "judge", judge)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return build


def test_a_failed_program_fails_the_build_and_is_named_with_its_reason(
    build: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = fail(EXITED, stderr="Traceback\nOSError: no room")
    build.records = [make_record(), failed, failed]
    assert failures.tell_failures()
    told = capsys.readouterr().err
    assert told.count("Traceback") == 1
    assert "lab/08-cpu-sequential (cpu) on 1 core with " in told
    assert ": failed: exited with status 1: OSError: no room" in told
    build.records = [make_record()]
    assert not failures.tell_failures()
    assert capsys.readouterr().err == ""


def test_where_failures_are_told_only_it_is_in_one_line_that_is_no_command_and_no_markup(
    build: SimpleNamespace,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    summary = tmp_path / "summary"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    build.settings = Settings(failures="tell")
    assert not failures.tell_failures()
    _, told = capsys.readouterr().err.splitlines()
    assert "lab/08-cpu-sequential" in told
    assert "##[" not in told
    before, heading, *lines = filter(None, summary.read_text().splitlines())
    assert (before, heading) == ("before", "## Failed programs")
    assert "lab/08-cpu-sequential" in lines[0]
    assert all(line.startswith("    ") for line in lines)


def test_what_a_fence_prints_is_not_read_again(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    text = f"<div>{RUN.format(flag=str(flag))}*a* &amp; \\`b\\` {{#c}}\n</div>"
    fence = {"name": "python", "class": "python", "validator": validator, "format": formatter}
    markdown = Markdown(
        extensions=["pymdownx.superfences", "md_in_html", "attr_list"],
        extension_configs={"pymdownx.superfences": {"custom_fences": [fence]}},
    )
    assert text in markdown.convert(f'```python exec="on" html="true"\nprint({text!r})\n```')
    assert not flag.exists()


def test_placeholders_of_markdown_itself_are_none_in_a_block() -> None:
    shown = run(lambda: "<p>\x02wzxhzdk:0\x03\x0260\x03</p>")
    assert "\N{REPLACEMENT CHARACTER}wzxhzdk:0\N{REPLACEMENT CHARACTER}" in shown
    assert "\x02" not in shown


def test_what_a_block_raises_is_warned_of_and_shown_as_text_of_records_in_a_sentence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(error: Exception) -> str:
        raise error

    shown = run(broken, ValueError("no <script>lab"))
    assert "ValueError: no &lt;script&gt;lab" in shown
    assert "show.broken(ValueError('no <script>lab'))" in caplog.messages[0]
    assert run(broken, RecordsError("absent.json: damaged")) == "<pre>absent.json: damaged</pre>"
    assert "Traceback" not in caplog.messages[1]


def test_a_wrong_name_in_a_fence_is_a_sentence_that_says_what_there_is(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = SimpleNamespace(experiments={"lab": make_experiment()})
    monkeypatch.setattr(show, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr(failures, "here", lambda: Place(source="lab.md"))
    with caplog.at_level(logging.WARNING):
        shown = show.program("lab/00-gone.py")
    (told,) = caplog.messages
    assert "no such program 'lab/00-gone.py'; there are lab/" in told
    assert told.startswith("lab.md: ")
    assert "Traceback" not in told + shown


def test_a_dash_stays_on_the_line_of_the_word_before_it_except_in_code() -> None:
    html = "<p>поток — это\n— нить</p><pre># a — b</pre><p><code>x — y</code> — z</p>"
    assert join_dashes(html) == (
        "<p>поток\N{NO-BREAK SPACE}— это\N{NO-BREAK SPACE}— нить</p><pre># a — b</pre>"
        "<p><code>x — y</code>\N{NO-BREAK SPACE}— z</p>"
    )
