"""A snippet is run once, by the Python whose numbers are shown; a record stands for one that is not here."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from making import make_interpreter
from poolwise.declaration import MalformedDeclaration, Reason
from poolwise.dependencies import Environment
from poolwise.pythons import Installation
from poolwise.store import DamagedRecords, RecordsError
from scripts.site.study import snippets
from scripts.site.study.snippets import (
    FILE,
    NEEDS,
    Failed,
    Needs,
    Outcome,
    Printed,
    collect_printed,
    name_python,
    rank_pythons,
    read_printed,
)

NEW = "3.14.7"  # the version whose numbers are shown
BUILDER = "3.13.0"
LEAVING = """\
import os, pathlib, sys
for folder in ("", os.path.dirname(__file__), "..", "../.."):
    (pathlib.Path(folder) / "left.txt").write_text("x")
pathlib.Path("answer.py").write_text("changed")
print(repr(__file__))
os.write(2, b"then\\n")
print(os.path.basename(os.getcwd()))
"""


class Lab:
    """A folder for one snippet, its results and what is shipped, and what notes its runs.

    Whichever Pythons are said to be here, the running one runs it.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.results, self.shipped = folder, folder / "results", folder / "shipped"
        self.runs = folder / "runs"
        self._missing: dict[str, dict[str, Reason]] = {}
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(snippets, "SNIPPETS", folder)
        monkeypatch.setattr(snippets, "RESULTS", self.shipped)
        monkeypatch.setattr(snippets, "prepare", self.prepare)
        self.need("")
        self.write("print(6 * 7)\n")
        self.have(BUILDER)

    def need(self, text: str) -> None:
        """Declare what the snippet needs."""
        (self.folder / NEEDS).write_text(f"[answer]\n{text}\n")

    def write(self, code: str) -> None:
        """Write a snippet, which leaves a line for each of its runs."""
        note = f"print(file=open({str(self.runs)!r}, 'a'))\n"
        (self.folder / "answer.py").write_text(note + code, encoding="utf-8")

    def have(self, *versions: str, **missing: Reason) -> None:
        """Let these Pythons be here, of which the first builds the pages, and the newest lack packages."""
        pythons = {}
        for version in versions:
            interpreter = make_interpreter(id=f"cpython-{version}", version=version)
            path = Path(sys.executable if version == versions[0] else "/usr/bin/env")
            pythons[interpreter.title] = Installation(interpreter=interpreter, path=path)
        self._missing = {NEW: missing}
        self._monkeypatch.setattr(snippets, "list_pythons", lambda: pythons)

    def prepare(self, installation: Installation, packages: dict[str, str]) -> Environment:
        missing = self._missing.get(installation.interpreter.version, {})
        assert packages.keys() >= missing.keys()
        running = replace(installation, path=Path(sys.executable))
        return Environment(installation=running, missing=missing)

    def collect(
        self, measured: str = NEW, results: Path | None = None, *, recorded: bool = False
    ) -> Outcome:
        """What the snippet printed for pages with the numbers of this Python."""
        interpreter = make_interpreter(id=f"cpython-{measured}", version=measured)
        return collect_printed(results or self.results, interpreter, recorded=recorded)["answer"]

    def record(self, measured: str = NEW, results: Path | None = None) -> Printed:
        """The record of what it printed."""
        outcome = self.collect(measured, results)
        assert isinstance(outcome, Printed)
        return outcome

    def hold(self, command: str) -> Path:
        """Declare a session about two programs, of which the second takes long; gives their folder."""
        (self.folder / NEEDS).write_text(f"[session]\ntool = '{command}'\n")
        (self.folder / "session").mkdir()
        (self.folder / "session" / "a.py").touch()
        (self.folder / "session" / "b.py").write_text("import time\ntime.sleep(0.5)\n")
        return self.folder / "session"

    def collect_all(self) -> dict[str, Outcome]:
        """What every snippet printed."""
        return collect_printed(self.results, make_interpreter(id=f"cpython-{NEW}", version=NEW))

    @property
    def times(self) -> int:
        return self.runs.read_text().count("\n") if self.runs.exists() else 0


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    return Lab(tmp_path, monkeypatch)


def test_a_preview_runs_what_has_changed_and_leaves_the_records_alone(
    lab: Lab, tmp_path: Path
) -> None:
    lab.record()
    records = (lab.results / FILE).read_bytes()
    lab.write("print('changed')\n")
    interpreter = make_interpreter(id=f"cpython-{NEW}", version=NEW)
    for _ in range(2):
        preview = collect_printed(lab.results, interpreter, recorded=True, kept=tmp_path / "kept")
        assert preview["answer"].text == "changed"  # type: ignore[union-attr]
    assert lab.times == 2
    assert (lab.results / FILE).read_bytes() == records


