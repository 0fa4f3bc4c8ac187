"""Surroundings: what stands around the text of a page."""

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

from scripts.site.page import preview
from scripts.site.page.addresses import show_moved
from scripts.site.page.head import link_feed, link_languages, show_card
from scripts.site.page.notebook import find_brought
from scripts.site.page.search import show_words
from scripts.site.page.weight import lighten
from scripts.site.render.policy import add_policy
from scripts.site.render.words import load_words

_FORMULAS = re.compile(r"<script data-mkdocs-jupyter-mathjax=.*?</script>", re.DOTALL)


def surround(output: str, page: Page, config: MkDocsConfig) -> str:
    """A page with what is told of it, what its scripts read, and links that lead on.

    And it asks for nothing that a third party has: mkdocs-jupyter loads formulas from elsewhere
    even where there are none.
    """
    language, url = config["theme"]["language"], page.file.url.removeprefix("./")
    words = load_words(language)
    address = page.canonical_url or ""
    root = address.removesuffix(f"{language}/{url}")
    title = config["site_name"] if page.is_homepage else str(page.title)
    card = show_card(title, page.meta.get("description", ""), address, root, words)
    card += link_feed(root, words)
    told = show_words(words) + show_moved(config["extra"]["addresses"], url)
    output = link_languages(output, url, root)
    output = output.replace("</head>", f"{card}</head>", 1).replace("</body>", f"{told}</body>")
    output = lighten(_FORMULAS.sub("", config["extra"]["moved"].lead(output, page)))
    if preview.is_on():  # MkDocs puts a script of its own into each page then
        return output
    is_notebook = page.file.src_path.endswith(".ipynb")
    return add_policy(output, find_brought(page.content or "") if is_notebook else ())
