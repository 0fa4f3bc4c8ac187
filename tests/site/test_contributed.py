"""What strangers send is taken whole or refused with reasons; of our own what is private is hidden."""

import json
import os
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from making import (
    NOW,
    make_interpreter,
    make_machine,
    make_record,
    make_variant,
    read_undigested,
    replace,
)
from poolwise.declaration import Reason
from poolwise.machine import Machine, make_machine_id
from poolwise.record import Record, Results
from poolwise.store import (
    LARGEST_BYTES,
    LONGEST_FAULT,
    DamagedRecords,
    locate,
    locate_contributed,
    read_results,
    write_results,
)
from scripts.site import contributed
from scripts.site.contributed import (
    MOST_LISTED,
    Merged,
    merge_folders,
    run_contribute,
    run_merge,
    strip,
)
from scripts.site.declare.declarations import Declarations
from scripts.site.settings import BadSetting
from scripts.site.study.snippets import FILE
from scripts.site.study.timeline import list_timelines, locate_timeline, write_timeline
from tests.factories import PLAIN, POOL, hide_time, make_experiment, make_timeline
from tests.site.study.test_machines import Shelf

EXPERIMENTS = {"lab": make_experiment()}
PYTHON = "cpython-3.13.0"
HOSTILE = '<script>alert(1)</script>"; touch hacked; $(touch hacked) \n```python exec="on"'


