"""Kept: what was made once is not made again while nothing changes that goes into it.

Below ``.cache``, a file for each, named after everything that goes into it; so builds at once may
share them, and whoever removes them loses nothing but time.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from poolwise.paths import write_whole
from scripts.site.paths import CACHE

FOLDER = CACHE / "kept"
MOST = 7500
"""Those of five builds, each of which has some 1,500 in both languages and takes 25 MB. A build of other
records must not cost the next one its own."""


def keep_file(folder: str, told: object, make: Callable[[], bytes]) -> bytes:
    """What ``make`` makes of all that ``told`` says: kept in a folder from an earlier time, or made and kept."""
    path = FOLDER / folder / digest(repr(told).encode())
    try:
        content = path.read_bytes()
        os.utime(path)
    except FileNotFoundError:
        content = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    return content


def drop_oldest() -> None:
    """Leave what was shown last, ``MOST`` of all."""
    found: list[tuple[int, Path]] = []
    for path in FOLDER.glob("*/*"):
        try:
            found.append((path.stat().st_mtime_ns, path))
        except FileNotFoundError:
            continue  # another build has dropped it
    for _, path in sorted(found, reverse=True)[MOST:]:
        path.unlink(missing_ok=True)


def digest(data: bytes) -> str:
    """Name data after all that is in it."""
    return hashlib.sha256(data).hexdigest()
