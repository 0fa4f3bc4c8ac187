"""A language that lacks a word, or does not say how it writes quantities, is told before the build."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.paths import WORDS
from scripts.site.declare import texts as languages
from scripts.site.declare.texts import check_catalogues

Change = Callable[[str, str], Path]


@pytest.fixture
def change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Change]:
    """Replaces something in the English catalogue; gives its path."""
    for path in WORDS.glob("*.toml"):
        shutil.copy(path, tmp_path)

    def forget() -> None:
        languages.list_languages.cache_clear()
        languages.read_catalogue.cache_clear()

    def replace(old: str, new: str) -> Path:
        path = tmp_path / "en.toml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return path

    monkeypatch.setattr(languages, "WORDS", tmp_path)
    forget()
    yield replace
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('baseline = "baseline"\n', "", "text.baseline"),
        ('[verdict]\n"recommended" =', '[verdict]\n"advised" =', "verdict.recommended"),
        ('[choose_axis.gil]\nquestion = "Which interpreter?"', "[choose_axis.gil]", "question"),
        ("[plural.tasks]", "[plural.jobs]", "plural.tasks.other"),
        ('locale = "en_GB"', "", "locale"),
    ],
)
def test_a_word_that_one_language_lacks_is_told(
    change: Change, old: str, new: str, key: str
) -> None:
    path = change(old, new)
    with pytest.raises(MalformedDeclaration, match=rf"{path}:\d+: .*{key}: .*'ru' has it"):
        check_catalogues()


def test_plural_forms_are_those_of_the_language(change: Change) -> None:
    change('[plural.tasks]\none = "{n} task"\n', "[plural.tasks]\n")
    check_catalogues()
