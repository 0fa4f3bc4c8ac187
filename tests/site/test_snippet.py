"""Snippets are run once, again when they change, and say why where they cannot be run."""

import sys
from pathlib import Path

import pytest

from scripts.harness.declaration import Reason
from scripts.site import kept
from scripts.site.study import snippets as snippet
from scripts.site.study.snippets import Printed, SnippetFailed, find_obstacle, run_snippet


class Lab:
    """A folder for snippets."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.runs = folder / "lab", folder / "runs"
        self.folder.mkdir()

    def write(self, code: str) -> None:
        """The snippet ``one``; it leaves a line for each of its runs."""
        note = f"print(file=open({str(self.runs)!r}, 'a'))\n"
        (self.folder / "one.py").write_text(note + code, encoding="utf-8")

    def run(self) -> Printed:
        return run_snippet("one", self.folder)

    @property
    def times(self) -> int:
        return self.runs.read_text().count("\n")


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.setattr(kept, "FOLDER", tmp_path / "kept")
    return Lab(tmp_path)


def test_what_it_printed_is_kept_with_who_ran_it(lab: Lab) -> None:
    lab.write("import sys\nprint('ready', file=sys.stderr)\nprint(6 * 7)\n")
    first = lab.run()
    assert first.text == "42\nready"
    assert first.python.endswith(sys.version.split()[0])
    assert lab.run() == first
    assert lab.times == 1


def test_a_changed_snippet_is_run_again(lab: Lab) -> None:
    lab.write("print('old')\n")
    lab.run()
    lab.write("print('new')\n")
    assert lab.run().text == "new"
    assert lab.times == 2


def test_a_failure_is_told_and_not_kept(lab: Lab) -> None:
    lab.write("raise ValueError('too late')\n")
    for _ in range(2):
        with pytest.raises(SnippetFailed, match="ValueError: too late") as caught:
            lab.run()
        assert caught.value.reason == Reason("exited", {"code": "1"})
    assert lab.times == 2


def test_what_does_not_end_is_stopped(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snippet, "LIMIT_S", 0.2)
    lab.write("import time\ntime.sleep(3600)\n")
    with pytest.raises(SnippetFailed) as caught:
        lab.run()
    assert caught.value.reason.code == "timed-out"


@pytest.mark.parametrize(
    ("since", "system", "online", "obstacle"),
    [
        ("", "", False, None),
        ("3.11", "", False, None),
        ("3.99", "", False, Reason("needs-python", {"since": "3.99"})),
        ("", "Plan 9", False, Reason("wrong-system", {"system": "Plan 9"})),
        ("", "", True, Reason("needs-internet")),
    ],
)
def test_what_is_in_the_way_has_a_reason(
    since: str, system: str, online: bool, obstacle: Reason | None
) -> None:
    assert find_obstacle(since, system, online=online) == obstacle
