"""Snippets are run once, again when they change, and say why where they cannot be run."""

import sys
from pathlib import Path

import pytest

from scripts.harness.declaration import Reason
from scripts.site import kept
from scripts.site.study import snippets as snippet
from scripts.site.study.snippets import Printed, SnippetFailed, find_obstacle, run_snippet


class Lab:
    """A folder for snippets, and what notes their runs."""

    def __init__(self, folder: Path) -> None:
        self.snippet, self.runs = folder / "one.py", folder / "runs"

    def run(self, code: str) -> Printed:
        """Run a snippet of this code, which leaves a line for each of its runs."""
        note = f"print(file=open({str(self.runs)!r}, 'a'))\n"
        self.snippet.write_text(note + code, encoding="utf-8")
        return run_snippet("one")

    @property
    def times(self) -> int:
        return self.runs.read_text().count("\n")


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.setattr(kept, "FOLDER", tmp_path / "kept")
    monkeypatch.setattr(snippet, "SNIPPETS", tmp_path)
    return Lab(tmp_path)


def test_what_it_printed_is_kept_with_who_ran_it_until_it_changes(lab: Lab) -> None:
    code = "import sys\nprint('ready', file=sys.stderr)\nprint(6 * 7)\n"
    first = lab.run(code)
    assert first.text == "42\nready"
    assert first.python.endswith(sys.version.split()[0])
    assert (lab.run(code), lab.times) == (first, 1)
    assert (lab.run("print('new')\n").text, lab.times) == ("new", 2)


def test_a_failure_is_told_and_not_kept(lab: Lab) -> None:
    for _ in range(2):
        with pytest.raises(SnippetFailed, match="ValueError: too late") as caught:
            lab.run("raise ValueError('too late')\n")
        assert caught.value.reason == Reason("exited", {"code": "1"})
    assert lab.times == 2


def test_what_does_not_end_is_stopped(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snippet, "LIMIT_S", 0.2)
    with pytest.raises(SnippetFailed) as caught:
        lab.run("import time\ntime.sleep(3600)\n")
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
