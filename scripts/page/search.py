"""Search: the index of the built pages, in which Pagefind knows the word forms of each language."""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from pagefind.index import IndexConfig, PagefindIndex

from scripts.render.words import Words

FOLDER = "pagefind"
CONTENT = "article"
IGNORED = ("[data-search-exclude]", ".headerlink", ".claim-anchor", ".md-source-file")
CHARACTERS = "_+@"
"""Parts of words here: ``to_thread``, ``io+cpu``."""
JOINER = "\N{WORD JOINER} "
"""Parts ``asyncio.to_thread`` in the index, so that ``to_thread`` is a word too; the dialog takes
it out of what it shows."""

_INSIDE_NAMES = re.compile(r"(?<=[.(])(?=[^\W\d])|(?<=>[.(])(?=</span>)|<[^>]*>")
_PICTURE = re.compile(r"<img\b[^>]*>")


def index_pages(site: Path) -> None:
    """Write ``pagefind/`` into a site whose pages are built; each language gets its own index."""
    pages = {
        str(path.relative_to(site)): part_names(drop_pictures(path.read_text(encoding="utf-8")))
        for path in sorted(site.rglob("*.html"))
    }
    asyncio.run(_index(pages, site / FOLDER))


def show_words(words: Words) -> Markup:
    """What the search dialog says, as an element that its script reads."""
    texts = htmlsafe_json_dumps(words.catalogue["search"], ensure_ascii=False)
    return Markup('<script type="application/json" id="search-words">{}</script>').format(texts)


def part_names(page: str) -> str:
    """A page for the index, in which the parts of dotted names and of calls are words."""
    return _INSIDE_NAMES.sub(lambda found: found[0] or JOINER, page)


def drop_pictures(page: str) -> str:
    """A page for the index, which would take in the address of the first picture.

    A notebook's pictures are in their addresses, and these have parts that fit every question.
    """
    return _PICTURE.sub("", page)


async def _index(pages: Mapping[str, str], output: Path) -> None:
    config = IndexConfig(
        root_selector=CONTENT,
        exclude_selectors=list(IGNORED),
        include_characters=CHARACTERS,
        output_path=str(output),
    )
    async with PagefindIndex(config=config) as index:
        for path, page in pages.items():
            await index.add_html_file(content=page, source_path=path)
