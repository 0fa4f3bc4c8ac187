"""Publish: every page of a language as a plain file, before MkDocs runs.

``build/docs/<language>`` gets what ``docs/<language>`` has, each link already leading to where its
target stands; and what nobody writes by hand: pages of programs, pictures, the style
sheet, and a page wherever one was once. The fences stay; markdown-exec runs them. Whatever reads
Markdown and runs fences can build the site from there.
"""

import atexit
import fcntl
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from posixpath import dirname, normpath, relpath
from typing import Any

from mkdocs.utils.meta import get_data

from poolwise.dependencies import find_all_packages, find_shared
from scripts.site.declare.addresses import Addresses, read_addresses
from scripts.site.judge.claims import UNDECIDED
from scripts.site.page.context import check_all, is_stale, open_pipeline, page_url, split_program
from scripts.site.page.mine import write_mine
from scripts.site.page.sections import (
    IMPORT,
    PROGRAM,
    Section,
    Source,
    drop_marks,
    list_claims,
    read_paragraph,
    read_sentence,
    read_source,
    scan,
    write_fence,
)
from scripts.site.render.html import render, slug
from scripts.site.render.names import ICONS
from scripts.site.render.policy import add_policy
from scripts.site.render.programs import tell_unknown_program
from scripts.site.render.words import Words, load_words

MOST_OPEN = 8
"""Programs on a page that a phone lays out at once; those after them are folded."""

_LINK = re.compile(r"(?:\[([^\[\]]*))?\]\(([^)\s]+)\)")
_LOOSE = re.compile(
    r"(`[^`]*`|<[^>]*>)| (?=— )|(?<=\d) (?=(?:%|[mµ]s|мк?с|[KMG]i?B|[КМГ]и?Б)(?!\w)|\d{3}(?![\d.]))"
)
"""Code or a tag, or a space before a dash, a unit or three digits more, at which no line may break."""
_MOVED = '<script type="application/json" id="moved-anchors">{}</script>'
_OWN = ("sections", "sibling")
"""What is for us alone in the front matter of a source."""


def publish(
    docs: Path, build: Path, language: str, *, more: Mapping[str, str]
) -> tuple[Path, dict[str, str]]:
    """Write the pages of a language, and ``more`` files by their names.

    Where another build is reading in ``build``, a folder of our own is used. A page whose fences show
    what has changed counts as new also where its text stays the same. Returns where they are, and each
    page's title, in the order of reading.
    """
    words = load_words(language)
    paths = sorted(path for path in docs.rglob("*") if path.is_file())
    names = {path.relative_to(docs).as_posix(): path for path in paths}
    sources = {name: read_source(docs, name) for name in names if name.endswith(".md")}
    pages = _Pages(sources, words, read_addresses())
    texts: dict[str, str] = {}
    for name, source in sources.items():
        texts |= pages.write(name, source)
    texts |= {name: enter(text, language, name) for name, text in write_mine(words)}
    titles = {name: _read_title(text) for name, text in texts.items()}
    texts |= {**dict(_write_moved(pages.addresses, words)), **more}
    files = {name: text.encode() for name, text in texts.items()}
    files |= {name: path.read_bytes() for name, path in names.items() if name not in sources}
    folder = _claim(build)
    _write_files(folder, files, language)
    return folder, titles


def enter(text: str, language: str, name: str) -> str:
    """Tell the fences of a page where they stand."""
    line = f'{IMPORT.rstrip()}; show = show.enter("{language}", "{name}")\n'
    return text.replace(IMPORT, line)


