"""Search: the index of the built pages, in which Pagefind knows the word forms of each language."""

import asyncio
import json
from pathlib import Path

from pagefind.index import IndexConfig, PagefindIndex

from scripts.render.words import Words

FOLDER = "pagefind"
CONTENT = "article"
IGNORED = ("[data-search-exclude]", ".headerlink", ".claim-anchor", ".md-source-file")
CHARACTERS = "_+@"
"""Parts of words here: ``to_thread``, ``io+cpu``."""


def index_pages(site: Path) -> None:
    """Write ``pagefind/`` into a site whose pages are built; each language gets its own index."""
    asyncio.run(_index(site))


def show_words(words: Words) -> str:
    """What the search dialog says, as an element that its script reads."""
    texts = json.dumps(words.catalogue["search"], ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="search-words">{texts}</script>'


async def _index(site: Path) -> None:
    config = IndexConfig(
        root_selector=CONTENT,
        exclude_selectors=list(IGNORED),
        include_characters=CHARACTERS,
        output_path=str(site / FOLDER),
    )
    async with PagefindIndex(config=config) as index:
        await index.add_directory(str(site))
