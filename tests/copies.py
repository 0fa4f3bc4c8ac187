"""Copies of this repository, in which tests change what they like."""

import shutil
from pathlib import Path

from scripts.harness.paths import ROOT
from scripts.harness.run import WORK

PASSING = shutil.ignore_patterns("*.pyc.*", ".server")
"""What other processes have only for a moment: modules being compiled, and where a server runs."""


def copy_repository(folder: Path, *names: str) -> None:
    """Copy these files and folders of the repository."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=PASSING)
        else:
            shutil.copy2(ROOT / name, folder / name)
    if "scripts" in names:
        measure_no_work_as_two(folder)


def measure_no_work_as_two(folder: Path) -> None:
    """Let a copy measure a program that does nothing as two, which takes seconds with work in it."""
    path = folder / "scripts" / "harness" / "run.py"
    text = path.read_text(encoding="utf-8")
    assert f'WORK = "{WORK}"' in text
    path.write_text(text.replace(f'WORK = "{WORK}"', 'WORK = "pass"'), encoding="utf-8")
