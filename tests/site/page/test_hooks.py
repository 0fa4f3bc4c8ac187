"""A language's navigation has the experiments' pages, and what stops its build is told in a sentence."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mkdocs.exceptions import PluginError

from poolwise.declaration import MalformedDeclaration
from poolwise.process import LauncherError
from poolwise.trial import LoadServerError
from scripts.site.page import hooks
from scripts.site.page.hooks import on_nav
from scripts.site.settings import BadSetting


def test_pages_below_a_home_follow_each_other_in_the_order_of_its_links(tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    links = "- [B](lab/b.md){#b .section}\n- [A](lab/a.md#top){#a .section}\n"
    (tmp_path / "lab.md").write_text(f"# Lab {{#top}}\n\n{links}", encoding="utf-8")
    for name in ("a", "b"):
        (tmp_path / "lab" / f"{name}.md").write_text(f"---\ntitle: {name}\n---\n", encoding="utf-8")
    pages = {}
    for name in ("lab.md", "lab/a.md", "lab/b.md"):
        file = SimpleNamespace(src_uri=name)
        pages[name] = SimpleNamespace(file=file, parent=None, next_page="x", title=None)
    files: Any = SimpleNamespace(
        src_uris={name: SimpleNamespace(page=page) for name, page in pages.items()}
    )
    home, last, first = pages.values()
    config: Any = SimpleNamespace(docs_dir=str(tmp_path))
    on_nav(SimpleNamespace(pages=[home]), config, files)  # type: ignore[arg-type]
    assert (first.parent, first.previous_page, first.next_page) == (home, home, last)
    assert (last.parent, last.previous_page, last.title) == (home, first, "a")
    assert (home.parent, home.next_page) == (None, "x")


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Configurations of both languages, and sound declarations."""
    for suffix in ("", ".ru"):
        (tmp_path / f"mkdocs{suffix}.yml").write_text("site_name: x\nstrict: true\n")
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(hooks, "ROOT", tmp_path)
    monkeypatch.setattr(hooks, "open_pipeline", lambda: None)
    return tmp_path


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
        hooks.check_build()


@pytest.mark.parametrize(
    "problem", [BadSetting, MalformedDeclaration, LoadServerError, LauncherError, OSError]
)
def test_what_keeps_a_build_from_writing_its_pages_ends_it_with_its_reason(
    problem: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(config: object) -> None:
        raise problem("why it cannot be")

    monkeypatch.setattr(hooks, "prepare_config", fail)
    with pytest.raises(PluginError, match="why it cannot be"):
        hooks.on_config({})  # type: ignore[arg-type]
