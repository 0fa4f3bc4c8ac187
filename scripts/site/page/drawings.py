"""Drawings: what was made of records once is not made again while nothing that it shows changes."""

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version

from markupsafe import Markup

from scripts.harness.paths import ROOT
from scripts.site.judge.judge import Evidence
from scripts.site.kept import digest, keep_file
from scripts.site.page.context import keep
from scripts.site.render.words import Words

MOST_KNOWN = 64
LIBRARIES = ("matplotlib", "numpy", "babel", "jinja2", "markupsafe", "msgspec")
"""Whose version may show in a drawing."""


def draw_once(draw: Callable[..., Markup], evidence: Evidence, words: Words) -> Markup:
    """What ``draw`` makes of evidence and words: kept from an earlier time, or made and kept.

    It is a function of ``scripts``, alone or as a ``partial`` with names and numbers.
    """
    told = _tell(draw, evidence, words)
    content = keep_file("drawings", told, lambda: draw(evidence=evidence, words=words).encode())
    return Markup(content.decode())  # noqa: S704 - made by draw, now or before


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
    return digest(repr((lasting, sorted(map(repr, evidence.outdated)), usual)).encode())


@keep
def _digest_code() -> str:
    """Of what this process runs: our code with its templates and words, and libraries' versions."""
    parts = [sys.version, *map(version, LIBRARIES)]
    files = sorted((ROOT / "scripts").rglob("*"))
    parts += [digest(one.read_bytes()) for one in files if one.suffix in (".py", ".html", ".toml")]
    return digest(repr(parts).encode())