@dataclass(frozen=True, slots=True)
class _Pages:
    """Writes the pages of a language, each of which may become several."""

    sources: Mapping[str, Source]
    words: Words
    addresses: Addresses

    def write(self, name: str, source: Source) -> dict[str, str]:
        """Write a source as its own page and those of its sections."""
        rest: list[str] = []
        parts: dict[str, list[Section]] = {}
        for section in source.sections:
            if section.page == name:
                if rest and rest[-1].startswith("- "):
                    rest.append("\n")  # the end of a list of links
                rest.append(section.heading + self._lead(section.text, name, name))
                continue
            if section.begins:
                rest.append(self._point(section, source, name))
            parts.setdefault(section.page, []).append(section)
        matter = {key: source.matter[key] for key in source.matter if key not in _OWN}
        texts = {name: self._finish(name, matter, "".join(rest))}
        for page, sections in parts.items():
            texts[page] = self._write_part(page, sections, source.matter["title"], name)
        return texts

    def _write_part(self, page: str, sections: Sequence[Section], above: str, home: str) -> str:
        """Write the page of some sections of ``home``, whose title is ``above``."""
        first, is_code = sections[0], sections[0].is_program
        heading, title, top = first.title, drop_marks(first.title), first.id
        imported = _write_imported(sections)
        if is_code:
            experiment = open_pipeline().experiments.get(home.removesuffix(".md"))
            entry = experiment and experiment.navigation
            named = entry.title[self.words.language] if entry else above
            heading = title = self.words.text("code_title", title=named)
            top = "top"
            shared = [section for section in sections if _is_shared(section.program)]
            ordered = [*shared, *(section for section in sections if section not in shared)]
            parts = [*(f"- [{one.title}](#{one.id})\n" for one in ordered), "\n"]
            parts += [self._tell_packages(first.program), "\n", imported]
            for number, section in enumerate(ordered, start=-len(shared)):
                parts.append(f"## {section.title} {{#{section.id}}}\n\n")
                parts += [self._write_program(section, home, folded=number >= MOST_OPEN), "\n"]
            text = "".join(parts[:-1])
        elif first.program and len(sections) == 1:
            packages = self._tell_packages(first.program)
            text = f"{packages}\n{imported}{self._write_program(first, home)}"
        else:
            deeper = (replace(one, level=one.level - first.level + 1) for one in sections[1:])
            text = first.text + "".join(one.heading + one.text for one in deeper)
            text = imported + self._lead(text, home, page)
        matter = {"title": title, "description": read_paragraph(first.text) or title}
        file = Path(home).name
        crumbs = [f"[{above}]({file}#top)"]
        crumbs += [f"[{one.title}]({file}#{one.id})" for one in first.above[1:]]
        trail = f"{' › '.join(crumbs)}\n{{: .crumbs data-search-exclude }}\n"
        head = f"\n# {heading} {{#{top}}}\n\n{self._lead(trail, home, page)}\n"
        return self._finish(page, matter, head + text)

    def _write_program(self, section: Section, home: str, *, folded: bool = False) -> str:
        """Write a program whole, what its page says of it, and folded what was measured of it."""
        call = f'{PROGRAM}"{section.program}"'
        text = section.text.strip().replace(call, f"{call}, folded={folded}")
        text = f"{self._lead(text, home, section.page)}\n\n"
        folder, file = split_program(section.program)
        if any(one.name == file for one in open_pipeline().experiments[folder].programs):
            call = f'sheet("{section.program}", but={list_claims(section.text)!r})'
            text += write_fence(f"{section.id}-sheet", call)
        return text

    def _tell_packages(self, program: str) -> str:
        """Tell how to install what the programs of an experiment import, and its server."""
        names = find_all_packages(open_pipeline().experiments[split_program(program)[0]])
        command = f"```bash\npython -m pip install {' '.join(sorted(names))}\n```\n"
        return f"{self.words.text('code_packages')}\n\n{command}" if names else ""

    def _point(self, section: Section, source: Source, home: str) -> str:
        """Leave the link to a section's page, its first sentence, and the ids that went along."""
        page = relpath(section.page, dirname(home) or ".")
        anchor = f"#{section.id}" if section.is_program else ""
        marks = ""
        for one in source.sections:
            is_below = one.page == section.page and any(up.id == section.id for up in one.above)
            if one is section or is_below:
                marks += "".join(f'<i id="{id_}"></i>' for id_ in one.anchors if id_ != section.id)
        line = f"- [{section.title}]({page}{anchor}){{#{section.id} .section}}{marks}"
        sentence = read_sentence(section.text)
        return line + (f"<br>{self._lead(sentence, home, home)}\n" if sentence else "\n")

    def _lead(self, text: str, source: str, page: str) -> str:
        """Lead the links of a source's text to where their targets stand, as seen from a page."""

        def lead(link: re.Match[str]) -> str:
            label, target = link.groups()
            if ":" in target:
                return link[0]
            path, sign, anchor = target.partition("#")
            aim = normpath(f"{dirname(source)}/{path}").lstrip("/") if path else source
            if sign and aim in self.sources:
                aim = self.sources[aim].locate(anchor) or aim
            way = "" if sign and aim == page else relpath(aim, dirname(page) or ".")
            target = way + sign + anchor
            if label and anchor.startswith("claim-"):
                return self._tell_status(label, target, anchor.removeprefix("claim-"))
            opening = "" if label is None else f"[{label}"
            return f"{opening}]({target})"

        lines = []
        for line, is_fenced in scan(text):
            joined = _LOOSE.sub(lambda found: found[1] or "\N{NO-BREAK SPACE}", line)
            lines.append(line if is_fenced else _LINK.sub(lead, joined))
        return "".join(lines)

    def _tell_status(self, label: str, target: str, id_: str) -> str:
        """Write a link to a claim with the claim's status: a sentence may lean on what is refuted."""
        checked = check_all().get(id_)
        if checked is None:  # which the check of the links tells
            return f"[{label}]({target})"
        status = checked.status
        sign = ""
        if status not in UNDECIDED:
            sign = f'<span aria-hidden="true">{ICONS[status]}</span>\N{NO-BREAK SPACE}'
        title = self.words.term("claim_status", status)
        marks = f'{{.claim-link .claim-{slug(status)} title="{title}"}}'
        return f"[{sign}{label}]({target}){marks}"

    def _finish(self, name: str, matter: Mapping[str, Any], text: str) -> str:
        """Put the front matter above a page, and beneath it which of its anchors have moved."""
        told = "".join(
            f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in matter.items()
        )
        moved = list_ways(self.addresses, page_url(name))
        below = f"\n\n{_MOVED.format(json.dumps(moved))}\n" if moved else ""
        return enter(f"---\n{told}---\n{text}{below}", self.words.language, name)


