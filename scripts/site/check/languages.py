"""Languages: the same pages, headings' ids, fences and paragraphs, and none behind the others.

A page notes in its front matter (``sibling``) a digest of the same page in the other languages as
it was when they last agreed. When one of them has moved on alone, the digests differ.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from poolwise.declaration import read_text
from scripts.site.check.pages import (
    Fence,
    Heading,
    Paragraph,
    Problem,
    list_pages,
    read_lines,
    split,
)
from scripts.site.kept import digest

DIGEST_LENGTH = 12

_FENCE_OPTIONS = re.compile(r'python( [a-z]+="[^"]*")+')
# The output of such a fence is not read as Markdown: in strings of records it could be anything.
_RAW_OUTPUT = 'html="true"'
_NOTEBOOK_OPTIONS = 'python html="true"'  # nothing of a notebook is read as Markdown again
_ASCII_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")
_ROW = re.compile(r"\s*\|")
_SIBLING = re.compile(r"^sibling: *(\S+)$\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph of any language: its items, rows and rules, and whether it is inside a fold or an item."""

    line: int
    items: int
    rows: int
    is_inside: bool
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The parts of a page, in their order, that must be the same in every language; code of notebooks last."""

    path: Path
    parts: tuple[Heading | Fence | Prose, ...]
    digest: str
    sibling: str | None


_KINDS = {Heading: "heading", Fence: "fence", Prose: "list, table or paragraph"}


def find_differences(docs: Path) -> Iterator[Problem]:
    """Find everything in which the languages below ``docs`` differ."""
    languages = list_pages(docs)
    for name in sorted(set().union(*languages.values())):
        lacking = [language for language, pages in languages.items() if name not in pages]
        if lacking:
            missing = docs / f"{{{','.join(lacking)}}}" / name
            yield Problem(missing, 0, "missing; other languages have this page")
            continue
        pages = {language: read_page(by_name[name]) for language, by_name in languages.items()}
        for page in pages.values():
            yield from _find_own_problems(page)
        first, *others = pages.values()
        for other in others:
            yield from _compare(first, other)
        for language, page in pages.items():
            if page.sibling != _digest_siblings(pages, language):
                changed = "another language of this page has changed since"
                message = f"sibling: {changed}; bring them together, then `make parity`"
                yield Problem(page.path, 1, message)


def note_siblings(docs: Path) -> None:
    """Write into every page the digest of its other languages as they are now."""
    languages = list_pages(docs)
    for name in sorted(set.intersection(*(set(by_name) for by_name in languages.values()))):
        pages = {language: read_page(by_name[name]) for language, by_name in languages.items()}
        for language, page in pages.items():
            _write_sibling(page.path, _digest_siblings(pages, language))


def read_page(path: Path) -> Page:
    """Read a page of Markdown, or a notebook."""
    text = read_text(path)
    parts = list(_list_parts(path))
    if path.suffix == ".ipynb":
        notebook = json.loads(text)
        cells = notebook["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        parts += [Fence(1, _NOTEBOOK_OPTIONS, "".join(cell["source"])) for cell in code]
        sibling = notebook["metadata"].get("sibling")
        content = json.dumps([cell["source"] for cell in cells], ensure_ascii=False)
    else:
        matter = _FRONT_MATTER.match(text)
        noted = _SIBLING.search(matter[1]) if matter else None
        sibling = noted[1] if noted else None
        content = _FRONT_MATTER.sub("", text)
    content_digest = digest(content.encode())[:DIGEST_LENGTH]
    return Page(path=path, parts=tuple(parts), digest=content_digest, sibling=sibling)


def _list_parts(path: Path) -> Iterator[Heading | Fence | Prose]:
    """List what a page has in every language; a fence that is only shown may differ."""
    for part in split(read_lines(path)):
        if isinstance(part, Paragraph):
            texts = [text for _, text in part.lines]
            items, rows = (len([*filter(pattern.match, texts)]) for pattern in (_ITEM, _ROW))
            if not texts[0].startswith("#"):
                is_inside = texts[0].startswith("    ")
                yield Prose(part.lines[0][0], items, rows, is_inside, part.rules)
        elif isinstance(part, Heading) or "exec=" in part.options:
            yield part


def _find_own_problems(page: Page) -> Iterator[Problem]:
    seen: set[str] = set()
    for part in page.parts:
        ids: tuple[str, ...] = ()
        if not isinstance(part, Fence):
            ids = part.rules if isinstance(part, Prose) else (part.id,)
        match part:
            case Heading() | Prose() if not all(map(_ASCII_ID.fullmatch, ids)):
                message = "a heading needs its own id, like {#gil}, a rule one like {#rule-gil}"
            case Heading() | Prose() if seen.intersection(ids):
                message = f"a second heading or rule with the id {', '.join(ids)!r}"
            case Fence() if not _FENCE_OPTIONS.fullmatch(part.options):
                message = "unknown options of a fence"
            case Fence() if _RAW_OUTPUT not in part.options:
                message = f"a fence without {_RAW_OUTPUT}: its output would be Markdown"
            case _:
                message = ""
        seen.update(ids)
        if message:
            yield Problem(page.path, part.line, message)


def _compare(first: Page, other: Page) -> Iterator[Problem]:
    """Find the first part in which two languages of a page differ."""
    for part, two in zip(first.parts, other.parts, strict=False):
        if replace(part, line=two.line) != two:
            message = f"this {_KINDS[type(two)]} differs from {first.path}:{part.line}"
            yield Problem(other.path, two.line, message)
            return
    if len(first.parts) != len(other.parts):
        message = f"{len(other.parts)} parts, but {first.path} has {len(first.parts)}"
        yield Problem(other.path, 0, message)


def _write_sibling(path: Path, digest: str) -> None:
    text = read_text(path)
    if path.suffix == ".ipynb":
        notebook = json.loads(text)
        notebook["metadata"]["sibling"] = digest
        text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
    else:
        matter = _FRONT_MATTER.match(text)
        lines = _SIBLING.sub("", matter[1]).strip() + "\n" if matter else ""
        body = _FRONT_MATTER.sub("", text)
        text = f"---\n{lines}sibling: {digest}\n---\n{body}"
    path.write_text(text, encoding="utf-8")


def _digest_siblings(pages: Mapping[str, Page], language: str) -> str:
    others = [page.digest for name, page in sorted(pages.items()) if name != language]
    return others[0] if len(others) == 1 else digest("".join(others).encode())[:DIGEST_LENGTH]
