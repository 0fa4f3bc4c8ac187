"""The notebook: the data that it opens while the build executes it, and its text on old Pythons.

mkdocs-jupyter keeps what a notebook gave until its text changes. It does not see that the data
did; so data and cache are named after what is in the data, and builds at once share neither.
"""

import json
import os
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from poolwise.paths import write_whole
from scripts.site.kept import digest, keep_file
from scripts.site.page.context import digest_sources, gather, keep, open_pipeline
from scripts.site.render.html import clean
from scripts.site.render.published import make_document
from scripts.site.render.words import load_words

CACHE = Path(".cache")
DIGEST_LENGTH = 12
_UNTOLD = "No description has been provided for this image"


def is_notebook(page: Page) -> bool:
    """Tell whether mkdocs-jupyter makes the page."""
    return page.file.src_uri.endswith(".ipynb")


def prepare(config: MkDocsConfig) -> None:
    """Let mkdocs-jupyter run a notebook on the data of this build; measures what is missing.

    ``PAGE_LANGUAGE`` tells the notebook how to name the axes. Its text is Markdown like a page's,
    where mkdocs-jupyter can read it so: its last version for Python 3.11 cannot, see ``mend``.
    """
    plugin, language = config.plugins["mkdocs-jupyter"], config.theme["language"]
    path, name = _write_data()
    os.environ |= {"RESULTS_JSON": str(path), "PAGE_LANGUAGE": language}
    plugin.config["cache_dir"] = str(CACHE / f"mkdocs-jupyter-{language}-{name}")
    if _reads_markdown(config):
        plugin.config["markdown_cell_processor"] = "mkdocs"
        # Of this version alone it loads nothing into every page to draw formulas.
        plugin.config["mathjax_version"] = 2


def protect(html: str) -> str:
    """Make lines of Markdown none: what cells printed comes as HTML, which is then read as that."""
    before, *printed = clean(html).split("<pre")
    for part in printed:
        output, end, rest = part.partition("</pre>")
        before += "<pre" + output.replace("\n", "&#10;") + end + rest
    return before


def dress(html: str, page: Page, config: MkDocsConfig) -> str:
    """Give a notebook the look of the pages, and tell of its pictures in the words of its language.

    Its code is theirs, with their button that copies it. The styles and scripts that mkdocs-jupyter
    brings go; one of its style blocks it leaves in the text, where it would be read as prose.
    """
    soup: Any = BeautifulSoup(html, "html.parser")  # whose types allow for what no notebook has
    if not _reads_markdown(config):
        mend(soup, page, config.mdx_configs["toc"]["permalink_title"])
    for brought in soup.select("style, script, .zeroclipboard-container, .clipboard-copy-txt"):
        brought.decompose()
    for code in soup.select("div.highlight-ipynb pre"):
        code.parent["class"] = "highlight"
        code.wrap(soup.new_tag("pre")).pre.name = "code"
    for code in soup.select("div.highlight > pre > code"):
        if code.get_text().lstrip().startswith("<style>"):
            code.find_parent("div").decompose()
    for printed in soup("pre"):
        printed["tabindex"] = 0  # it may have to be scrolled
    alternative = load_words(config.theme["language"]).text("notebook_picture")
    for picture in soup("img", alt=_UNTOLD):
        picture["alt"] = alternative
    return str(soup)


def _reads_markdown(config: MkDocsConfig) -> bool:
    return "markdown_cell_processor" in config.plugins["mkdocs-jupyter"].config


def _make_data() -> bytes:
    document = make_document([gather(name) for name in open_pipeline().experiments])
    del document["generated_at"]  # of no interest to the notebook, and new at every build
    return json.dumps(document, ensure_ascii=False).encode()


@keep
def _write_data() -> tuple[Path, str]:
    data = keep_file("notebook", digest_sources(), _make_data)
    name = digest(data)[:DIGEST_LENGTH]
    path = (CACHE / f"results-{name}.json").resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data)
    return path, name


def mend(soup: Any, page: Page, permalink_title: str) -> None:  # noqa: ANN401 - as in ``dress``
    """Make a notebook as mkdocs-jupyter 0.26 gives it, the last for Python 3.11, like a page.

    It reads the text of a notebook as Jupyter does: the front matter and ``{#id}`` are text to it,
    links to pages lead nowhere. Title, description and the table of contents of ``page`` are set.
    """
    for sign in soup("a", "anchor-link"):
        sign.decompose()
    matter = soup.select_one("hr + h2")
    page.meta.update(dict(line.split(": ", 1) for line in matter.get_text().splitlines()))
    page.title = page.meta["title"]
    soup.hr.decompose()
    matter.decompose()
    tokens: list[Any] = []
    for heading in soup(["h1", "h2", "h3", "h4"]):
        name, _, id_ = heading.decode_contents().rpartition(" {#")
        heading["id"] = id_.removesuffix("}")
        link = f'<a class="headerlink" href="#{heading["id"]}" title="{permalink_title}">#</a>'
        heading.clear()
        heading.append(BeautifulSoup(name + link, "html.parser"))
        level = int(heading.name[1])
        place = tokens[-1]["children"] if tokens and level > 1 else tokens
        place.append({"level": level, "id": heading["id"], "name": name, "children": []})
    page.toc = get_toc(tokens)
    for way in soup("a", href=True):
        name, suffix, anchor = way["href"].partition(".md")
        if suffix:
            way["href"] = f"../{name}/{anchor}"
