"""Output: the folder that a build fills and ``make clean`` removes; nobody else's is touched.

It needs nothing but Python: ``make clean`` works where nothing is set up.
"""

import fcntl
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.paths import RESULTS, ROOT, WORDS

DEFAULT = "site"
MARKER = ".built-by-us"

_SENTENCE = "`make site` made this folder and replaces what is in it; `make clean` removes it.\n"
_BUILT = {".nojekyll", "404.html", "card.png", "index.html", "offline.zip", "robots.txt"} | {
    *("sitemap.xml", "data", "examples", "pagefind")
}
_SOURCES = {".git", "docs", "examples", "requirements", "results", "scripts", "tests"}


class ForeignFolder(ValueError):
    """A SITE that a build must not touch; the message says why."""


def claim_folder(name: str) -> Path:
    """Make and mark the folder that SITE names; gives its path, absolute, links followed.

    What does not exist or is empty may be taken, and what a build has made before.

    Raises:
        ForeignFolder: it is or holds what must stay.
        OSError: it cannot be made or written to.
    """
    folder = _locate(name)
    if folder.exists() and not _is_ours(folder) and any(folder.iterdir()):
        raise ForeignFolder(
            f"SITE={name} holds files that no build has made: name a new or an empty folder."
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text(_SENTENCE, encoding="utf-8")
    return folder


@contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Nobody else builds into the folder meanwhile; who comes second says so and waits."""
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
    """Remove the folder that SITE names, if there is one.

    Raises:
        ForeignFolder: it is or holds what must stay, or no build has made it.
        OSError: it cannot be removed.
    """
    folder = _locate(name)
    if not folder.exists():
        return
    if not _is_ours(folder):
        raise ForeignFolder(f"SITE={name} was not made by a build: it stays.")
    shutil.rmtree(folder)


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


def _is_ours(folder: Path) -> bool:
    """Whether a build has made it: it is marked, or the default one and holds nothing else.

    Plain MkDocs puts no mark into ``site/``, nor did builds of old.
    """
    if (folder / MARKER).is_file():
        return True
    built = _BUILT | {path.stem for path in WORDS.glob("*.toml")}
    return folder == ROOT / DEFAULT and {path.name for path in folder.iterdir()} <= built


if __name__ == "__main__":
    try:
        remove_folder(os.environ.get("SITE", DEFAULT))
    except (ForeignFolder, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
