"""What a fence prints reaches the page as it is; what it raises is told, and is no Markdown either."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from markdown import Markdown
from markdown_exec import formatter, validator

from scripts.site.page import fence
from scripts.site.page.fence import run, take_over

RUN = '\n\n```python exec="on"\nopen({flag!r}, "w")\n```\n\n````````\n\n'


def convert(code: str, options: str = 'html="true"') -> str:
    take_over()
    named: Mapping[str, Any] = {"name": "python", "class": "python"}
    fences = [{**named, "validator": validator, "format": formatter}]
    markdown = Markdown(
        extensions=["pymdownx.superfences", "md_in_html", "attr_list"],
        extension_configs={"pymdownx.superfences": {"custom_fences": fences}},
    )
    return markdown.convert(f'```python exec="on" {options}\n{code}\n```')


@pytest.mark.parametrize("options", ['html="true"', ""])
def test_what_a_fence_prints_is_not_read_again(tmp_path: Path, options: str) -> None:
    flag = tmp_path / "flag"
    text = f"<div>{RUN.format(flag=str(flag))}*a* &amp; \\`b\\` {{#c}}\n</div>"
    assert text in convert(f"print({text!r})", options)
    assert not flag.exists()


def test_placeholders_of_markdown_itself_are_none_in_what_is_printed() -> None:
    shown = convert("print('<p>\\x02wzxhzdk:0\\x03\\x0260\\x03\\x02amp\\x03</p>')")
    assert "\N{REPLACEMENT CHARACTER}wzxhzdk:0\N{REPLACEMENT CHARACTER}" in shown
    assert "\x02" not in shown


def test_what_a_fence_raises_is_warned_of_and_shown_as_text(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    flag = tmp_path / "flag"
    message = f"no <script>{RUN.format(flag=str(flag))}"
    with caplog.at_level(logging.WARNING):
        shown = convert(f"raise ValueError({message!r})", 'html="true" id="broken"')
    assert not flag.exists()
    assert "ValueError: no &lt;script&gt;" in shown
    assert "<script>" not in shown
    assert any("fence broken" in said for said in caplog.messages)


def test_records_that_cannot_be_read_are_told_in_a_sentence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    code = (
        "from scripts.harness.store import RecordsError\nraise RecordsError('absent.json: damaged')"
    )
    with caplog.at_level(logging.WARNING):
        shown = convert(code, 'html="true" id="broken"')
    assert "<pre>absent.json: damaged</pre>" in shown
    assert "Traceback" not in "".join(caplog.messages)


def test_a_wrong_name_in_a_fence_is_a_sentence_that_says_what_there_is(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        shown = convert(
            'from scripts.site.page import show\nshow.program("json/00-gone.py")',
            'html="true" id="lost"',
        )
    (told,) = caplog.messages
    assert "no such program 'json/00-gone.py'; there are json/" in told
    assert "Traceback" not in told + shown


def test_a_preview_runs_no_fence_again_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[int] = []
    monkeypatch.setattr(fence, "clean", lambda printed: ran.append(1) or printed)
    codes = [f"print({number})" for number in range(1500)]
    for _ in range(2):
        assert [run(code) for code in codes[:3]] == ["0\n", "1\n", "2\n"]
        for code in codes:
            run(code)
    assert len(ran) == len(codes)
