"""Navigation: the section of the experiments, as these declare themselves."""

from collections.abc import Iterable, Sequence
from typing import Any

from scripts.harness.experiment import Experiment


def fill_navigation(
    nav: Sequence[Any], experiments: Iterable[Experiment], language: str
) -> list[Any]:
    """MkDocs' ``nav`` with the pages of the experiments in the section that it leaves empty."""
    placed = [(one.navigation, one.name) for one in experiments if one.navigation]
    pages = [
        {entry.title[language]: f"{name}.md"}
        for entry, name in sorted(placed, key=lambda one: one[0].place)
    ]
    return [_fill(item, pages) for item in nav]


def _fill(item: Any, pages: list[dict[str, str]]) -> Any:  # noqa: ANN401 - a page or a section
    match item:
        case dict() if list(item.values()) == [[]]:
            return dict.fromkeys(item, pages)
        case _:
            return item
