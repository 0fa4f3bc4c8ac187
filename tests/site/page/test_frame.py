"""The frame of a block: where its numbers come from, and why there are none."""

from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from markupsafe import Markup

from making import EXITED, make_record, make_variant, replace
from poolwise.declaration import Code, Reason
from scripts.site.judge.evidence import Evidence
from scripts.site.page import context, frame
from scripts.site.page.context import Place
from scripts.site.page.frame import show_measured
from scripts.site.render.words import Words, load_words
from tests.site.render.markup import make_evidence, read

EN = load_words("en")
drawn: list[str] = []


@pytest.fixture(autouse=True)
def page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand on a page."""
    drawn.clear()
    pipeline = SimpleNamespace(
        declared=SimpleNamespace(terms={}), machines={}, namesakes=frozenset()
    )
    monkeypatch.setattr(frame, "open_pipeline", lambda: pipeline)
    context.enter(Place(source="theory/gil.md", url="theory/gil/"))


def draw(evidence: Evidence, words: Words, programs: Sequence[str] = ()) -> Markup:
    drawn.append(words.language)
    names = f"{evidence.experiment.name} &amp; {','.join(programs)}"
    return Markup(f'<a href="#p01">{names}</a><a href="#picture">picture</a>')


def count_drawn() -> int:
    """How often it was drawn since this was asked last."""
    count = len(drawn)
    drawn.clear()
    return count


def make() -> Evidence:
    return make_evidence([make_record()])


def test_links_to_programs_lead_to_their_page_and_others_stay() -> None:
    shown = show_measured(make(), draw)
    assert 'href="../../../en/lab/#p01"' in shown
    assert 'href="#picture"' in shown


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("left-out", "not_measured"),
        ("measuring-off", "not_measured"),
        ("another-machine", "not_tried"),
    ],
)
def test_what_was_never_run_says_so_in_a_line_and_why_where_it_cannot_run(
    language: str, code: Code, text: str
) -> None:
    context.enter(Place(language=language, url="theory/gil/"))
    words, reason = load_words(language), Reason(code)
    absent = replace(make_record(), status="unavailable", reason=reason, timed=(), traced=())
    shown = read(show_measured(replace(make_evidence([absent]), absence=reason), draw))
    assert shown == words.catalogue["text"][text].format(reason=words.reason(reason))
    assert count_drawn() == 0


def test_what_failed_is_drawn_without_where_numbers_come_from() -> None:
    failed = replace(make_record(), status="failed", reason=EXITED, timed=(), traced=())
    shown = read(show_measured(make_evidence([failed]), draw))
    assert count_drawn() == 1
    assert "Measured on" not in shown


def test_of_records_that_are_no_longer_valid_it_says_so() -> None:
    evidence = make()
    for outdated, is_told in ((make_variant(), True), (make_variant(program="another"), False)):
        shown = read(show_measured(replace(evidence, outdated=frozenset([outdated])), draw))
        assert (EN.text("outdated") in shown.partition("Measured on ")[2]) is is_told
