"""What the pages of this project promise their readers."""

import re
from pathlib import Path

import pytest

from scripts.site.check.pages import Fence, Paragraph, split

DOCS = Path(__file__).parents[3] / "docs"
THEORY = sorted(DOCS.glob("*/theory/*.md"))
WALL_WORDS = 1200
FEWEST_QUESTIONS = 40


def read_parts(path: Path) -> list:
    text = path.read_text(encoding="utf-8").partition("\n---\n")[2]
    return list(split(list(enumerate(text.splitlines(), start=1))))


def test_a_theory_page_is_no_wall_and_shows_something_measured() -> None:
    for path in THEORY:
        parts = read_parts(path)
        lines = [text for part in parts if isinstance(part, Paragraph) for _, text in part.lines]
        prose = " ".join(lines).partition("{#check}")[0]  # questions come after reading
        assert len(prose.split()) < WALL_WORDS, path
        figures = [part for part in parts if isinstance(part, Fence) and part.is_executed]
        assert any("show.claim" not in figure.code for figure in figures), path


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_question_has_an_anchor_and_a_folded_answer(language: str) -> None:
    text = (DOCS / language / "questions.md").read_text(encoding="utf-8")
    questions = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    asked = [question for question in questions if "{#q-" in question.splitlines()[0]]
    assert len(asked) >= FEWEST_QUESTIONS
    assert [question for question in asked if "\n??? question " not in question] == []


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_external_link_of_theory_and_sources_is_dated(language: str) -> None:
    pages = [*(DOCS / language / "theory").glob("*.md"), DOCS / language / "sources.md"]
    undated = [
        f"{page.name}: {line}"
        for page in pages
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("- ") and "](https://" in line and "2026)" not in line
    ]
    assert undated == []