def list_ways(known: Addresses, page: str) -> dict[str, str]:
    """Tell of each anchor that a page had once the way to where it is now; the page itself is ''."""
    up = "../" * page.count("/")
    return {anchor: up + new for anchor, new in known.list_moved(page).items()}


def _write_moved(known: Addresses, words: Words) -> Iterator[tuple[str, str]]:
    """Write a page wherever one was once: it leads on, with its anchors."""
    for page in known.moved:
        if "#" not in page:
            ways = list_ways(known, page)
            text = render("moved.html", words=words, address=ways[""], moved=ways)
            yield f"{page}index.html", add_policy(text)


def _is_shared(name: str) -> bool:
    """Tell whether a file on a page is one that programs import."""
    folder, stem = split_program(name)
    return f"{stem}.py" in open_pipeline().experiments[folder].shared


def _write_imported(sections: Sequence[Section]) -> str:
    """Show what the programs of a page import from their folder, where no section shows it."""
    experiments = open_pipeline().experiments
    shown = [name for section in sections for name in section.programs]
    known = [name for name in shown if not tell_unknown_program(experiments, name)]
    fences: dict[str, str] = {}
    for folder, stem in map(split_program, known):
        for file in find_shared(experiments[folder], f"{stem}.py"):
            name = f"{folder}/{file}"
            if name not in shown:
                fences[name] = write_fence(slug(name), f'program("{name}")')
    return "".join(f"{fence}\n" for fence in fences.values())


def _read_title(text: str) -> str:
    """Return a page's title, or its first heading where it names none."""
    body, matter = get_data(text)
    heading = body.partition("# ")[2].partition("\n")[0].partition(" {#")[0]
    return str(matter.get("title", heading))


@cache
def _claim(build: Path) -> Path:
    """Take the folder for this process; where another one has it, one of our own for as long."""
    build.mkdir(parents=True, exist_ok=True)
    held = os.open(build, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)  # until the process ends
    except BlockingIOError:
        os.close(held)
        build = Path(tempfile.mkdtemp(prefix="pages-"))
        atexit.register(shutil.rmtree, build, ignore_errors=True)
    return build


def _write_files(folder: Path, files: Mapping[str, bytes], language: str) -> None:
    """Write what has changed, so that a preview builds it alone; what is no page any more goes."""
    for path in [one for one in folder.rglob("*") if one.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        is_same = path.is_file() and path.read_bytes() == content
        if is_same and not is_stale(language, name):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
