"""Output: the folder that a build fills; nobody else's is touched.

A file in it says that it is ours, and where it is: a copy of the site elsewhere, where the file is
copied too, is not ours.
"""

import hashlib
import os
from pathlib import Path

from scripts.harness.paths import RESULTS, ROOT

DEFAULT = "site"
MARKER = ".built-by-us"

_SENTENCE = "`make site` made this folder and replaces what is in it."
_SOURCES = {".git", "bench", "docs", "examples", "requirements", "results", "scripts", "tests"}


class ForeignFolder(ValueError):
    """A SITE that a build must not touch; the message says why."""


class SearchError(RuntimeError):
    """There is no index of the built pages; the message says why."""


def claim_folder(name: str) -> Path:
    """Make and mark the folder that SITE names; return its path, absolute, links followed.

    What does not exist or is empty may be taken, and what a build has made before.

    Raises:
        ForeignFolder: it is or holds what must stay.
        OSError: it cannot be made or written to.
    """
    folder = _locate(name)
    if folder.exists() and any(folder.iterdir()) and not _is_ours(folder):
        raise ForeignFolder(
            f"SITE={name} holds files that no build has made: name a new or an empty folder."
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text(f"{_SENTENCE}\n{_identify(folder)}\n", encoding="utf-8")
    return folder


def describe_refusal(error: OSError) -> str:
    """Say what the system refused, and where: not every error knows its file."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"{reason} (while records, pages or temporary files were written)"
    return f"{error.filename}: {reason}"


def _locate(name: str) -> Path:
    if not name.strip():
        raise ForeignFolder("SITE is empty: leave it out, or name the folder to build into.")
    folder = Path(os.path.realpath(name))
    results = Path(os.path.realpath(os.environ.get("RESULTS") or RESULTS))
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - not everybody has one
    for kept in (ROOT, home, results):
        if kept.is_relative_to(folder):
            raise ForeignFolder(f"SITE={name} holds {kept}: name a folder of its own.")
    for kept in (*(ROOT / source for source in _SOURCES), results):
        if folder.is_relative_to(kept):
            raise ForeignFolder(f"SITE={name} lies in {kept}: name a folder of its own.")
    if folder.exists() and not folder.is_dir():
        raise ForeignFolder(f"SITE={name} is a file: name a folder.")
    return folder


def _identify(folder: Path) -> str:
    """Digest the path and the inode of a folder, which no copy has; the mark is published."""
    # The number of its device may be another one after a restart.
    place = f"{folder}\n{folder.stat().st_ino}"
    return hashlib.sha256(place.encode(errors="surrogateescape")).hexdigest()


def _is_ours(folder: Path) -> bool:
    """Tell whether a build made a folder that is there, and it is no copy; the default one always is."""
    try:
        told = (folder / MARKER).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        told = []
    return folder == ROOT / DEFAULT or _identify(folder) in told
