"""The picture of the rooms is made of the imports and is up to date."""

from pathlib import Path

import pytest

from scripts.harness.paths import ROOT
from scripts.site.architecture import ARCHITECTURE, draw_architecture, split_page

HOUSE = {
    "__init__.py": "",
    "__main__.py": "import house.show",
    "ground/__init__.py": '"""Where ``all``\nstand.\n\nMore of it."""',
    "ground/floor.py": "import house.ground.wall",
    "ground/wall.py": "",
    "middle.py": '"""Between."""\nimport house.ground.floor',
    "show.py": "import house.middle\nimport house.ground.wall",
}


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of four rooms, in which ``show`` imports what ``middle`` imports as well."""
    for name, text in HOUSE.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path / "house"


def test_arrows_follow_the_imports_and_none_says_what_a_chain_of_others_does(house: Path) -> None:
    arrows = [line.strip() for line in draw_architecture(house).splitlines() if "-->" in line]
    assert arrows == ["show --> __main__", "ground --> middle", "middle --> show"]


def test_the_table_has_the_first_paragraph_of_what_each_room_says_of_itself(house: Path) -> None:
    _, _, table = draw_architecture(house).partition("|---|---|\n")
    assert table.strip().splitlines() == [
        "| `__main__` |  |",
        "| `ground` | Where `all` stand. |",
        "| `middle` | Between. |",
        "| `show` |  |",
    ]


def test_what_the_page_shows_is_what_the_imports_give() -> None:
    _, made, _ = split_page(ARCHITECTURE.read_text(encoding="utf-8"))
    assert made == draw_architecture(ROOT / "scripts"), "run `make architecture`"


def test_marks_and_words_around_what_is_made_stay() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    assert "".join(split_page(text)) == text
