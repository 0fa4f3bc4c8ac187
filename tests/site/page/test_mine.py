"""What ``make mine`` measured has a page in each language while its file is there, but never on a runner."""

from pathlib import Path

import pytest

from scripts.harness.mine import run_mine
from scripts.site.page import mine
from scripts.site.render.words import load_words


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(mine, "ROOT", tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a<b.py").write_text("", encoding="utf-8")
    assert run_mine(["compare", "a<b.py", "a<b.py", "--budget", "0"]) == 0
    return tmp_path


def test_a_runner_publishes_nothing_of_it(measured: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert list(mine.write_mine(load_words("en"))) == []


def test_without_its_file_there_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mine, "ROOT", tmp_path)
    assert list(mine.write_mine(load_words("en"))) == []
