"""What is of others is as they published it, with its licence and where it is from."""

import hashlib
import re
from pathlib import Path

import pytest

VENDOR = Path(__file__).parents[1] / "docs" / "theme" / "vendor"
FOLDERS = sorted(VENDOR.iterdir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_files_are_those_that_the_source_names(folder: Path) -> None:
    source = (folder / "SOURCE").read_text(encoding="utf-8")
    named = dict(
        reversed(line) for line in re.findall(r"^([0-9a-f]{64})  (\S+)$", source, re.MULTILINE)
    )
    found = {path.name: path for path in folder.iterdir() if path.name != "SOURCE"}
    assert "LICENSE" in named
    assert {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found.items()
    } == (named)
