"""What would stop a build is found before anything is measured."""

from pathlib import Path

import pytest

from scripts.harness.declaration import MalformedDeclaration
from scripts.site.page import language
from scripts.site.settings import Settings


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Configurations of both languages, and sound declarations."""
    for suffix in ("", ".ru"):
        (tmp_path / f"mkdocs{suffix}.yml").write_text("site_name: x\nstrict: true\n")
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(language, "ROOT", tmp_path)
    monkeypatch.setattr(language, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(language, "open_pipeline", lambda: None)
    return tmp_path


def test_what_is_as_it_should_be_leaves_nothing_behind(repository: Path) -> None:
    language.check_build(Settings(results=repository / "results"))
    assert list((repository / "results").iterdir()) == []


@pytest.mark.parametrize(
    "fault",
    [
        "plugins: [gone]",
        "markdown_extensions: [gone]",
        "no_such_option: 1",
        "docs_dir: gone",
        "- x",
    ],
)
def test_a_configuration_that_cannot_be_built_is_named(repository: Path, fault: str) -> None:
    with (repository / "mkdocs.ru.yml").open("a") as file:
        file.write(f"{fault}\n")
    with pytest.raises(MalformedDeclaration, match=r"mkdocs\.ru\.yml: "):
        language.check_build(Settings(results=repository / "results"))


@pytest.mark.parametrize("name", ["results", "cache"])
def test_records_and_what_is_kept_for_pages_that_cannot_be_written_are_found(
    repository: Path, name: str
) -> None:
    (repository / name).touch()
    with pytest.raises(OSError, match=name):
        language.check_build(Settings(results=repository / "results"))
