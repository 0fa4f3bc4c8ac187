"""Measuring for so long at most: what was measured is kept, and a failure stays one."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "measure"


@pytest.mark.parametrize(
    ("recipe", "limit_s", "status", "told"),
    [
        ("true", "60", 0, False),
        ("exit 3", "60", 2, False),
        ("sleep 60", "0.5", 0, True),
    ],
)
def test_measuring_ends_in_order_when_its_time_is_up(
    recipe: str, limit_s: str, status: int, told: bool, tmp_path: Path
) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci")
    (tmp_path / "Makefile").write_text(f"measure:\n\t@{recipe}\n")
    command = [str(tmp_path / ".ci" / "measure"), limit_s]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status
    assert ("was up" in done.stdout) == told
    assert "sleep" not in done.stderr  # the alarm, of which bash may tell that it was terminated
