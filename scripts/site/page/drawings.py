"""Drawings: what was made of records once is not made again while nothing that it shows changes.

Kept below ``.cache``, a file for each, named after everything that goes into it; so builds at once
may share them, and whoever removes them loses nothing but time.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from markupsafe import Markup

from scripts.harness.paths import CACHE, ROOT, write_whole
from scripts.site.judge.judge import Evidence
from scripts.site.page.context import keep
from scripts.site.render.words import Words

FOLDER = CACHE / "drawings"
MOST = 6000
"""Of the drawings kept: those of five builds, each of which has some 1,200 in both languages and
takes 15 MB. A build of other records must not cost the next one its own."""
MOST_KNOWN = 64
_known: dict[tuple[int, ...], tuple[object, str]] = {}
LIBRARIES = ("matplotlib", "numpy", "babel", "jinja2", "markupsafe", "msgspec")
"""Whose version may show in a drawing."""


def draw_once(draw: Callable[..., Markup], evidence: Evidence, words: Words) -> Markup:
    """What ``draw`` makes of evidence and words: kept from an earlier time, or made and kept.

    It is a function of ``scripts``, alone or as a ``partial`` with names and numbers.
    """
    told = _tell(draw, evidence, words)
    content = keep_file(told, lambda: draw(evidence=evidence, words=words).encode())
    return Markup(content.decode())  # noqa: S704 - made by draw, now or before


def keep_file(told: object, make: Callable[[], bytes]) -> bytes:
    """What ``make`` makes of all that ``told`` says: kept from an earlier time, or made and kept."""
    path = FOLDER / _digest(repr(told).encode())
    try:
        content = path.read_bytes()
        os.utime(path)
    except FileNotFoundError:
        content = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    return content


def drop_oldest() -> None:
    """Leave the drawings that were shown last, ``MOST`` of them."""
    found: list[tuple[int, Path]] = []
    for path in FOLDER.glob("*"):
        try:
            found.append((path.stat().st_mtime_ns, path))
        except FileNotFoundError:
            continue  # another build has dropped it
    for _, path in sorted(found, reverse=True)[MOST:]:
        path.unlink(missing_ok=True)


def _tell(draw: Callable[..., Markup], evidence: Evidence, words: Words) -> object:
    function = getattr(draw, "func", draw)
    asked = (function.__module__, function.__qualname__, getattr(draw, "keywords", {}))
    told = _digest_once(lambda: (words.catalogue, words.terms), words.catalogue, words.terms)
    shown = (_digest_once(lambda: _list_lasting(evidence), evidence), words.language, told)
    return _digest_code(), asked, shown


def _digest_once(read: Callable[[], object], *things: object) -> str:
    """Of what is read of things that nobody changes; taken once while they are shown."""
    key = tuple(map(id, things))
    if key not in _known:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = (things, _digest(repr(read()).encode()))  # kept, their ids are nobody else's
    return _known[key][1]


def _list_lasting(evidence: Evidence) -> object:
    """All that evidence holds, except when it was read."""
    lasting = replace(evidence, generated_at=datetime.min.replace(tzinfo=UTC), outdated=frozenset())
    spreads = {one.spreads for one in evidence.judgements}
    usual = sorted(repr(one.list_usual()) for one in spreads)
    return lasting, sorted(map(repr, evidence.outdated)), usual


@keep
def _digest_code() -> str:
    """Of what this process runs: our code with its templates, and the versions of libraries."""
    digest = hashlib.sha256(repr((sys.version, *map(version, LIBRARIES))).encode())
    for path in sorted((ROOT / "scripts").rglob("*")):
        if path.suffix in (".py", ".html"):
            digest.update(_digest(path.read_bytes()).encode())
    return digest.hexdigest()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
