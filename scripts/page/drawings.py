"""Drawings: what was made of records once is not made again while nothing that it shows changes.

Kept below ``.cache``, a file for each, named after everything that goes into it; so builds at once
may share them, and whoever removes them loses nothing but time.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.paths import CACHE, ROOT
from scripts.render.words import Words

FOLDER = CACHE / "drawings"
MOST = 1000
"""Of the drawings kept, about five times as many as a site has in both languages."""
MOST_KNOWN = 64
_known: dict[int, tuple[Evidence, str]] = {}
LIBRARIES = ("matplotlib", "numpy", "babel", "jinja2", "markupsafe", "msgspec")
"""Whose version may show in a drawing."""


def draw_once(draw: Callable[..., Markup], evidence: Evidence, words: Words) -> Markup:
    """What ``draw`` makes of evidence and words: kept from an earlier time, or made and kept.

    It is a function of ``scripts``, alone or as a ``partial`` with names and numbers.
    """
    path = FOLDER / f"{_name(draw, evidence, words)}.html"
    try:
        content = path.read_text(encoding="utf-8")
        os.utime(path)
    except FileNotFoundError:
        content = draw(evidence=evidence, words=words)
        _keep(path, content)
    return Markup(content)  # noqa: S704 - made by draw, now or before


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


def _name(draw: Callable[..., Markup], evidence: Evidence, words: Words) -> str:
    function = getattr(draw, "func", draw)
    asked = (function.__module__, function.__qualname__, getattr(draw, "keywords", {}))
    shown = (_digest_evidence(evidence), words.language, words.catalogue, words.terms)
    return _digest(repr((_digest_code(), asked, shown)).encode())


def _digest_evidence(evidence: Evidence) -> str:
    """Of all that evidence holds, except when it was read; taken once while it is shown."""
    if _known.get(id(evidence), (None, ""))[0] is not evidence:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        lasting = replace(
            evidence, generated_at=datetime.min.replace(tzinfo=UTC), outdated=frozenset()
        )
        spreads = {one.spreads for one in evidence.judgements}
        usual = sorted(repr(one.list_usual()) for one in spreads)
        read = repr((lasting, sorted(map(repr, evidence.outdated)), usual))
        _known[id(evidence)] = (evidence, _digest(read.encode()))
    return _known[id(evidence)][1]


@cache
def _digest_code() -> str:
    """Of what this process runs: our code with its templates, and the versions of libraries."""
    digest = hashlib.sha256(repr((sys.version, *map(version, LIBRARIES))).encode())
    for path in sorted((ROOT / "scripts").rglob("*")):
        if path.suffix in (".py", ".html"):
            digest.update(_digest(path.read_bytes()).encode())
    return digest.hexdigest()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _keep(path: Path, content: str) -> None:
    """Whoever reads meanwhile finds all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, delete=False, suffix=".part"
    ) as part:
        part.write(content)
    Path(part.name).replace(path)
