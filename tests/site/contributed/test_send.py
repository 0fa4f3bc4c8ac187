"""Contributing checks the records, tells what pages would say, hides what is private, sends nothing."""

import subprocess
from pathlib import Path

import pytest

from scripts.harness.machine import make_id
from scripts.harness.store import (
    DamagedRecords,
    locate,
    locate_contributed,
    read_results,
    write_results,
)
from scripts.site.contributed import send
from scripts.site.contributed.send import run_contribute
from scripts.site.declare.declarations import Declarations
from tests.factories import replace
from tests.site.study.test_machines import Shelf


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    shelf = Shelf(tmp_path)
    declared = Declarations(experiments=shelf.experiments)
    monkeypatch.setattr(send, "load_declarations", lambda: declared)
    monkeypatch.setattr(send, "RESULTS", tmp_path / "sent")
    monkeypatch.setattr(send, "list_names", lambda: ["jane", "jane-laptop"])
    monkeypatch.setenv("RESULTS", str(shelf.results))
    monkeypatch.setenv("MACHINE", "ark")
    return shelf


def test_records_are_written_where_git_takes_them_and_the_commands_are_named(
    shelf: Shelf, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)  # whoever sends anything starts something
    path = shelf.put("ark")
    (path.parent / "cpython-3.13.0.damaged-20260101T000000Z.json").write_text("jane")
    shelf.put("ark", interpreter="cpython-3.14.0", profiles=("smoke",))
    assert run_contribute() == 0
    told = capsys.readouterr().out
    assert read_results(locate_contributed(send.RESULTS) / "ark" / path.name) is not None
    (added,) = (line for line in told.splitlines() if "git add" in line)
    assert added.partition(" && ")[0].split()[3:] == ["sent/contributed/ark/cpython-3.13.0.json"]
    commands = [line.split()[:2] for line in told.splitlines() if line.startswith("  git")]
    assert commands == [["git", "switch"], ["git", "add"], ["git", "push"]]
    assert "Nothing has been sent" in told
    assert "Claims: 0 confirmed" in told


def test_a_machine_whose_name_is_made_of_what_is_private_gets_another(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read_results(shelf.put("ark"))
    assert found
    machine = replace(found.machine, hypervisor=None, container="jane-laptop")
    machine = replace(machine, id=make_id(machine))
    records = [
        replace(one, variant=replace(one.variant, machine=machine.id)) for one in found.records
    ]
    path = locate(shelf.results, machine.id, found.interpreter.id)
    write_results(path, replace(found, machine=machine, records=tuple(records)))
    monkeypatch.setenv("MACHINE", machine.id)
    assert "jane" in machine.id
    assert run_contribute() == 0
    sent = [one for one in send.RESULTS.rglob("*") if one.is_file()]
    assert {one.suffix for one in sent} == {".json"}
    assert not [one for one in sent if "jane" in str(one.relative_to(send.RESULTS))]
    assert not [one for one in sent if "jane" in one.read_text()]
    (folder,) = locate_contributed(send.RESULTS).iterdir()
    again = read_results(folder / path.name)
    assert again
    assert again.machine.has_own_id


def test_what_cannot_be_true_is_told_and_nothing_is_written(shelf: Shelf) -> None:
    shelf.put("ark", walls=[0.3] * 5)  # its programs wait for half a second
    with pytest.raises(DamagedRecords, match=r"has to wait for 0\.5 s"):
        run_contribute()
    assert not send.RESULTS.exists()
