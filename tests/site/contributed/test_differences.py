"""A maintainer is told where a contributed machine disagrees with the others, and nothing else."""

from pathlib import Path

import pytest

from scripts.harness.machine import Machine
from scripts.site.contributed import merge
from scripts.site.contributed.differences import View, tell_differences
from scripts.site.declare.declarations import Declarations
from tests.site.study.test_machines import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


@pytest.fixture(autouse=True)
def any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up machines are called as it suits a test."""
    monkeypatch.setattr(Machine, "has_own_id", True)


def test_a_new_machine_is_held_against_what_most_others_say() -> None:
    view = View()
    view.claims["ark"] |= {"here": "confirmed", "open": "open"}
    view.claims["zoo"] |= {"here": "refuted", "open": "refuted", "new": "confirmed"}
    assert list(tell_differences(view, {"zoo"})) == [
        "Claims that are decided otherwise elsewhere: 1",
        "  - here on zoo: refuted; elsewhere confirmed",
    ]


def test_the_farthest_gains_come_first() -> None:
    view = View()
    for number in range(7):
        view.gains[f"cell {number}"] |= {"ark": 1.0, "zoo": 1.0 + number}
    title, *lines = tell_differences(view, {"zoo"})
    assert title == "Farthest from other machines:"
    assert len(lines) == 5
    assert lines[0] == "  - cell 6: 7.00 times its baseline on zoo, 1.00 elsewhere"


def test_what_is_not_new_is_not_told() -> None:
    view = View()
    view.gains["cell"] |= {"ark": 1.0, "zoo": 2.0}
    view.claims["ark"]["a"], view.claims["zoo"]["a"] = "confirmed", "refuted"
    assert list(tell_differences(view, {"new"})) == []


def test_a_merge_of_contributions_tells_where_they_differ(
    shelf: Shelf,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shelf.put("ark")
    sent = shelf.put("zoo", walls=(4.0, 4.1, 3.9, 4.05, 4.2))
    sent.parent.rename(tmp_path / "sent")
    monkeypatch.setenv("RESULTS", str(shelf.results))
    declared = Declarations(experiments=shelf.experiments)
    monkeypatch.setattr(merge, "load_declarations", lambda: declared)
    assert merge.run_merge([str(tmp_path / "sent")]) == 0
    assert "Farthest from other machines:" in capsys.readouterr().out
