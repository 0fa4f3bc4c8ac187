"""Files of strangers are checked on all cores, and what came of each is told in their order."""

import os
import sys
from pathlib import Path

import pytest

from scripts.harness.machine import Machine
from scripts.harness.store import DamagedRecords
from scripts.site.check import strange
from scripts.site.check.strange import CheckedFile, check_files
from tests.factories import make_experiment
from tests.site.test_merge import write


@pytest.fixture(autouse=True)
def any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up machines are called as it suits a test."""
    monkeypatch.setattr(Machine, "has_own_id", True)


EXPERIMENTS = {"lab": make_experiment()}


@pytest.mark.parametrize("few", [0, 100])
def test_each_file_is_told_with_what_is_in_it_or_why_not(
    few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strange, "FEW", few)
    paths = [write(tmp_path, name) for name in ("one", "two", "three")]
    paths[1].write_text('{"schema": 2}')
    one, bad, three = check_files(paths, EXPERIMENTS, contributed=True)
    assert one == CheckedFile(
        path=paths[0],
        data=paths[0].read_bytes(),
        machine="one",
        interpreter="cpython-3.13.0",
        count=1,
    )
    assert (bad.path, bad.data) == (paths[1], b"")
    assert bad.faults
    assert three.machine == "three"


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked here")
def test_many_files_are_checked_by_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> bytes:
        raise DamagedRecords(str(os.getpid()))

    monkeypatch.setattr(strange, "FEW", 0)
    monkeypatch.setattr(strange, "read_file", refuse)
    (found,) = check_files([tmp_path / "a.json"], EXPERIMENTS, contributed=True)
    assert found.faults
    assert found.faults != (str(os.getpid()),)
