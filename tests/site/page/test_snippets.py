"""Snippets on pages: every one is shown, with what it printed, or with why it was not run."""

import ast
import logging
import re

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.paths import DOCS
from scripts.site.page import context, failures, show
from scripts.site.study.snippets import SNIPPETS, Printed, SnippetFailed

SHOWN = re.compile(r'show\.snippet\("([^"]+)"')


@pytest.fixture(params=["en", "ru"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(context, "_place", context.Place(language=request.param))
    return request.param


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_snippet_is_shown_and_every_one_shown_is_there(language: str) -> None:
    pages = (DOCS / language).rglob("*.md")
    shown = [name for page in pages for name in SHOWN.findall(page.read_text(encoding="utf-8"))]
    assert sorted(set(shown)) == sorted(path.stem for path in SNIPPETS.glob("*.py"))


LONGEST_TYPED = 10
"""Lines of code on a page that no build runs: a fragment, which shows a call; programs are files."""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_code_typed_on_a_page_is_a_fragment_in_python(language: str) -> None:
    typed = re.compile(r"^```python *\n(.*?)^```", re.MULTILINE | re.DOTALL)
    for page in (DOCS / language).rglob("*.md"):
        for code in typed.findall(page.read_text(encoding="utf-8")):
            compile(code, page.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            assert len(code.splitlines()) <= LONGEST_TYPED, f"{page.name}: {code}"


def test_a_failure_is_one_warning_which_ends_a_strict_build(
    language: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(name: str) -> Printed:
        raise SnippetFailed(Reason("exited", {"code": "1"}), "ValueError: too late")

    monkeypatch.setattr(failures, "run_snippet", fail)
    assert "getswitchinterval" in show.snippet("gil-interval")
    assert caplog.record_tuples == [
        (
            "mkdocs.plugins.evidence",
            logging.WARNING,
            "snippets/gil-interval.py: exited with status 1: ValueError: too late",
        )
    ]
