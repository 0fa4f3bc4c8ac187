"""The navigation has the experiments' pages where the configuration leaves a section empty."""

from types import SimpleNamespace
from typing import Any

from msgspec import structs

from scripts.harness.experiment import Experiment, Navigation
from scripts.site.page.language import adopt, fill_navigation
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
    adopt(SimpleNamespace(pages=[home, other]), dict.fromkeys(names, "Title"), files)  # type: ignore[arg-type]
    assert (first.parent, first.previous_page, first.next_page) == (home, home, second)
    assert (second.parent, second.previous_page, second.title) == (home, first, "Title")
    assert (home.parent, home.next_page, other.parent) == (None, "x", None)
