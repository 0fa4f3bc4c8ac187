"""A maintainer is told which claims, verdicts and gains a contribution changes, and nothing else."""

from pathlib import Path

import pytest

from scripts.harness.machine import Machine
from scripts.site.contributed import merge
from scripts.site.contributed.changes import View, take_view, tell_changes
from scripts.site.declare.declarations import Declarations
from tests.site.study.test_machines import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


@pytest.fixture(autouse=True)
def any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up machines are called as it suits a test."""
    monkeypatch.setattr(Machine, "has_own_id", True)


def look(shelf: Shelf) -> View:
    return take_view(shelf.results, Declarations(experiments=shelf.experiments))


def test_the_same_records_change_nothing(shelf: Shelf) -> None:
    shelf.put("ark")
    assert list(tell_changes(look(shelf), look(shelf))) == []


def test_what_a_machine_said_before_is_told_beside_what_it_says_now() -> None:
    before, after = View(), View()
    before.claims["ark"] |= {"same": "confirmed", "turned": "confirmed"}
    after.claims["ark"] |= {"same": "confirmed", "turned": "refuted"}
    before.verdicts["ark"] |= {"lab/one": "recommended", "lab/two": "no gain"}
    after.verdicts["ark"] |= {"lab/one": None, "lab/two": "no gain", "lab/new": "worse"}
    assert list(tell_changes(before, after)) == [
        "Claims that end otherwise: 1",
        "  - turned on ark: confirmed → refuted",
        "Verdicts that change: 1",
        "  - lab/one on ark: recommended → open",
    ]


def test_a_new_machine_is_held_against_the_others() -> None:
    before, after = View(), View()
    before.claims["ark"] |= {"here": "confirmed", "open": "undecided"}
    after.claims |= before.claims
    after.claims["zoo"] |= {"here": "refuted", "open": "refuted", "new": "confirmed"}
    assert list(tell_changes(before, after)) == [
        "Claims that end otherwise: 1",
        "  - here on zoo: refuted; elsewhere confirmed",
    ]


def test_the_farthest_gains_come_first_and_known_ones_not_at_all() -> None:
    before, after = View(), View()
    for number in range(7):
        before.gains[f"cell {number}"] |= {"ark": 1.0}
        after.gains[f"cell {number}"] |= {"ark": 1.0, "zoo": 1.0 + number}
    title, *lines = tell_changes(before, after)
    assert title == "Farthest from other machines:"
    assert len(lines) == 5
    assert lines[0] == "  - cell 6: 7.00 times its baseline on zoo, 1.00 elsewhere"


def test_a_merge_of_contributions_tells_what_they_change(
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