def test_what_it_printed_is_a_record_until_the_snippet_changes(lab: Lab) -> None:
    lab.write("import sys\nprint('ready', file=sys.stderr)\nprint(6 * 7)\n")
    before = datetime.now(UTC).replace(microsecond=0)
    first = lab.record()
    assert (first.text, first.python) == ("ready\n42", f"cpython {BUILDER}")
    assert before <= first.ran_at <= datetime.now(UTC)
    assert (lab.collect(), lab.times) == (first, 1)
    assert read_printed(lab.results) == (first,)
    lab.write("print('new')\n")
    second = lab.record()
    assert (second.text, lab.times) == ("new", 2)
    assert read_printed(lab.results) == (second,)


def test_it_runs_in_a_copy_of_its_folder_and_is_shown_as_if_it_did_not(lab: Lab) -> None:
    lab.write(LEAVING)
    before = {*lab.folder.rglob("*")}
    assert lab.record().text == "'./examples/snippets/answer.py'\nthen\nsnippets"
    left = {*lab.folder.rglob("*")} - before
    assert {path.name for path in left} == {"runs", "results", FILE, ".lock"}


def test_the_python_whose_numbers_are_shown_runs_it_though_another_has(lab: Lab) -> None:
    assert lab.record().python == f"cpython {BUILDER}"
    lab.have(BUILDER, "3.14.10", NEW)
    assert lab.record().python == f"cpython {NEW}"
    assert lab.times == 2
    pythons = [record.python for record in read_printed(lab.results)]
    assert pythons == [f"cpython {BUILDER}", f"cpython {NEW}"]


@pytest.mark.parametrize("is_shipped", [False, True])
def test_a_machine_without_that_python_shows_its_record_and_runs_nothing(
    lab: Lab, is_shipped: bool
) -> None:
    lab.have(BUILDER, NEW)
    record = lab.record(results=lab.shipped if is_shipped else lab.results)
    lab.have(BUILDER)
    assert (lab.collect(), lab.times) == (record, 1)
    lab.write("print('new')\n")
    assert lab.record().python == f"cpython {BUILDER}"
    if is_shipped:
        assert read_printed(lab.shipped) == (record,)


def test_a_record_of_another_source_is_not_shown_where_no_python_can_run_it(lab: Lab) -> None:
    lab.need('since = "3.15"')
    lab.have(BUILDER, "3.15.0rc1")
    lab.collect()
    lab.have(BUILDER)
    assert lab.record().python == "cpython 3.15.0rc1"
    lab.write("print('new')\n")
    assert lab.collect() == Reason("needs-python", {"since": "3.15"})


def test_where_a_record_will_do_nothing_is_run(lab: Lab) -> None:
    lab.collect(BUILDER)
    lab.have(NEW, BUILDER)
    outcome = lab.collect(recorded=True)
    assert isinstance(outcome, Printed)
    assert (outcome.python, lab.times) == (f"cpython {BUILDER}", 1)
    lab.write("print(7)\n")
    lab.collect(recorded=True)
    assert lab.times == 2


@pytest.mark.parametrize(
    ("pythons", "since", "ranked"),
    [
        (["3.14.7t", "3.13.0", "3.14.10", "3.14.7"], "3.11", ["3.14.7", "3.14.10", "3.13.0"]),
        (["3.11.2", "3.15.2", "3.13.0", "3.13.5"], "3.11", ["3.15.2", "3.13.5", "3.13.0"]),
        (["3.16.0", "3.15.0rc1", "3.15.2", "3.14.7"], "3.15", ["3.15.2", "3.15.0rc1", "3.16.0"]),
        (["3.9.1", "3.10.2"], "3.11", []),
    ],
    ids=["itself", "nearest", "oldest-that-has-it", "too-old"],
)
def test_the_nearest_python_that_can_run_it_is_taken(
    pythons: Sequence[str], since: str, ranked: Sequence[str]
) -> None:
    names = [f"cpython {version}" for version in pythons]
    best = rank_pythons(names, f"cpython {NEW}", since)[: len(ranked)]
    assert best == [f"cpython {version}" for version in ranked]


def test_two_builds_of_one_version_have_one_name() -> None:
    build = make_interpreter(id="cpython-3.14.7t-9786cd-gil", version=NEW, other="9786cd")
    assert name_python(build) == "cpython 3.14.7t-gil"
    assert name_python(make_interpreter(id="cpython-3.14.7", version=NEW)) == "cpython 3.14.7"


