"""The frame of a block: where its numbers come from, why there are none, and that it is drawn once."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from markupsafe import Markup
from msgspec import structs

from making import EXITED, make_record, make_variant, replace
from poolwise.declaration import Code, Reason
from scripts.site import kept
from scripts.site.judge.judge import Evidence
from scripts.site.judge.spreads import ENOUGH_SAMPLES, Spreads
from scripts.site.kept import drop_oldest
from scripts.site.page import context, frame
from scripts.site.page.context import Place
from scripts.site.page.frame import draw_once, show_measured
from scripts.site.render.words import Words, load_words
from tests.site.render.markup import make_evidence, read

EN = load_words("en")
drawn: list[str] = []


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A page, with an empty cache of its own."""
    drawn.clear()
    pipeline = SimpleNamespace(
        declared=SimpleNamespace(terms={}), machines={}, namesakes=frozenset()
    )
    monkeypatch.setattr(frame, "open_pipeline", lambda: pipeline)
    context.enter(Place(source="theory/gil.md", url="theory/gil/"))
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    return tmp_path / "drawings"


def draw(evidence: Evidence, words: Words, programs: Sequence[str] = ()) -> Markup:
    drawn.append(words.language)
    names = f"{evidence.experiment.name} &amp; {','.join(programs)}"
    return Markup(f'<a href="#p01">{names}</a><a href="#picture">picture</a>')


def draw_otherwise(evidence: Evidence, words: Words) -> Markup:
    return draw(evidence, words)


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


def test_what_nothing_has_changed_of_is_drawn_once_and_shown_as_it_was() -> None:
    first = draw_once(draw, make(), EN)
    assert draw_once(draw, make(), EN) == first == draw(make(), EN)
    assert isinstance(draw_once(draw, make(), EN), Markup)
    assert count_drawn() == 2


def test_another_record_declaration_or_place_is_drawn_anew() -> None:
    evidence = make()
    records = [make_record(make_variant(tasks=tasks)) for tasks in range(1, ENOUGH_SAMPLES + 1)]
    many = make_evidence(records)
    wider = [
        replace(judged, spreads=Spreads([*records, make_record(walls=[1.0, 3.0, 9.0])]))
        for judged in many.judgements
    ]
    experiment = structs.replace(evidence.experiment, source="https://example.org")
    all_ = (
        evidence,
        make_evidence([make_record(walls=[2.0, 2.1, 1.9, 2.0, 2.051])]),
        make_evidence([make_record(make_variant(cores=7))]),
        replace(evidence, experiment=experiment),
        replace(evidence, machine=replace(evidence.machine, cpu_model="Another CPU")),
        replace(evidence, profile="full"),
        replace(evidence, outdated=frozenset({make_variant()})),
        many,
        replace(many, judgements=tuple(wider)),  # another usual spread of the machine
    )
    for changed in (*all_, *all_):
        draw_once(draw, changed, EN)
    assert count_drawn() == len(all_)


def test_another_drawing_or_choice_is_drawn_anew() -> None:
    for one in (draw, draw_otherwise, partial(draw, programs=["a"]), partial(draw, programs=["b"])):
        draw_once(one, make(), EN)
    assert count_drawn() == 4


@pytest.mark.parametrize("file", ["scripts/render/svg.py", "scripts/render/templates/a.html"])
def test_other_code_draws_anew(file: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(frame, "ROOT", tmp_path)
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    for text in ("old", "new"):
        path.write_text(text)
        frame._digest_code.cache_clear()
        draw_once(draw, make(), EN)
    frame._digest_code.cache_clear()
    assert count_drawn() == 2


def test_only_the_drawings_shown_last_are_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST", 2)
    choices = [partial(draw, programs=[name]) for name in "abc"]
    for age, choice in enumerate(choices):
        draw_once(choice, make(), EN)
        newest = max(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (age, age))
    draw_once(choices[0], make(), EN)
    count_drawn()
    drop_oldest()
    for choice in (choices[0], choices[2], choices[1]):
        draw_once(choice, make(), EN)
    assert count_drawn() == 1