@pytest.fixture(autouse=True)
def any_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Made-up machines are called as it suits a test."""
    declared = Declarations(experiments=EXPERIMENTS)
    monkeypatch.setattr(Machine, "has_own_id", True)
    monkeypatch.setattr(contributed, "load_declarations", lambda: declared)
    monkeypatch.setenv("RESULTS", str(tmp_path / "to"))


def write(folder: Path, machine: str = "box", *records: Record) -> Path:
    """Write a results file of a machine, in ``folder/records-<machine>/<machine>``."""
    path = locate(folder / f"records-{machine}", machine, PYTHON)
    records = records or (make_record(make_variant(machine=machine)),)
    build, described = make_interpreter(), make_machine(id=machine)
    write_results(path, Results(machine=described, interpreter=build, records=records))
    return path


def take(folder: Path, measured: str = "", results: str = "to") -> Merged:
    """Merge what is in ``from``, and what jobs have measured, into ``to``."""
    folders = [folder / measured] if measured else []
    return merge_folders(folders, [folder / "from"], folder / results, EXPERIMENTS)


def sent(folder: Path) -> Path:
    """Where contributed records are, of those in its ``to``."""
    return locate_contributed(folder / "to")


def read(folder: Path, machine: str = "box") -> Results:
    results = read_results(locate(folder, machine, PYTHON))
    assert results
    return results


def test_files_at_any_depth_are_put_where_their_content_belongs_if_their_machine_is_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write(tmp_path / "from", "first")
    write(tmp_path / "from", "two").rename(tmp_path / "from" / "sent.json")
    merged = take(tmp_path)
    assert (merged.contributed, merged.refused) == ({"first": 1, "two": 1}, {})
    assert locate(sent(tmp_path), "first", PYTHON).read_bytes() == first.read_bytes()
    assert read(sent(tmp_path), "two").machine.id == "two"
    monkeypatch.setattr(Machine, "has_own_id", False)
    reasons = take(tmp_path, results="elsewhere").refused[first]
    assert reasons[0] == "the machine first is not what it says of itself"


def test_parts_of_one_column_add_up_and_of_a_cell_the_later_measured_stays(tmp_path: Path) -> None:
    early = make_record()
    late = replace(make_record(walls=[3.0, 3.1]), measured_at=NOW + timedelta(hours=1))
    first, second = (replace(it, variant=make_variant(tasks=40)) for it in (early, late))
    other = make_record(make_variant(tasks=50))
    write(tmp_path / "from" / "a", "box", late, first, other)
    write(tmp_path / "from" / "b", "box", early, second)
    take(tmp_path)
    walls_s = {record.tasks: record.wall_s for record in read(sent(tmp_path)).records}
    assert walls_s == {30: late.wall_s, 40: late.wall_s, 50: other.wall_s}


def test_what_others_say_of_a_machine_never_stands_for_what_the_build_measured(
    tmp_path: Path,
) -> None:
    gone = make_record(make_variant(program="99-gone"))  # as a build of another commit may have
    write(tmp_path / "measured", "box", make_record(), gone)
    forged = replace(make_record(walls=[99.5, 99.4]), measured_at=NOW + timedelta(days=1))
    write(tmp_path / "from", "box", forged)
    write(tmp_path / "from", "another")
    refused = write(tmp_path / "from", "third", gone)
    merged = take(tmp_path, measured="measured")
    assert read(tmp_path / "to").records[0].wall_s == make_record().wall_s
    assert [record.wall_s for record in read(sent(tmp_path)).records] == [forged.wall_s]
    assert not (tmp_path / "to" / "another").exists()
    assert list(merged.measured) == ["box"]
    assert list(merged.refused) == [refused]


def test_gains_that_no_measured_machine_comes_near_are_named_in_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(machine: str, pool_s: float, **changes: Any) -> list[Record]:
        records = []
        for program, seconds in ((PLAIN, 2.0), (POOL, pool_s)):
            variant = make_variant(machine=machine, program=program, **changes)
            records.append(hide_time(make_record(variant, [seconds] * 5)))
        return records

    write(tmp_path / "measured", "ours", *make("ours", 1.9))
    write(tmp_path / "from", "alike", *make("alike", 1.0))
    write(tmp_path / "from", "forged", *make("forged", 0.5), *make("forged", 0.5, cores=2))
    monkeypatch.setenv("MEASURED", str(tmp_path / "measured"))
    assert run_merge([str(tmp_path / "from")]) == 0
    lines = capsys.readouterr().out
    differ = "gains over the baseline differ by more than ×3 from those on every measured machine"
    assert f"alike: 0 of 1 {differ}" in lines
    assert f"forged: 1 of 1 {differ}" in lines
    assert f"lab/{POOL} (30 tasks, 1 cores), {PYTHON}: ×4, elsewhere ×1.05" in lines


def change(path: Path, part: str = "row", **values: Any) -> None:
    file = read_undigested(path)
    changed = file["rows"][0] if part == "row" else file[part]
    changed |= values
    path.write_text(json.dumps(file))


WRONG: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: change(path, experiment=HOSTILE), "experiment"),
    (lambda path: change(path, program="../../../etc/passwd"), "program"),
    (lambda path: change(path, "machine", id="../../outside"), "machine"),
    (lambda path: change(path, "machine", cpu_model=HOSTILE), "cannot be seen"),
    (lambda path: change(path, wall_s=[0.2] * 5, inside_s=[0.1] * 5), "has to wait for 0.5 s"),
    (lambda path: change(path, inside_s=[0.0] * 5), "inside_s is zero"),
    (lambda path: change(path, user_s=[0] * 5, system_s=[0] * 5), "cpu_s is zero"),
    (lambda path: change(path, experiment="elsewhere"), "no experiment 'elsewhere'"),
    (lambda path: change(path, readings={"forged": [1.0] * 5}), "no reading forged is declared"),
    (lambda path: change(path, wall_s=[0.0002] * 5, inside_s=[0.0001] * 5), "wall_s"),
    (lambda path: path.write_text(path.read_text().replace('"seed":7', '"seed":6')), "digest"),
    (lambda path: path.write_text('{"schema": 3}'), "schema"),
    (lambda path: path.write_text('{"rows": ' + "[" * 100_000), "ecursion|JSON|truncated|Expected"),
    (lambda path: os.truncate(path, 1 << 30), f"larger than {LARGEST_BYTES >> 20} MiB"),
    (lambda path: (path.unlink(), path.symlink_to("/etc/passwd")), "symbolic link"),
    (lambda path: path.rename(path.with_suffix(".zip")), "unpacked first"),
]


@pytest.mark.parametrize(("spoil", "reason"), WRONG, ids=[reason for _, reason in WRONG])
def test_what_cannot_be_is_refused_with_its_reason_and_nothing_of_it_is_kept(
    spoil: Callable[[Path], object], reason: str, tmp_path: Path
) -> None:
    spoil(write(tmp_path / "from"))
    write(tmp_path / "from", "fine")
    ((_, (first, *_)),) = take(tmp_path).refused.items()
    assert any(part in first for part in reason.split("|")), first
    assert first.isprintable()
    assert len(first) <= LONGEST_FAULT
    assert [path.name for path in sent(tmp_path).iterdir()] == ["fine"]
    assert list(tmp_path.rglob("hacked")) == []


def test_a_summary_tells_reasons_in_which_nothing_means_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "from")
    change(path, program="![x](http://evil.example/)<b>")
    path.rename(path.with_name("##[add-path]<img src=x>`$(touch hacked)`.json"))
    write(tmp_path / "from", "second").rename(tmp_path / "from" / "::error::no.json")
    change(tmp_path / "from" / "::error::no.json", cores=64)
    fine = write(tmp_path / "from", "fine").parents[1]
    fine.rename(fine.with_name("records-ubuntu-24.04-3.13-rest"))
    many = (make_variant(machine="many", tasks=tasks) for tasks in range(1, MOST_LISTED + 5))
    write(tmp_path / "from", "many", *(make_record(variant, [0.2]) for variant in many))
    records = [make_record(make_variant(machine="other", cores=cores)) for cores in (1, 2)]
    write(tmp_path / "contributed", "other", *records)
    again = write(tmp_path / "contributed", "fine")
    again.rename(again.with_name("\n::add-mask::0\n.json"))
    summary, output = tmp_path / "summary", tmp_path / "output"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    monkeypatch.setenv("MEASURED", str(tmp_path / "from"))
    monkeypatch.setenv("HOME_COLUMN", "ubuntu-24.04-3.13")
    assert run_merge([str(tmp_path / "contributed")]) == 1
    printed = capsys.readouterr().err
    assert "##[" not in printed
    assert not any(line.strip().startswith("::") for line in printed.splitlines())
    heading, *lines = filter(None, summary.read_text().splitlines())
    assert heading == "## Records"
    assert all(line.startswith("    ") for line in lines)
    assert any("Refused" in line for line in lines)
    assert any("and 4 more" in line for line in lines)
    assert output.read_text() == f"machine=fine/{PYTHON}\n"


@pytest.mark.parametrize(("measured", "reason"), [("to", "itself"), ("", "FROM")])
def test_settings_that_make_no_sense_are_refused(
    measured: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEASURED", measured and str(tmp_path / measured))
    with pytest.raises(BadSetting, match=reason):
        run_merge([])


def test_timelines_of_this_build_are_taken_but_damaged_ones_and_what_is_not_of_records(
    tmp_path: Path,
) -> None:
    theirs = write(tmp_path / "from", "box").parents[1]
    write_timeline(theirs, make_timeline(machine="box", program="theirs"))
    place = write(tmp_path / "measured", "box").parents[1]
    for machine, program in (("box", "good"), ("box", "bad"), ("stranger", "good")):
        write_timeline(place, make_timeline(machine=machine, program=program))
    bad = locate_timeline(place, "box", "lab", "bad")
    bad.write_text(bad.read_text().replace('"bad"', '"../bad"'))
    for folder in (theirs, place):
        (folder / FILE).write_text("[]", encoding="utf-8")
    assert list(take(tmp_path, measured="measured").refused) == [bad]
    assert [path.name for path in list_timelines(tmp_path / "to")] == ["lab-good.json"]
    assert list_timelines(sent(tmp_path)) == []
    assert list((tmp_path / "to").rglob(FILE)) == []


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.undo()  # its machines are called as what they are
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
    shelf.put("ark", profiles=("smoke",))
    assert run_contribute() == 1
    shelf.put("ark")
    path = locate(shelf.results, "ark", PYTHON)
    (path.parent / "cpython-3.13.0.damaged-20260101T000000Z.json").write_text("jane")
    shelf.put("ark", interpreter="cpython-3.14.0", profiles=("smoke",))
    assert run_contribute() == 0
    printed = capsys.readouterr().out
    assert read_results(locate_contributed(contributed.RESULTS) / "ark" / path.name) is not None
    commands = [line.split() for line in printed.splitlines() if line.startswith("  git")]
    assert [words[:2] for words in commands] == [
        *(["git", "switch"], ["git", "add"], ["git", "push"])
    ]
    assert commands[1][3:5] == ["sent/contributed/ark/cpython-3.13.0.json", "&&"]


def test_a_machine_whose_name_is_made_of_what_is_private_gets_another(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = shelf.put("ark")
    machine = replace(results.machine, hypervisor=None, container="jane-laptop")
    machine = replace(machine, id=make_machine_id(machine))
    records = [
        replace(record, variant=replace(record.variant, machine=machine.id))
        for record in results.records
    ]
    path = locate(shelf.results, machine.id, results.interpreter.id)
    write_results(path, replace(results, machine=machine, records=tuple(records)))
    monkeypatch.setenv("MACHINE", machine.id)
    assert "jane" in machine.id
    assert run_contribute() == 0
    paths = [path for path in contributed.RESULTS.rglob("*") if path.is_file()]
    assert {path.suffix for path in paths} == {".json"}
    for written in paths:
        assert "jane" not in str(written.relative_to(contributed.RESULTS)) + written.read_text()
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
    ("text", "hidden"),
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
def test_each_kind_of_private_text_is_taken_out(text: str, hidden: str) -> None:
    record = replace(
        make_record(printed=text),
        stderr=text,
        reason=Reason("did-not-say", {"says": text}),
        packages={"a": text},
    )
    results = Results(
        machine=make_machine(hypervisor=text, container=text),
        interpreter=make_interpreter(build=text, compiler=text),
        records=(record,),
    )
    stripped = strip(results, ["jane", "jane-laptop", "Иван"])
    (record,) = stripped.records
    assert record.printed == record.stderr == hidden
    assert record.reason == Reason("did-not-say", {"says": hidden})
    assert record.packages == {"a": hidden}
    assert stripped.interpreter.build == stripped.interpreter.compiler == hidden
    assert stripped.machine.hypervisor == stripped.machine.container == hidden
