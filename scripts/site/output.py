"""Output: the folder that a build fills and ``make clean`` empties; nobody else's is touched.

A file in it says that it is ours, and where it is: a copy of the site elsewhere, where the file is
copied too, is not ours. This module needs nothing but Python, so that
``make clean`` works where nothing is set up.
"""

import fcntl
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.harness.paths import RESULTS, ROOT, WORDS

DEFAULT = "site"
MARKER = ".built-by-us"

_SENTENCE = "`make site` made this folder and replaces what is in it; `make clean` removes it."
_BUILT = {".nojekyll", "404.html", "index.html", "llms.txt", "offline.zip"} | {
    *("robots.txt", "sitemap.xml", "data", "examples", "pagefind", ".next", "offline.part", MARKER)
}
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


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Keep other builds out of the folder meanwhile; a second one says so and waits."""
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Another build fills {folder}; waiting for its end.", flush=True)
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def remove_folder(name: str) -> None:
    """Remove what builds have made in the folder that SITE names, and it if nothing else is there.

    Raises:
        ForeignFolder: it is or holds what must stay, or no build has made it.
        OSError: it cannot be removed.
    """
    folder = _locate(name)
    if not folder.exists():
        return
    if not _is_ours(folder):
        raise ForeignFolder(f"SITE={name} was not made by a build there: it stays.")
    found = {path.name for path in folder.iterdir()}
    others = sorted(found - _list_built())
    for path in (folder / one for one in found.difference(others)):
        if others and path.name == MARKER:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    if others:
        print(f"SITE={name} stays: no build has made {', '.join(map(ascii, others))}.")
    else:
        folder.rmdir()


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


def _list_built() -> set[str]:
    """List the names that builds make in a folder: languages, and what stands beside them."""
    return _BUILT | {path.stem for path in WORDS.glob("*.toml")}


def _identify(folder: Path) -> str:
    """Digest the path and the inode of a folder, which no copy has; the mark is published."""
    # The number of its device may be another one after a restart.
    place = f"{folder}\n{folder.stat().st_ino}"
    return hashlib.sha256(place.encode(errors="surrogateescape")).hexdigest()


def _is_ours(folder: Path) -> bool:
    """Tell whether a folder that is there was made by builds, and is no copy.

    The default folder has moved if the repository has, and plain MkDocs puts no mark into it. It is
    ours if there is nothing else in it.
    """
    try:
        told = (folder / MARKER).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        told = []
    if _identify(folder) in told:
        return True
    return folder == ROOT / DEFAULT and {path.name for path in folder.iterdir()} <= _list_built()


if __name__ == "__main__":
    try:
        remove_folder(os.environ.get("SITE", DEFAULT))
    except (ForeignFolder, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
