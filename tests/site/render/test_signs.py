"""What signs and flags mean stands in a fold beneath them, for keys and fingers."""

from markupsafe import Markup

from scripts.site.render.signs import explain_signs
from scripts.site.render.words import load_words

EN = load_words("en")


def test_a_block_without_signs_has_no_explanation() -> None:
    assert explain_signs(Markup("<p>recommended, few trials</p>"), EN) == ""


def test_an_explanation_stays_escaped() -> None:
    told = explain_signs(Markup('<abbr title="&lt;b&gt;">a &amp; b</abbr>'), EN)
    assert "<li>a &amp; b: &lt;b&gt;</li>" in told
