"""What ``make mine`` measured has a page in each language while its file is there, but never on a runner."""

import json
from pathlib import Path

import pytest

from poolwise.__main__ import main
from scripts.site.page import mine
from scripts.site.render.words import load_words

WORDS = load_words("en")


@pytest.mark.slow
def test_the_page_is_there_with_its_file_but_never_on_a_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mine, "MINE", tmp_path / "mine.json")
    monkeypatch.setattr(mine, "choose_words", lambda: WORDS)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a<b.py").touch()
    assert list(mine.write_mine(WORDS)) == []
    assert main(["compare", "a<b.py", "a<b.py", "--rounds", "5", "--export-json", "mine.json"]) in (
        0,
        3,
    )
    assert [name for name, _ in mine.write_mine(WORDS)] == [mine.PAGE]
    assert '<th scope="row">a&lt;b.py</th>' in mine.show_mine()
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert list(mine.write_mine(WORDS)) == []


def test_a_verdict_without_anything_measured_stands_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mine, "MINE", tmp_path / "mine.json")
    answer = {"outcome": "not-known", "answer": ["Not known: too little time."], "rows": []}
    (tmp_path / "mine.json").write_text(json.dumps(answer), encoding="utf-8")
    page = mine.show_mine()
    assert "<p><strong>Not known: too little time.</strong></p>" in page
    assert "<table" not in page
