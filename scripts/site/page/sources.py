"""Sources: what blocks and checks read of the pages as their authors wrote them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from mkdocs.utils.meta import get_data

from poolwise.declaration import read_text
from scripts.site.render.html import program_anchor

_CLAIM = re.compile(r'\bshow\.claim\("([^"]+)"')
_FENCES = ("```", "~~~")
_HEADING = re.compile(r"#{1,6} .*?\{#([^}\s]+)[^}]*\}\s*")
_RECIPE = re.compile(r'\bshow\.recipe\("[^"/]+/([^"]+)"')
_MARKS = re.compile(r"`([^`]*)`|\*|\]\([^)]*\)|\]\{[^}]*\}|\[")
# The first sentence of a paragraph, which may end in a colon.
_SENTENCE = re.compile(r".*?[.!?](?= )|.*[.!?:]$")


@dataclass(frozen=True, slots=True)
class Source:
    """A page: its title, the first sentence below it, and the ids of headings, claims and recipes."""

    title: str
    advice: str
    anchors: frozenset[str]


def read_source(docs: Path, name: str) -> Source:
    """Read the source ``sleep.md`` below the ``docs`` of a language.

    Raises:
        ValueError: its front matter is none.
    """
    path = docs / name
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1000)
def _read(path: Path, changed_ns: int) -> Source:
    del changed_ns  # only tells one state of the file from the next
    text = read_text(path)
    body, matter = get_data(text)
    # MkDocs takes front matter that is no YAML, as with a colon in a description, for none.
    if text.startswith("---\n") and not matter:
        raise ValueError(f"{path}:1: the front matter is no YAML; is a text with a colon unquoted?")
    anchors = {f"claim-{id_}" for id_ in list_claims(body)}
    anchors.update(map(program_anchor, _RECIPE.findall(body)))
    below = ""
    for line, is_fenced in scan(body):
        heading = None if is_fenced else _HEADING.fullmatch(line)
        if heading:
            below = below or body.partition(line)[2]
            anchors.add(heading[1])
    return Source(str(matter.get("title", "")), _read_sentence(below), frozenset(anchors))


def list_claims(text: str) -> list[str]:
    """List the ids of the claims that a text shows one by one."""
    return _CLAIM.findall(text)


def list_below(docs: Path, name: str) -> list[str]:
    """List a page and those below it: ``sleep/code.md`` is below ``sleep.md``."""
    children = sorted((docs / name.removesuffix(".md")).glob("*.md"))
    paths = [docs / name, *children]
    return [path.relative_to(docs).as_posix() for path in paths if path.is_file()]


def find_page(docs: Path, page: str, anchor: str) -> str:
    """Find the source that has an anchor: ``page``, or one below it; empty if none has it."""
    for name in list_below(docs, page):
        if anchor in read_source(docs, name).anchors:
            return name
    return ""


def scan(text: str) -> Iterator[tuple[str, bool]]:
    """Give each line, and whether it is part of a fence."""
    mark = ""
    for line in text.splitlines(keepends=True):
        start = line.lstrip()[:3]
        is_mark = start in _FENCES and mark in ("", start)
        yield line, bool(mark) or is_mark
        if is_mark and mark:
            mark = ""
        elif is_mark:
            mark = start


def _read_sentence(text: str) -> str:
    """Read the first sentence of the first paragraph as plain text; a fence has none."""
    paragraph = text.strip().partition("\n\n")[0].partition("```")[0]
    sentence = _SENTENCE.match(" ".join(_MARKS.sub(r"\1", paragraph).split()))
    return sentence[0] if sentence else ""
