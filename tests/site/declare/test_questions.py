"""What strangers ask is read strictly; a question is found by its words and by itself."""

from pathlib import Path

import pytest

from poolwise.declaration import MalformedDeclaration
from scripts.site.declare.questions import read_asked

GOOD = """[words."a/"]
top = { en = "pause", ru = "пауза" }
new = { en = "news" }

[[questions]]
ask = { en = "Does it wait?", ru = "Ждёт?" }
place = "a/#top"
state = "told"
threads = ["a/b#1 2026-01", "a/c#2 2026-02"]
"""


def read(folder: Path, old: str = "", new: str = "") -> str:
    """Read the file with one change, and give what is said of it."""
    path = folder / "questions.toml"
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(MalformedDeclaration) as told:
        read_asked(path)
    return str(told.value).removeprefix(str(path))


def test_a_heading_is_asked_for_by_its_words_and_then_by_the_question(tmp_path: Path) -> None:
    path = tmp_path / "questions.toml"
    path.write_text(GOOD, encoding="utf-8")
    questions = read_asked(path)
    assert questions.list_pages() == ["a/"]
    assert questions.list_words("a/", "ru") == {"top": "пауза, Ждёт?"}
    assert questions.list_words("a/", "en")["new"] == "news"
    assert questions.list_words("b/", "en") == {}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (', ru = "Ждёт?"', "", ":6: questions[0].ask: no text in 'ru'"),
        ('"told"', '"guessed"', ":8: questions[0].state: Invalid enum value 'guessed'"),
        ("#top", "top", ":7: questions[0].place: "),
        (', "a/c#2 2026-02"', "", ":9: questions[0].threads: "),
        ("2026-02", "2026-13", ":9: questions[0].threads[1]: "),
        ("[[questions]]", '["a/"]', ":5: 'a/': "),
    ],
)
def test_what_is_malformed_is_told_with_line_and_key(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert read(tmp_path, old, new).startswith(message)
