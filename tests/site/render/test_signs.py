"""What signs and flags mean stands in a fold beneath them, for keys and fingers."""

import pytest
from markupsafe import Markup

from scripts.site.render.signs import (
    explain_flag,
    explain_signs,
    show_flags,
    show_status,
    show_verdict,
)
from scripts.site.render.words import load_words
from tests.site.render.markup import read

EN = load_words("en")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_each_sign_of_a_block_is_explained_once(language: str) -> None:
    words = load_words(language)
    shown = show_verdict("gains nothing", words) + show_flags(["few", "short"], words)
    told = explain_signs(shown + shown + show_status("refuted", words), words)
    assert told.startswith("<details")
    assert f"<summary>{words.text('signs_mean')}</summary>" in told
    for name, meaning in (
        (words.term("verdict", "gains nothing"), words.term("verdict_help", "gains nothing")),
        (words.term("claim_status", "refuted"), words.term("claim_status_help", "refuted")),
        (words.term("noise", "few"), explain_flag("few", words)),
        (words.term("noise", "short"), explain_flag("short", words)),
    ):
        assert read(told).count(read(f"{name}: {meaning}")) == 1
    assert told.count("<li>") == 4


def test_a_block_without_signs_has_no_explanation() -> None:
    assert explain_signs(Markup("<p>recommended, few trials</p>"), EN) == ""


def test_an_explanation_stays_escaped() -> None:
    told = explain_signs(Markup('<abbr title="&lt;b&gt;">a &amp; b</abbr>'), EN)
    assert "<li>a &amp; b: &lt;b&gt;</li>" in told
