"""What tells a command to end lets it save and clean up."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from tests.copies import copy_repository, name_sources

ROOT = Path(__file__).parents[2]
HANGS_THE_SECOND_TIME = """\
import os, pathlib, time
runs = pathlib.Path({folder!r}, "runs")
with runs.open("a") as file:
    file.write("x")
if runs.stat().st_size > 1:
    pathlib.Path({folder!r}, "pid").write_text(str(os.getpid()))
    pathlib.Path({folder!r}, "hanging").touch()
    time.sleep(600)
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of this one in which the second program that is run hangs."""
    folder = tmp_path / "repository"
    copy_repository(folder, "docs", "examples", "requirements", "scripts", "mkdocs.yml")
    for name in ("08-cpu-sequential", "09-cpu-threads"):
        program = next((folder / "examples" / "matrix").glob(f"{name[:2]}-*.py"))
        code = program.read_text(encoding="utf-8")
        program.write_text(HANGS_THE_SECOND_TIME.format(folder=str(tmp_path)) + code)
    return folder


def heed_signals() -> None:
    """In a new process: as if the tests ran on a terminal, whose children ignore no signal."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


MEASURE, MKDOCS = ("scripts.site", "measure"), ("mkdocs", "build")


@pytest.mark.parametrize(
    ("command", "number", "status"),
    [
        (MEASURE, signal.SIGHUP, 129),
        (MEASURE, signal.SIGINT, 130),  # and the next SIGTERM
        (MKDOCS, signal.SIGTERM, 1),
    ],
)
def test_who_is_told_to_end_keeps_what_was_measured_and_leaves_nothing_behind(
    repository: Path, tmp_path: Path, command: Sequence[str], number: int, status: int
) -> None:
    """The signal comes while the second program hangs."""
    results, temporary = tmp_path / "results", tmp_path / "temporary"
    temporary.mkdir()
    settings = {"PROFILE": "smoke", "INTERPRETERS": "current", "ONLY": "matrix/0[89]-*"}
    settings |= {
        "RESULTS": str(results),
        "TMPDIR": str(temporary),
        "PYTHONPATH": name_sources(repository),
    }
    unset = ("FRESH", "MACHINE", "MEASURE")
    engine = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=repository,
        env={name: value for name, value in os.environ.items() if name not in unset} | settings,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    )
    while not (tmp_path / "hanging").exists():
        assert engine.poll() is None
        time.sleep(0.01)
    engine.send_signal(number)
    told, _ = engine.communicate()
    assert engine.returncode == status
    assert ("What was measured is kept" in told) == (command == MEASURE)
    (records,) = results.glob("*/*.json")
    assert '"matrix"' in records.read_text()
    assert list(temporary.iterdir()) == []
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))


def test_what_was_told_to_ignore_a_hangup_goes_on_ignoring_it() -> None:
    code = (
        "import os, signal; from scripts.site.signals import end_in_order\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN); end_in_order()\n"
        "os.kill(os.getpid(), signal.SIGHUP)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
