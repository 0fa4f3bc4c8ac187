"""The head of a page: what the theme's templates and the browser are told of it."""

from typing import Any

from jinja2.utils import htmlsafe_json_dumps
from mkdocs.structure.pages import Page

from scripts.site.declare import texts
from scripts.site.page import notebook
from scripts.site.render.policy import add_policy
from scripts.site.render.words import Words, load_words

CARD = "card.png"
"""The picture of the site, at its root."""
FEED = "changes.xml"
"""Of a language, in its folder."""
_LIVE = "livereload.js"
"""Part of the script that MkDocs puts into each page of a preview, and no policy knows of."""


def tell_theme(words: Words, root: str) -> dict[str, Any]:
    """Give what ``main.html`` shows on every page; ``root`` is the public address, or empty."""
    return {
        "root": root,
        "site_heading": words.text("root_heading"),
        "card": f"{root}{CARD}",
        "feed": f"{root}{words.language}/{FEED}",
        "feed_title": words.text("feed_title"),
        "search_words": htmlsafe_json_dumps(words.catalogue["search"], ensure_ascii=False),
    }


def list_languages(url: str) -> list[dict[str, str]]:
    """List the same page in each language, relatively, so that it works on any host and path.

    The theme takes links as relative to the root of the language and rewrites them for the page.
    """
    return [
        {
            "name": load_words(language).catalogue["name"],
            "link": f"../{language}/{url}",
            "lang": language,
        }
        for language in texts.list_languages()
    ]


def protect(output: str, page: Page) -> str:
    """Give a page its policy; it asks for nothing that a third party has."""
    output = notebook.drop_formulas(output)
    if _LIVE in output:
        return output
    is_notebook = notebook.is_notebook(page)
    return add_policy(output, notebook.find_brought(page.content or "") if is_notebook else ())
