"""Finish: what pages get that no author writes.

In the Markdown of a page: where no line may break, what became of the claims that it links, and where
its anchors are that have moved. Beside them: a page wherever one was once, and *Mine*.
"""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from scripts.site.declare.addresses import Addresses, read_addresses
from scripts.site.judge.claims import UNDECIDED
from scripts.site.page.context import check_all, keep, page_url
from scripts.site.page.mine import write_mine
from scripts.site.page.sources import list_below, list_claims, read_source, scan
from scripts.site.render.html import render, slug
from scripts.site.render.names import ICONS
from scripts.site.render.policy import add_policy
from scripts.site.render.words import Words

_NO_BREAK = "\N{NO-BREAK SPACE}"
_ID = re.compile(r"\{#([^}\s]+)")
_CLAIM_LINK = re.compile(r"\[([^\[\]]+)\](\([^)\s]*#claim-([\w-]+)\))")
# Code or a tag, or a space before a dash, a unit or three digits more, at which no line may break.
_LOOSE = re.compile(
    r"(`[^`]*`|<[^>]*>)| (?=— )|(?<=\d) (?=(?:%|[mµ]s|мк?с|[KMG]i?B|[КМГ]и?Б)(?!\w)|\d{3}(?![\d.]))"
)
_MOVED = '<script type="application/json" id="moved-anchors">{}</script>'
_read_known = keep(read_addresses)  # which every page asks


def finish_page(text: str, docs: Path, source: str, words: Words) -> str:
    """Finish the Markdown of the page ``source`` in the folder ``docs``; its fences stay as they are."""
    tell_status = partial(_tell_status, words=words)
    lines = []
    for line, is_fenced in scan(text):
        if is_fenced:
            lines.append(line)
        else:
            joined = _LOOSE.sub(lambda space: space[1] or _NO_BREAK, line)
            lines.append(_CLAIM_LINK.sub(tell_status, joined))
    page = page_url(source)
    moved = list_ways(_read_known(), page)
    # A home leads to what stands on a page below it; its links to these have ids as well.
    present = {"top", *_ID.findall(text), *(f"claim-{id_}" for id_ in list_claims(text))}
    for name in list_below(docs, source)[1:]:
        for anchor in sorted(read_source(docs, name).anchors - present - moved.keys()):
            moved[anchor] = f"{'../' * page.count('/')}{page_url(name)}#{anchor}"
    if moved:
        lines.append(f"\n\n{_MOVED.format(json.dumps(moved))}\n")
    return "".join(lines)


def _tell_status(link: re.Match[str], words: Words) -> str:
    """Write a link to a claim with the claim's status: a sentence may lean on what is refuted."""
    label, target, id_ = link.groups()
    checked = check_all().get(id_)
    if checked is None:  # which the check of the links tells
        return link[0]
    status, sign = checked.status, ""
    if status not in UNDECIDED:
        sign = f'<span aria-hidden="true">{ICONS[status]}</span>{_NO_BREAK}'
    title = words.term("claim_status", status)
    marks = f'{{.claim-link .claim-{slug(status)} title="{title}"}}'
    return f"[{sign}{label}]{target}{marks}"


def list_ways(known: Addresses, page: str) -> dict[str, str]:
    """List the way to each anchor that a page had once; the page itself is ''."""
    up = "../" * page.count("/")
    return {anchor: up + new for anchor, new in known.list_moved(page).items()}


def write_more(words: Words) -> Iterator[tuple[str, str]]:
    """Write the files of a language that have no source, by their names.

    Wherever a page was once, one leads on, with its anchors.
    """
    yield from write_mine(words)
    known = _read_known()
    for page in known.moved:
        if "#" not in page:
            ways = list_ways(known, page)
            text = render("moved.html", words=words, address=ways[""], moved=ways)
            yield f"{page}index.html", add_policy(text)
