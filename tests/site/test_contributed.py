"""Contributing checks the records, tells what pages would say, hides what is private, sends nothing."""

import subprocess
from pathlib import Path

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.machine import make_id
from scripts.harness.record import Results
from scripts.harness.store import (
    DamagedRecords,
    locate,
    locate_contributed,
    read_results,
    write_results,
)
from scripts.site import contributed
from scripts.site.contributed import run_contribute, strip
from scripts.site.declare.declarations import Declarations
from tests.factories import make_interpreter, make_machine, make_record, replace
from tests.site.study.test_machines import Shelf


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    shelf = Shelf(tmp_path)
    declared = Declarations(experiments=shelf.experiments)
    monkeypatch.setattr(contributed, "load_declarations", lambda: declared)
    monkeypatch.setattr(contributed, "RESULTS", tmp_path / "sent")
    monkeypatch.setattr(contributed, "list_names", lambda: ["jane", "jane-laptop"])
    monkeypatch.setenv("RESULTS", str(shelf.results))
    monkeypatch.setenv("MACHINE", "ark")
    return shelf


def test_records_are_written_where_git_takes_them_and_the_commands_are_named(
    shelf: Shelf, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)  # whoever sends anything starts something
    shelf.put("ark")
    path = locate(shelf.results, "ark", "cpython-3.13.0")
    (path.parent / "cpython-3.13.0.damaged-20260101T000000Z.json").write_text("jane")
    shelf.put("ark", interpreter="cpython-3.14.0", profiles=("smoke",))
    assert run_contribute() == 0
    told = capsys.readouterr().out
    assert read_results(locate_contributed(contributed.RESULTS) / "ark" / path.name) is not None
    (added,) = (line for line in told.splitlines() if "git add" in line)
    assert added.partition(" && ")[0].split()[3:] == ["sent/contributed/ark/cpython-3.13.0.json"]
    commands = [line.split()[:2] for line in told.splitlines() if line.startswith("  git")]
    assert commands == [["git", "switch"], ["git", "add"], ["git", "push"]]
    assert "Nothing has been sent" in told
    assert "Claims: 0 confirmed" in told


def test_a_machine_whose_name_is_made_of_what_is_private_gets_another(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = shelf.put("ark")
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
    sent = [one for one in contributed.RESULTS.rglob("*") if one.is_file()]
    assert {one.suffix for one in sent} == {".json"}
    assert not [one for one in sent if "jane" in str(one.relative_to(contributed.RESULTS))]
    assert not [one for one in sent if "jane" in one.read_text()]
    (folder,) = locate_contributed(contributed.RESULTS).iterdir()
    again = read_results(folder / path.name)
    assert again
    assert again.machine.has_own_id


def test_what_cannot_be_true_is_told_and_nothing_is_written(shelf: Shelf) -> None:
    shelf.put("ark", walls=[0.3] * 5)  # its programs wait for half a second
    with pytest.raises(DamagedRecords, match=r"has to wait for 0\.5 s"):
        run_contribute()
    assert not contributed.RESULTS.exists()


@pytest.mark.parametrize(
    ("told", "hidden"),
    [
        ("/home/jane/work of jane-laptop", "<home>/work of <name>"),
        ("192.168.7.4, 52:54:00:12:34:56", "<address>, <hardware address>"),
        ("4c4c4544-0042-3510-8052-b4c04f384d32", "<serial>"),
        ("GCC 12.2.0 alice@build.acme.example", "GCC 12.2.0 <mail>"),
        ("heads/acme-secret-branch:1a2b", "heads/<branch>:1a2b"),
        ("heads/main:1a2b, heads/3.14:1a2b", "heads/main:1a2b, heads/3.14:1a2b"),
        ("from 2001:db8::17 or fe80::1%eth0", "from <address> or <address>%eth0"),
        ("at 12:34:56 on ::1", "at 12:34:56 on ::1"),
        ("JANE and Jane, not Janet", "<name> and <name>, not Janet"),
        (r"C:\Users\Bob Smith\work", r"<home>\work"),
        (r"C:\\Users\\Bob Smith\\work", r"<home>\\work"),
        ("ghp_" + "a1" * 18 + " AKIA" + "A1" * 8, "<secret> <secret>"),
        ("https://user:pw@example.org/x", "https://<secret>@example.org/x"),
        (r"/home/\u0418\u0432/x", "<home>/x"),
        (r"\u0418\u0432\u0430\u043d", "<name>"),
        ("python@3.13", "python@3.13"),
        ("127.0.0.1:8000 served root in 0.5 s", "127.0.0.1:8000 served root in 0.5 s"),
    ],
)
def test_each_kind_of_private_text_is_taken_out(told: str, hidden: str) -> None:
    record = make_record(printed=told)
    reason = Reason("did-not-say", {"says": told})
    results = Results(
        machine=make_machine(hypervisor=told, container=told),
        interpreter=make_interpreter(build=told, compiler=told),
        records=(replace(record, stderr=told, reason=reason, packages={"a": told}),),
    )
    stripped = strip(results, ["jane", "jane-laptop", "Иван"])
    (record,) = stripped.records
    assert record.printed == record.stderr == hidden
    assert record.reason == Reason("did-not-say", {"says": hidden})
    assert record.packages == {"a": hidden}
    assert stripped.interpreter.build == stripped.interpreter.compiler == hidden
    assert stripped.machine.hypervisor == stripped.machine.container == hidden
