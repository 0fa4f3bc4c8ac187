"""Contributing checks the records, tells what pages would say, hides what is private, sends nothing."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.machine import make_id
from scripts.harness.record import Trial
from scripts.harness.store import (
    DamagedRecords,
    Results,
    locate,
    locate_contributed,
    read_results,
    write_results,
)
from scripts.harness.timeline import list_timelines, write_timeline
from scripts.site import contribute
from scripts.site.contribute import list_names, round_trace, run_contribute, strip, tell_kept
from scripts.site.declare.declarations import Declarations
from scripts.site.settings import BadSetting
from tests.factories import make_interpreter, make_machine, make_record, make_timeline
from tests.site.test_machines import Shelf

PRIVATE = (
    "/home/jane/work failed on jane-laptop for jane, mail jane@example.org, 192.168.7.4,"
    " 52:54:00:12:34:56, 4c4c4544-0042-3510-8052-b4c04f384d32"
)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    shelf = Shelf(tmp_path)
    declared = Declarations(experiments=shelf.experiments)
    monkeypatch.setattr(contribute, "load_declarations", lambda: declared)
    monkeypatch.setattr(contribute, "RESULTS", tmp_path / "sent")
    monkeypatch.setattr(contribute, "list_names", lambda: ["jane", "jane-laptop"])
    monkeypatch.setenv("RESULTS", str(shelf.results))
    monkeypatch.setenv("MACHINE", "ark")
    return shelf


def test_records_are_written_where_git_takes_them_and_the_commands_are_named(
    shelf: Shelf, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)  # whoever sends anything starts something
    path = shelf.put("ark")
    assert run_contribute() == 0
    told = capsys.readouterr().out
    assert read_results(locate_contributed(contribute.RESULTS) / "ark" / path.name) is not None
    commands = [line.split()[:2] for line in told.splitlines() if line.startswith("  git")]
    assert commands == [["git", "switch"], ["git", "add"], ["git", "push"]]
    assert "Nothing has been sent" in told
    assert "lab, Waiting (1 core, Python 3.13): one" in told.replace("\N{NO-BREAK SPACE}", " ")


def test_what_is_private_is_hidden_wherever_it_is_written() -> None:
    record = replace(
        make_record(printed=PRIVATE),
        stderr=PRIVATE,
        status="failed",
        reason=Reason("did-not-say", {"says": PRIVATE}),
    )
    results = Results(
        machine=make_machine(kernel="6.1.0-jane-laptop"),
        interpreter=make_interpreter(),
        records=(record,),
    )
    stripped, count = strip(results, ["jane", "jane-laptop"])
    told = repr(stripped)
    for word in ("jane", "192.168", "52:54", "4c4c4544"):
        assert word not in told
    assert count > 0
    assert "<home>/work failed on <name>" in stripped.records[0].printed


@pytest.mark.parametrize(
    ("told", "hidden"),
    [
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
    ],
)
def test_each_kind_of_private_text_is_taken_out(told: str, hidden: str) -> None:
    results = Results(
        machine=make_machine(hypervisor=told, container=told),
        interpreter=make_interpreter(build=told, compiler=told),
        records=(replace(make_record(printed=told), packages={"a": told}),),
    )
    stripped, _ = strip(results, ["jane", "Иван"])
    (record,) = stripped.records
    assert record.printed == hidden
    assert record.packages == {"a": hidden}
    assert stripped.interpreter.build == stripped.interpreter.compiler == hidden
    assert stripped.machine.hypervisor == stripped.machine.container == hidden


def test_what_tells_of_nobody_is_left_as_it_is() -> None:
    plain = "127.0.0.1:8000 served 12 requests of root in 0.5 s, version 3.13.0"
    results = Results(
        machine=make_machine(),
        interpreter=make_interpreter(),
        records=(make_record(printed=plain),),
    )
    stripped, count = strip(results, [])
    assert (stripped.records[0].printed, count) == (plain, 0)


def test_names_that_everybody_has_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contribute.getpass, "getuser", lambda: "root")
    monkeypatch.setattr(contribute.socket, "gethostname", lambda: "jane-laptop.home")
    assert list_names() == ["jane-laptop", "jane-laptop.home"]

    def fail() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(contribute.getpass, "getuser", fail)
    monkeypatch.setattr(contribute.socket, "gethostname", lambda: "localhost")
    assert list_names() == []


def test_smoke_is_not_worth_sending(shelf: Shelf, capsys: pytest.CaptureFixture[str]) -> None:
    shelf.put("ark", profiles=("smoke",))
    assert run_contribute() == 1
    assert "make measure PROFILE=full" in capsys.readouterr().err
    assert not contribute.RESULTS.exists()


def test_of_several_profiles_all_but_smoke_are_sent(shelf: Shelf) -> None:
    path = shelf.put("ark", profiles=("smoke", "quick", "full"))
    assert run_contribute() == 0
    sent = read_results(locate_contributed(contribute.RESULTS) / "ark" / path.name)
    assert sent
    assert {record.profile for record in sent.records} == {"quick", "full"}


def test_git_is_given_what_was_cleared_and_nothing_else(
    shelf: Shelf, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contribute, "RESULTS", shelf.results)
    path = shelf.put("ark")
    (path.parent / "cpython-3.13.0.damaged-20260101T000000Z.json").write_text(PRIVATE)
    shelf.put("ark", interpreter="cpython-3.14.0", profiles=("smoke",))
    write_timeline(shelf.results, make_timeline(machine="ark"))
    assert run_contribute() == 0
    (added,) = (line for line in capsys.readouterr().out.splitlines() if "git add" in line)
    assert added.partition(" && ")[0].split()[3:] == [
        "results/contributed/ark/cpython-3.13.0.json",
        "results/contributed/ark/timelines/*.json",
    ]


def test_only_timelines_of_records_that_are_sent_are_sent(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf.put("ark")
    write_timeline(shelf.results, make_timeline(machine="ark", program="sent"))
    write_timeline(shelf.results, make_timeline(machine="ark", program="smoke", profile="smoke"))
    write_timeline(shelf.results, make_timeline(machine="ark", experiment="other"))
    assert run_contribute() == 0
    assert [path.name for path in list_timelines(locate_contributed(contribute.RESULTS))] == [
        "lab-sent.json"
    ]
    assert "contributed/ark/timelines/lab-sent.json &&" in capsys.readouterr().out


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
    write_timeline(shelf.results, make_timeline(machine=machine.id))
    monkeypatch.setenv("MACHINE", machine.id)
    assert "jane" in machine.id
    assert run_contribute() == 0
    sent = [one for one in contribute.RESULTS.rglob("*") if one.is_file()]
    assert {one.suffix for one in sent} == {".json"}
    assert not [one for one in sent if "jane" in str(one.relative_to(contribute.RESULTS))]
    assert not [one for one in sent if "jane" in one.read_text()]
    (folder,) = locate_contributed(contribute.RESULTS).iterdir()
    assert [one.name for one in list_timelines(folder.parent)]
    again = read_results(folder / path.name)
    assert again
    assert again.machine.has_own_id


def test_records_of_a_busy_machine_are_refused(shelf: Shelf) -> None:
    path = shelf.put("ark")
    found = read_results(path)
    assert found
    busy = [
        replace(
            one,
            timed=tuple(
                replace(each, values={**each.values, "others_share": 0.5}) for each in one.timed
            ),
        )
        for one in found.records
    ]
    write_results(path, replace(found, records=tuple(busy)))
    with pytest.raises(DamagedRecords, match="disturbed 10 of 10 timed trials"):
        run_contribute()
    assert not contribute.RESULTS.exists()


def test_a_timeline_that_cannot_be_is_told_before_anything_is_written(shelf: Shelf) -> None:
    shelf.put("ark")
    write_timeline(shelf.results, make_timeline(machine="ark", wall_us=0))
    with pytest.raises(DamagedRecords, match="it took no time"):
        run_contribute()
    assert not contribute.RESULTS.exists()


def test_without_records_the_next_step_is_named(shelf: Shelf) -> None:
    with pytest.raises(BadSetting, match=r"no records of ark.*make measure"):
        run_contribute()


def test_what_cannot_be_true_is_told_and_nothing_is_written(shelf: Shelf) -> None:
    shelf.put("ark", walls=[0.3] * 5)  # its programs wait for half a second
    with pytest.raises(DamagedRecords, match=r"has to wait for 0\.5 s"):
        run_contribute()
    assert not contribute.RESULTS.exists()


def test_a_trace_is_sent_no_finer_than_it_is_known() -> None:
    trial = Trial(status="ok", trace=((0.123456789, 5, 0.98765432), (0.2, 6, None)))
    assert round_trace(trial).trace == ((0.1235, 5, 0.9877), (0.2, 6, None))


def test_what_measuring_has_left_is_counted_and_the_next_step_named(shelf: Shelf) -> None:
    shelf.put("ark")
    shelf.put("ark", interpreter="cpython-3.14.0")
    shelf.put("zoo")
    told = tell_kept(shelf.results, "ark")
    assert "ark/ has 4 records (files: 2" in told
    assert "make contribute" in told
