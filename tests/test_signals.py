"""What tells a command to end lets it save and clean up."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[1]
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
    for name in ("docs", "examples", "requirements", "scripts"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "examples" / ".server").unlink(missing_ok=True)
    for name in ("08-cpu-sequential", "09-cpu-threads"):
        program = next((folder / "examples" / "matrix").glob(f"{name[:2]}-*.py"))
        code = program.read_text(encoding="utf-8")
        program.write_text(HANGS_THE_SECOND_TIME.format(folder=str(tmp_path)) + code)
    return folder


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_who_is_told_to_end_keeps_what_was_measured_and_leaves_nothing_behind(
    repository: Path, tmp_path: Path, number: signal.Signals
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    settings = {"PROFILE": "smoke", "INTERPRETERS": "current", "ONLY": "matrix/0[89]-*"}
    inherited = {name: value for name, value in os.environ.items() if name not in ("FRESH", "SITE")}
    engine = subprocess.Popen(
        [sys.executable, "-m", "scripts", "measure"],
        cwd=repository,
        env=inherited
        | settings
        | {"PYTHONPATH": str(repository), "TMPDIR": str(temporary)}
        | {"RESULTS": str(tmp_path / "results"), "MACHINE": "", "MEASURE": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    while not (tmp_path / "hanging").exists():
        assert engine.poll() is None
        time.sleep(0.01)
    engine.send_signal(number)
    told, _ = engine.communicate()
    assert engine.returncode == 128 + number
    assert "What was measured is kept" in told
    (records,) = (tmp_path / "results").glob("*/*.json")
    assert '"matrix"' in records.read_text()
    assert list(temporary.iterdir()) == []
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))


def test_what_was_told_to_ignore_a_hangup_goes_on_ignoring_it() -> None:
    code = (
        "import os, signal; from scripts.signals import end_in_order\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN); end_in_order()\n"
        "os.kill(os.getpid(), signal.SIGHUP)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
