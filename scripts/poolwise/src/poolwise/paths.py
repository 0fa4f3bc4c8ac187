"""Paths: where the project that is measured has its files, and how a file is written as a whole.

A project is the folder that a command runs in. Only ``run`` needs more of it than a folder to be in.
"""

import errno
import os
from pathlib import Path

ROOT = Path.cwd()
EXAMPLES = ROOT / "examples"
SERVER = EXAMPLES / "server.py"
REQUIREMENTS = ROOT / "requirements" / "examples.txt"
VENVS = ROOT / ".venvs"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "poolwise"


def identify(state: os.stat_result) -> tuple[int, ...]:
    """Give what changes with the bytes of a file."""
    return state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns


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
