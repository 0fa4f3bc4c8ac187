"""Tables around the measurements say what was set, and signs what they mean."""

from markupsafe import Markup

from scripts.harness.record import Trial
from scripts.site.render.facts import MARGINS, show_machines, show_margins
from scripts.site.render.signs import explain_signs
from scripts.site.render.words import load_words
from tests.factories import make_record, make_values, replace
from tests.site.golden import WORDS
from tests.site.judge.test_rows import gather
from tests.site.render.markup import read_rows


def test_the_margins_are_those_of_the_rule() -> None:
    rows = read_rows(show_margins(WORDS))
    assert [row[0] for row in rows] == list(MARGINS)
    assert [row[2] for row in rows] == [f"[{name}]" for name in MARGINS]


def test_what_of_their_pace_cores_lacked_is_told_by_how_much_they_computed() -> None:
    record = make_record()
    trials = [
        Trial(status="ok", values=make_values(1.0, cpu_s, slowed_share=slowed))
        for cpu_s, slowed in ((0.9, 0.2), (0.1, 0.4))
    ]
    slowed = gather("box", replace(record, timed=tuple(trials)))
    shown = show_machines({"box": [slowed]}, WORDS, "")
    assert "[slowed_share 22 " in shown
    assert "[slowed_share" not in show_machines({"box": [gather("box", record)]}, WORDS, "")


EN = load_words("en")


def test_a_block_without_signs_has_no_explanation() -> None:
    assert explain_signs(Markup("<p>recommended, few trials</p>"), EN) == ""


def test_an_explanation_stays_escaped() -> None:
    told = explain_signs(Markup('<abbr title="&lt;b&gt;">a &amp; b</abbr>'), EN)
    assert "<li>a &amp; b: &lt;b&gt;</li>" in told
