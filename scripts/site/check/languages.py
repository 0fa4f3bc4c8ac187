"""Languages: the same pages, the same headings' ids, the same fences, and none behind the others.

A page notes in its front matter (``sibling``) a digest of the same page in the other languages as
it was when they last agreed. When one of them has moved on alone, the digests differ.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.harness.declaration import read_text
from scripts.site.check.markdown import Fence, Heading, Line, split

PAGES = ("*.md", "*.ipynb")
DIGEST_LENGTH = 12

_FENCE_OPTIONS = re.compile(r'python( [a-z]+="[^"]*")+')
_UNREAD = 'html="true"'
"""What a fence prints is then not read again as Markdown: in strings of records it could be anything."""
_ASCII_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_SIBLING = re.compile(r"^sibling: *(\S+)$\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What of a page must be the same in every language.

    ``headings`` are the ids in order, empty where a heading has none, each with its line;
    ``fences`` are those that are executed, whole, each with its line; ``order`` has both as they
    follow each other.
    """

    path: Path
    headings: tuple[Line, ...]
    fences: tuple[Line, ...]
    order: tuple[Line, ...]
    digest: str
    sibling: str | None


def find_differences(docs: Path) -> Iterator[str]:
    """A line for everything in which the languages below ``docs`` differ."""
    languages = list_languages(docs)
    names = sorted({name for pages in languages.values() for name in pages})
    for name in names:
        lacking = [language for language, pages in languages.items() if name not in pages]
        if lacking:
            yield f"{docs}/{{{','.join(lacking)}}}/{name}: missing; other languages have this page"
            continue
        pages = {language: read_page(found[name]) for language, found in languages.items()}
        for page in pages.values():
            yield from _find_own_problems(page)
        first, *others = pages.values()
        for other in others:
            yield from _compare(first, other)
        for language, page in pages.items():
            if page.sibling != digest_siblings(pages, language):
                yield (
                    f"{page.path}:1: sibling: another language of this page has changed since; "
                    "bring them together, then `make parity`"
                )


def note_siblings(docs: Path) -> None:
    """Write into every page the digest of its other languages as they are now."""
    languages = list_languages(docs)
    for name in sorted(set.intersection(*(set(found) for found in languages.values()))):
        pages = {language: read_page(found[name]) for language, found in languages.items()}
        for language, page in pages.items():
            _write_sibling(page.path, digest_siblings(pages, language))


def list_languages(docs: Path) -> dict[str, dict[str, Path]]:
    """The pages of every language by their name; a language is a folder with an index page."""
    return {
        folder.name: {
            str(path.relative_to(folder)): path
            for pattern in PAGES
            for path in sorted(folder.rglob(pattern))
        }
        for folder in sorted(docs.iterdir())
        if (folder / "index.md").exists()
    }


def digest_siblings(pages: Mapping[str, Page], language: str) -> str:
    """What a page of ``language`` should note of the others."""
    others = [page.digest for name, page in sorted(pages.items()) if name != language]
    return others[0] if len(others) == 1 else _digest("".join(others))


def read_page(path: Path) -> Page:
    """A page of Markdown, or the Markdown cells of a notebook."""
    text = read_text(path)
    if path.suffix == ".ipynb":
        notebook = json.loads(text)
        cells = notebook["cells"]
        prose = [cell for cell in cells if cell["cell_type"] == "markdown"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        body = "\n".join("".join(cell["source"]) for cell in prose)
        headings, _, order = _scan(body)
        fences = tuple((1, "".join(cell["source"])) for cell in code)
        sibling = notebook["metadata"].get("sibling")
        digest = _digest(json.dumps([cell["source"] for cell in cells], ensure_ascii=False))
    else:
        matter = _FRONT_MATTER.match(text)
        found = _SIBLING.search(matter.group(1)) if matter else None
        sibling = found.group(1) if found else None
        headings, fences, order = _scan(text)
        digest = _digest(_FRONT_MATTER.sub("", text))
    return Page(
        path=path, headings=headings, fences=fences, order=order, digest=digest, sibling=sibling
    )


def _scan(text: str) -> tuple[tuple[Line, ...], ...]:
    """The ids of headings, executed fences with their options, and all of these; with their lines."""
    headings, fences, order = [], [], []
    for part in split(enumerate(text.splitlines(), start=1)):
        if isinstance(part, Heading):
            headings.append((part.line, part.id))
            order.append(headings[-1])
        elif isinstance(part, Fence) and part.is_executed:
            fences.append((part.line, f"{part.options}\n{part.code}"))
            order.append(fences[-1])
    return tuple(headings), tuple(fences), tuple(order)


def _find_own_problems(page: Page) -> Iterator[str]:
    seen: set[str] = set()
    for line, heading in page.headings:
        if not _ASCII_ID.fullmatch(heading):
            yield f"{page.path}:{line}: a heading needs an id of its own, like {{#gil}}"
        elif heading in seen:
            yield f"{page.path}:{line}: a second heading with the id {heading!r}"
        seen.add(heading)
    if page.path.suffix == ".md":
        for line, fence in page.fences:
            if not _FENCE_OPTIONS.fullmatch(fence.splitlines()[0]):
                yield f"{page.path}:{line}: options of a fence that will not be understood"
            elif _UNREAD not in fence.splitlines()[0]:
                yield f"{page.path}:{line}: a fence without {_UNREAD}: its output would be Markdown"


def _compare(first: Page, other: Page) -> Iterator[str]:
    for what, ours, theirs in (
        ("heading", first.headings, other.headings),
        ("fence", first.fences, other.fences),
        ("place of a heading or fence", first.order, other.order),
    ):
        for (_, one), (line, two) in zip(ours, theirs, strict=False):
            if one != two:
                yield f"{other.path}:{line}: this {what} differs from that of {first.path}"
                break
        else:
            if len(ours) != len(theirs):
                yield f"{other.path}: {len(theirs)} {what}s, but {first.path} has {len(ours)}"


def _write_sibling(path: Path, digest: str) -> None:
    text = read_text(path)
    if path.suffix == ".ipynb":
        notebook = json.loads(text)
        notebook["metadata"]["sibling"] = digest
        text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
    else:
        matter = _FRONT_MATTER.match(text)
        lines = _SIBLING.sub("", matter.group(1)).strip() + "\n" if matter else ""
        body = _FRONT_MATTER.sub("", text)
        text = f"---\n{lines}sibling: {digest}\n---\n{body}"
    path.write_text(text, encoding="utf-8")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]