@pytest.mark.parametrize(
    ("needs", "reason"),
    [
        ('since = "3.99"', Reason("needs-python", {"since": "3.99"})),
        ('system = "Plan 9"', Reason("wrong-system", {"system": "Plan 9"})),
        ("online = true", Reason("needs-internet")),
    ],
)
def test_what_no_python_here_can_run_has_a_reason(lab: Lab, needs: str, reason: Reason) -> None:
    lab.need(needs)
    assert (lab.collect(), lab.times) == (reason, 0)


def test_a_session_is_held_in_each_language_by_the_python_that_builds_the_pages(lab: Lab) -> None:
    lab.have(BUILDER, NEW)
    folder = lab.hold("compare a.py b.py --budget 60 --quiet")
    (folder / "a.py").write_text("open('left', 'w')")
    first = lab.collect_all()
    records = [outcome for outcome in first.values() if isinstance(outcome, Printed)]
    assert [record.snippet for record in records] == ["answer", "session-en", "session-ru"]
    assert {record.python for record in records[1:]} == {f"cpython {BUILDER}"}
    assert records[1].text.startswith("a.py is ")
    assert records[2].text.startswith("a.py в ")
    assert {path.name for path in folder.iterdir()} == {"a.py", "b.py"}
    assert lab.collect_all() == first
    (folder / "a.py").write_text("raise SystemExit(3)")
    failed = Failed(Reason("exited", {"code": "1"}), "a.py ended with status 3.")
    assert lab.collect_all()["session-en"] == failed


def test_a_session_that_finds_nothing_is_no_record_and_says_why(lab: Lab) -> None:
    lab.hold("compare a.py b.py --budget 0.001")
    outcome = lab.collect_all()["session-en"]
    assert isinstance(outcome, Reason)
    assert outcome.code == "cannot-here"
    assert str(outcome.params["says"]).startswith("Not known")


def test_without_a_package_the_next_python_runs_it(lab: Lab) -> None:
    lab.write("import aiohttp\nprint('ready')\n")
    lacking = Reason("not-fetched", {"package": "aiohttp"})
    lab.have(BUILDER, NEW, aiohttp=lacking)
    assert lab.record().python == f"cpython {BUILDER}"
    lab.have(NEW, aiohttp=lacking)
    lab.write("import aiohttp\nprint('new')\n")
    assert lab.collect() == lacking


def test_what_another_snippet_printed_once_stays_until_it_is_run_or_gone(lab: Lab) -> None:
    record = lab.record()
    (lab.folder / "other.py").touch()
    (lab.folder / NEEDS).write_text("[other]\nonline = true\n")
    others = [structs.replace(record, snippet=name, digest="0" * 16) for name in ("other", "gone")]
    (lab.results / FILE).write_bytes(msgspec.json.encode([record, *others]))
    lab.write("print('new')\n")
    lab.collect()
    assert [kept.snippet for kept in read_printed(lab.results)] == ["answer", "other"]


def test_a_failure_is_given_and_not_kept(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.write("raise ValueError('too late')\n")
    failed = Failed(Reason("exited", {"code": "1"}), "ValueError: too late")
    assert [lab.collect(), lab.collect()] == [failed, failed]
    assert lab.times == 2
    assert read_printed(lab.results) == ()
    monkeypatch.setattr(snippets, "LIMIT_S", 0.2)
    lab.write("import time\ntime.sleep(3600)\n")
    outcome = lab.collect()
    assert isinstance(outcome, Failed)
    assert outcome.reason.code == "timed-out"


@pytest.mark.parametrize("damaged", ["", "[{}]", '[{"snippet": "answer", "text": 1}]', "[" * 5000])
def test_a_damaged_file_is_told_and_written_anew(
    lab: Lab, damaged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record, path = lab.record(), lab.results / FILE
    path.write_text(damaged)
    with pytest.raises(DamagedRecords, match=FILE):
        read_printed(lab.results)
    again = lab.record()
    assert again.text == record.text
    assert f"left out: {path}: " in capsys.readouterr().err
    assert read_printed(lab.results) == (again,)


def test_a_file_that_cannot_be_read_is_told(lab: Lab) -> None:
    (lab.results / FILE).mkdir(parents=True)
    with pytest.raises(RecordsError, match="not a file"):
        lab.collect()


def test_who_needs_something_is_a_snippet_and_those_of_the_pages_need_what_they_can(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lab.folder / NEEDS).write_text('[gone]\nsystem = "Linux"\n')
    with pytest.raises(MalformedDeclaration, match=r":1: gone: no such snippet"):
        lab.collect()
    monkeypatch.undo()
    assert Needs(since="3.15") in snippets.list_snippets().values()
