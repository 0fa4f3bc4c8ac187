"""Kept: what was made once is not made again while nothing changes that goes into it.

Files are below ``.cache``, each named after everything that goes into it; so builds at once may
share them, and whoever removes them loses nothing but time. A folder has its stamp in itself.
"""

import hashlib
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from poolwise.paths import write_whole
from scripts.site.paths import CACHE

FOLDER = CACHE / "kept"
# Three builds of some 3,500 in both languages: one of other records must not cost the next its own.
MOST = 10_000
STAMP = ".made-of"


class NotKept(Exception):
    """Says that the ``content`` is made anew each time, as it has to be complained of each time."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content


def keep_file(folder: str, sources: object, make: Callable[[], bytes]) -> bytes:
    """Return what ``make`` makes of ``sources``: kept in a folder from an earlier time, or made now."""
    path = FOLDER / folder / digest(repr(sources).encode())
    try:
        content = path.read_bytes()
        os.utime(path)
    except FileNotFoundError:
        try:
            content = make()
        except NotKept as passing:
            return passing.content
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    return content


def keep_folder(folder: Path, sources: object, fill: Callable[[Path], None]) -> None:
    """Empty a folder and ``fill`` it, unless it was filled from the same ``sources``."""
    stamp, name = folder / STAMP, digest(repr(sources).encode())
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == name:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    fill(folder)
    stamp.write_text(name, encoding="utf-8")


def drop_oldest() -> None:
    """Leave what was shown last, ``MOST`` of all."""
    dated: list[tuple[int, Path]] = []
    for path in FOLDER.glob("*/*"):
        with suppress(FileNotFoundError):  # another build may have dropped it
            dated.append((path.stat().st_mtime_ns, path))
    for _, path in sorted(dated, reverse=True)[MOST:]:
        path.unlink(missing_ok=True)


def digest(data: bytes) -> str:
    """Name data after all that is in it."""
    return hashlib.sha256(data).hexdigest()
