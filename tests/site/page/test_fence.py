"""What a fence prints reaches the page as it is; what it raises is told, and is no Markdown either."""

import logging
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from markdown import Markdown
from markdown_exec import formatter, validator

from scripts.harness.store import RecordsError
from scripts.site.page import show
from scripts.site.page.failures import join_dashes, run
from tests.factories import make_experiment

RUN = '\n\n```python exec="on"\nopen({flag!r}, "w")\n```\n\n````````\n\n'


def convert(code: str) -> str:
    named: Mapping[str, Any] = {"name": "python", "class": "python"}
    fences = [{**named, "validator": validator, "format": formatter}]
    markdown = Markdown(
        extensions=["pymdownx.superfences", "md_in_html", "attr_list"],
        extension_configs={"pymdownx.superfences": {"custom_fences": fences}},
    )
    return markdown.convert(f'```python exec="on" html="true"\n{code}\n```')


def test_what_a_fence_prints_is_not_read_again(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    text = f"<div>{RUN.format(flag=str(flag))}*a* &amp; \\`b\\` {{#c}}\n</div>"
    assert text in convert(f"print({text!r})")
    assert not flag.exists()


def test_placeholders_of_markdown_itself_are_none_in_a_block() -> None:
    shown = run(lambda: "<p>\x02wzxhzdk:0\x03\x0260\x03</p>")
    assert "\N{REPLACEMENT CHARACTER}wzxhzdk:0\N{REPLACEMENT CHARACTER}" in shown
    assert "\x02" not in shown


def test_what_a_block_raises_is_warned_of_and_shown_as_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(name: str) -> str:
        raise ValueError(f"no <script>{name}")

    with caplog.at_level(logging.WARNING):
        shown = run(broken, "lab")
    assert "ValueError: no &lt;script&gt;lab" in shown
    assert any("show.broken('lab')" in said for said in caplog.messages)


def test_records_that_cannot_be_read_are_told_in_a_sentence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def damaged() -> str:
        raise RecordsError("absent.json: damaged")

    with caplog.at_level(logging.WARNING):
        assert run(damaged) == "<pre>absent.json: damaged</pre>"
    assert "Traceback" not in "".join(caplog.messages)


def test_a_wrong_name_in_a_fence_is_a_sentence_that_says_what_there_is(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = SimpleNamespace(experiments={"lab": make_experiment()})
    monkeypatch.setattr(show, "open_pipeline", lambda: pipeline)
    blocks = show.enter("en", "lab.md")
    with caplog.at_level(logging.WARNING):
        shown = blocks.program("lab/00-gone.py")
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
