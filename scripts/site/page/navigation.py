"""Navigation: the section of the experiments, as these declare themselves, and pages below others."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from scripts.harness.experiment import Experiment


def fill_navigation(
    nav: Sequence[Any], experiments: Iterable[Experiment], language: str
) -> list[Any]:
    """Give MkDocs' ``nav`` with the pages of the experiments in the section that it leaves empty."""
    placed = [(one.navigation, one.name) for one in experiments if one.navigation]
    pages = [
        {entry.title[language]: f"{name}.md"}
        for entry, name in sorted(placed, key=lambda one: one[0].place)
    ]
    return [_fill(item, pages) for item in nav]


def adopt(nav: Navigation, titles: Mapping[str, str], files: Files) -> None:
    """Put each page that the navigation leaves out below its home: ``sleep/code.md`` below ``sleep.md``.

    The home is marked while it is read. Readers turn the leaves: each page leads to the next, in the
    order of ``titles``, which also names those that a preview has not read.
    """
    before: dict[str, Page] = {}
    known = {id(page) for page in nav.pages}
    for name, title in titles.items():
        home_name = f"{name.rpartition('/')[0]}.md"
        file, home_file = files.src_uris.get(name), files.src_uris.get(home_name)
        if not (file and file.page and home_file and home_file.page) or id(file.page) in known:
            continue
        page = file.page
        page.title = title
        page.parent = home_file.page  # type: ignore[assignment]
        page.previous_page = before.get(home_name, home_file.page)
        if home_name in before:
            before[home_name].next_page = page
        before[home_name] = page


def _fill(item: Any, pages: list[dict[str, str]]) -> Any:  # noqa: ANN401 - a page or a section
    match item:
        case dict() if list(item.values()) == [[]]:
            return dict.fromkeys(item, pages)
        case _:
            return item
