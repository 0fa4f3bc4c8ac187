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
from functools import lru_cache
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
    return _digest_code(), asked, words.language, words.terms, _digest_evidence(evidence)


@lru_cache(maxsize=MOST_KNOWN)
def _digest_evidence(evidence: Evidence) -> str:
    """Of all that evidence holds, except when it was read; taken once while it is shown."""
    lasting = replace(evidence, generated_at=datetime.min.replace(tzinfo=UTC), outdated=frozenset())
    spreads = {one.spreads for one in evidence.judgements}
    usual = sorted(repr(one.list_usual()) for one in spreads)
    return _digest(repr((lasting, sorted(map(repr, evidence.outdated)), usual)).encode())


@keep
def _digest_code() -> str:
    """Of what this process runs: our code with its templates and words, and libraries' versions."""
    digest = hashlib.sha256(repr((sys.version, *map(version, LIBRARIES))).encode())
    for path in sorted((ROOT / "scripts").rglob("*")):
        if path.suffix in (".py", ".html", ".toml"):
            digest.update(_digest(path.read_bytes()).encode())
    return digest.hexdigest()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
