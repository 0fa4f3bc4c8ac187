"""Copies of this repository, in which tests change what they like."""

import shutil
from pathlib import Path

from scripts.harness.paths import ROOT

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
