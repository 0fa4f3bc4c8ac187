"""A drawing is made once, and never shown where anything that goes into it has changed."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from markupsafe import Markup
from msgspec import structs

from scripts.site import kept
from scripts.site.judge.judge import Evidence
from scripts.site.judge.spreads import ENOUGH_SAMPLES, Spreads
from scripts.site.kept import drop_oldest
from scripts.site.page import frame
from scripts.site.page.frame import draw_once
from scripts.site.render.words import Words, load_words
from tests.factories import make_record, make_variant, replace
from tests.site.render.markup import make_evidence

EN = load_words("en")
drawn: list[str] = []


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache of its own."""
    drawn.clear()
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    return tmp_path / "drawings"


def draw(evidence: Evidence, words: Words, programs: Sequence[str] = ()) -> Markup:
    drawn.append(words.language)
    return Markup("<b>{} &amp; {}</b>").format(evidence.experiment.name, ",".join(programs))


def draw_otherwise(evidence: Evidence, words: Words) -> Markup:
    return draw(evidence, words)


def count_drawn() -> int:
    """How often it was drawn since this was asked last."""
    count = len(drawn)
    drawn.clear()
    return count


def make() -> Evidence:
    return make_evidence([make_record()])


def test_what_nothing_has_changed_of_is_drawn_once_and_shown_as_it_was() -> None:
    first = draw_once(draw, make(), EN)
    assert draw_once(draw, make(), EN) == first == draw(make(), EN)
    assert isinstance(draw_once(draw, make(), EN), Markup)
    assert count_drawn() == 2


def test_another_record_declaration_or_place_is_drawn_anew() -> None:
    evidence = make()
    draw_once(draw, evidence, EN)
    count_drawn()
    experiment = evidence.experiment
    for changed in (
        make_evidence([make_record(walls=[2.0, 2.1, 1.9, 2.0, 2.051])]),
        make_evidence([make_record(make_variant(cores=7))]),
        replace(evidence, experiment=structs.replace(experiment, source="https://example.org")),
        replace(evidence, machine=replace(evidence.machine, cpu_model="Another CPU")),
        replace(evidence, profile="full"),
        replace(evidence, outdated=frozenset({make_variant()})),
    ):
        draw_once(draw, changed, EN)
        assert count_drawn() == 1
    for _ in range(2):
        draw_once(draw, evidence, EN)
    assert count_drawn() == 0


def test_another_usual_spread_of_the_machine_is_drawn_anew() -> None:
    records = [make_record(make_variant(tasks=tasks)) for tasks in range(ENOUGH_SAMPLES)]
    evidence = make_evidence(records)
    wider = [
        replace(judged, spreads=Spreads([*records, make_record(walls=[1.0, 3.0, 9.0])]))
        for judged in evidence.judgements
    ]
    draw_once(draw, evidence, EN)
    draw_once(draw, replace(evidence, judgements=tuple(wider)), EN)
    assert count_drawn() == 2


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
    for choice in (choices[0], choices[2]):
        draw_once(choice, make(), EN)
    assert count_drawn() == 0
    draw_once(choices[1], make(), EN)
    assert count_drawn() == 1
