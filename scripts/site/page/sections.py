"""Sections that are pages of their own, below the page whose source they stand in.

A page names them in its front matter, ``sections``: patterns of the ids of their headings. In its
place each leaves a link; see ``moved`` for the addresses of what stood in it.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.utils.meta import get_data

from scripts.site.page.context import open_pipeline
from scripts.site.page.fence import write_fence
from scripts.site.render.words import Words, load_words

_HEADING = re.compile(r"(#{1,6}) (.*?) *\{#([^}\s]+)\}\s*")
_MARK = re.compile(r" *(`{3,}|~{3,})")
_PROGRAM = re.compile(r'```python[^\n]*\n[^`]*show\.program\("([^"]+)"\)[^`]*```\n*')
_CLAIM = re.compile(r'show\.claim\("([^"]+)"\)')
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|:$)")
_MARKS = re.compile(r"[`*]|\]\([^)]*\)|\[")


@dataclass(frozen=True, slots=True)
class Section:
    """A section by its id, with its title and the Markdown below it, both as in its page.

    ``above`` are links to the page and to the headings that it stands below.
    """

    id: str
    title: str
    level: int
    above: tuple[str, ...]
    text: str = ""


def split(source: str, patterns: str, folder: str) -> tuple[str, list[Section]]:
    """A page's Markdown with a link in the place of each section, and these.

    Args:
        source: the page's Markdown.
        patterns: of the ids of headings whose sections are pages of their own, with spaces between.
        folder: of their pages, beside the page.
    """
    wanted = re.compile("|".join(patterns.split()))
    rest: list[str | int] = []
    found: list[Section] = []
    inside = False
    above: list[tuple[int, str]] = []
    for line, heading in _scan(source):
        if heading and (not inside or len(heading[1]) <= found[-1].level):
            level = len(heading[1])
            above = [one for one in above if one[0] < level]
            inside = bool(wanted.fullmatch(heading[3]))
            if inside:
                links = tuple(link for _, link in above)
                rest.append(len(found))
                found.append(Section(heading[3], heading[2], level, links))
                continue
            above.append((level, f"[{heading[2]}](#{heading[3]})"))
            if rest and isinstance(rest[-1], int):
                rest.append("\n")  # the end of the list of links
        if not inside:
            rest.append(line)
        else:
            found[-1] = replace(found[-1], text=found[-1].text + line)
    lines = (line if isinstance(line, str) else _point(found[line], folder) for line in rest)
    return "".join(lines), found


def make_sections(files: Iterable[File], config: MkDocsConfig) -> list[File]:
    """The pages of the sections of all pages; they are not in the navigation."""
    words = load_words(config["theme"]["language"])
    return [
        File.generated(
            config,
            f"{file.src_uri.removesuffix('.md')}/{id_}.md",
            content=content,
            inclusion=InclusionLevel.NOT_IN_NAV,
        )
        for file in files
        if file.src_uri.endswith(".md")
        for id_, content in write_sections(file, words)
    ]


def leave_links(markdown: str, page: Page) -> str:
    """The Markdown of a page without its sections, with the links to them."""
    patterns = page.meta.get("sections")
    return split(markdown, patterns, page.file.name)[0] if patterns else markdown


def _scan(text: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Each line, and what is a heading in it; in a fence nothing is."""
    mark = ""
    for line in text.splitlines(keepends=True):
        found = _MARK.match(line)
        if found and not mark:
            mark = found[1]
        elif found and found[1] == mark:
            mark = ""
        yield line, None if mark or found else _HEADING.fullmatch(line)


def write_sections(file: File, words: Words) -> Iterator[tuple[str, str]]:
    """The ids of a page's sections, and the Markdown of the page of each."""
    body, matter = get_data(file.content_string)
    if "sections" not in matter:
        return
    _, sections = split(body, matter["sections"], file.name)
    places = {found[3]: one.id for one in sections for _, found in _scan(one.text) if found} | {
        one.id: one.id for one in sections
    }
    for section in sections:
        yield section.id, _link(write_section(section, words), section.id, file.name, places)


def _link(text: str, id_: str, home: str, places: dict[str, str]) -> str:
    """Markdown whose links were those of a page, as that of a section's page below it."""

    def lead(link: re.Match[str]) -> str:
        target = link[1]
        if ":" in target:
            return link[0]
        if not target.startswith("#"):
            return f"](../{target})"
        place = places.get(target[1:])
        if place == id_:
            return link[0]
        return f"](../{home}.md{target})" if place is None else f"]({place}.md{target})"

    return _LINK.sub(lead, text)


def write_section(section: Section, words: Words) -> str:
    """The Markdown of a section's page: of a program, with what is known of it around its text."""
    deeper = re.compile(rf"^#{{{section.level - 1}}}(?=#+ .*\{{#)", re.MULTILINE)
    text = deeper.sub("", section.text)
    told = _tell(text)
    matter = {"title": _MARKS.sub("", section.title), "description": told or section.title}
    head = "\n".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in matter.items()
    )
    programs = _PROGRAM.findall(text)
    if len(programs) == 1:
        text = _write_program(_PROGRAM.sub("", text), programs[0], words)
    crumbs = f"{' › '.join(section.above)}\n{{: .crumbs data-search-exclude }}\n"
    return f"---\n{head}\n---\n\n# {section.title} {{#{section.id}}}\n\n{crumbs}{text}"


def _point(section: Section, folder: str) -> str:
    """What stands in the place of a section: the link to its page, and its first sentence."""
    link = f"[{section.title}]({folder}/{section.id}.md){{#{section.id} .section}}"
    first = _SENTENCE.match(_tell(section.text))
    return f"- {link}{f'<br>{first[0]}' if first else ''}\n"


def _tell(text: str) -> str:
    """The first paragraph as plain text; a section may begin with a fence and have none."""
    return " ".join(_MARKS.sub("", text.strip().partition("\n\n")[0].partition("```")[0]).split())


def _write_program(text: str, path: str, words: Words) -> str:
    """Around what a page says of a program: its figures, its code, and what an article said of it."""
    experiment, name = path.removesuffix(".py").split("/")
    originals = open_pipeline().experiments[experiment].originals
    lead, fence, claims = text.partition("```")
    parts = [lead, write_fence("figures", f'program_figures("{path}")')]
    if fence:
        parts += [f"## {words.text('section_claims')} {{#checked}}\n", fence + claims]
    parts += [
        f"## {words.text('section_code')} {{#code}}\n",
        write_fence("code", f'program("{path}")'),
    ]
    if any(row["program"].removesuffix(".py") == name for row in originals):
        parts += [
            f"## {words.text('section_article')} {{#said}}\n",
            write_fence("said", f'program_originals("{path}")'),
        ]
    shown = _CLAIM.findall(claims)
    parts.append(write_fence("named", f'program_claims("{path}", but={shown!r})'))
    return "\n".join(parts)
