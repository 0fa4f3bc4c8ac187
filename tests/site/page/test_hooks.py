"""A language's navigation has the experiments' pages, and what stops its build is told in a sentence."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mkdocs.exceptions import PluginError
from msgspec import structs

from poolwise.declaration import MalformedDeclaration
from poolwise.experiment import Experiment, Navigation
from poolwise.process import LauncherError
from poolwise.trial import LoadServerError
from scripts.site.page import hooks
from scripts.site.page.hooks import fill_navigation, join_modules, on_nav
from scripts.site.settings import BadSetting
from tests.factories import make_experiment


def place(name: str, number: int | None) -> Experiment:
    title = {"en": name.title(), "ru": name.upper()}
    entry = Navigation(title=title, place=number) if number else None
    return structs.replace(make_experiment(), name=name, navigation=entry)


def test_pages_stand_in_the_order_of_their_places_with_the_titles_of_the_language() -> None:
    nav = [{"Home": "index.md"}, {"Try": []}, {"More": [{"Last": "last.md"}]}]
    experiments = [place("last", None), place("b", 20), place("a", 30), place("c", 10)]
    assert fill_navigation(nav, experiments, "ru") == [
        {"Home": "index.md"},
        {"Try": [{"C": "c.md"}, {"B": "b.md"}, {"A": "a.md"}]},
        {"More": [{"Last": "last.md"}]},
    ]


def test_pages_of_sections_follow_each_other_below_their_home() -> None:
    names = ("lab.md", "lab/b.md", "lab/a.md", "theory/gil.md")
    pages = {name: SimpleNamespace(parent=None, next_page="x", title=None) for name in names}
    files: Any = SimpleNamespace(
        src_uris={name: SimpleNamespace(page=page) for name, page in pages.items()}
    )
    home, first, second, other = pages.values()
    config: Any = SimpleNamespace(extra={"titles": dict.fromkeys(names, "Title")})
    on_nav(SimpleNamespace(pages=[home, other]), config, files)  # type: ignore[arg-type]
    assert (first.parent, first.previous_page, first.next_page) == (home, home, second)
    assert (second.parent, second.previous_page, second.title) == (home, first, "Title")
    assert (home.parent, home.next_page, other.parent) == (None, "x", None)


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


def test_modules_are_one_script_in_which_each_stands_behind_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { two } from "./b.js";\nexport const a = two();\n')
    (tmp_path / "b.js").write_text("export function two() { return 2; }\n")
    script = join_modules(tmp_path)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert script.index("return { two };") < script.index("const { two } = $b;")


@pytest.mark.parametrize(
    "problem", [BadSetting, MalformedDeclaration, LoadServerError, LauncherError, OSError]
)
def test_what_keeps_a_build_from_writing_its_pages_ends_it_with_its_reason(
    problem: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(config: object) -> None:
        raise problem("why it cannot be")

    monkeypatch.setattr(hooks, "publish_config", fail)
    with pytest.raises(PluginError, match="why it cannot be"):
        hooks.on_config({})  # type: ignore[arg-type]


def test_links_may_lead_to_what_fences_print() -> None:
    file = SimpleNamespace(src_uri="a.md")
    page: Any = SimpleNamespace(file=file, present_anchor_ids={"top"})
    html = '<p id="told">1</p>'
    config: Any = SimpleNamespace(extra={"titles": {}})
    assert hooks.on_page_content(html, page=page, config=config) == html
    assert page.present_anchor_ids == {"top", "told"}
