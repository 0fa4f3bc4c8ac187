"""Paths: where everything of this repository is, and how a file is written as a whole."""

import errno
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SERVER = EXAMPLES / "server.py"
DOCS = ROOT / "docs"
CHOICES = DOCS / "choices.toml"
ASKED = DOCS / "asked.toml"
FINDINGS = DOCS / "findings.toml"
ADDRESSES = DOCS / "addresses.txt"
RESULTS = ROOT / "results"
REQUIREMENTS = ROOT / "requirements" / "examples.txt"
VENVS = ROOT / ".venvs"
CACHE = ROOT / ".cache"
WORDS = ROOT / "scripts" / "site" / "render" / "words"
TEMPLATES = ROOT / "scripts" / "site" / "render" / "templates"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; whoever reads meanwhile finds the old one or the new one, never a part."""
    if path.exists() and not path.is_file():  # a device would be one no more
        raise OSError(errno.EEXIST, "there is something else than a file", str(path))
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.unlink(missing_ok=True)
        with part.open("xb") as file:  # what stands there under its name is not written to
            file.write(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
