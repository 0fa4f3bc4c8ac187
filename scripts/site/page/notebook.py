"""The notebook: the data that it opens while the build executes it, and its text on old Pythons.

mkdocs-jupyter keeps what a notebook gave until its text changes. It does not see that the data
did; so data and cache are named after what is in the data, and builds at once share neither.
"""

import hashlib
import json
import os
import re
from html import unescape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from scripts.harness.paths import write_whole
from scripts.site.page.context import gather, keep, open_pipeline
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
    path, digest = _write_data()
    os.environ |= {"RESULTS_JSON": str(path), "PAGE_LANGUAGE": language}
    plugin.config["cache_dir"] = str(CACHE / f"mkdocs-jupyter-{language}-{digest}")
    if _reads_markdown(config):
        plugin.config["markdown_cell_processor"] = "mkdocs"


def protect(html: str) -> str:
    """Make lines of Markdown none: what cells printed comes as HTML, which is then read as that."""
    before, *printed = clean(html).split("<pre")
    for one in printed:
        output, end, rest = one.partition("</pre>")
        before += "<pre" + output.replace("\n", "&#10;") + end + rest
    return before


def dress(html: str, page: Page, config: MkDocsConfig) -> str:
    """Give a notebook the look of the pages, and tell of its pictures in the words of its language.

    Its code is theirs, with their button that copies it. The styles and scripts that mkdocs-jupyter
    brings go; one of its style blocks it leaves in the text, where it would be read as prose.
    """
    if not _reads_markdown(config):
        html = mend(html, page, config.mdx_configs["toc"]["permalink_title"])
    html = _CODE.sub(r'<div class="highlight"><pre><code>\1</code></pre>', _BROUGHT.sub("", html))
    html = html.replace("<pre>", '<pre tabindex="0">')  # it may have to be scrolled
    return html.replace(_UNTOLD, load_words(config.theme["language"]).text("notebook_picture"))


def drop_formulas(output: str) -> str:
    """Drop what loads formulas from elsewhere: mkdocs-jupyter puts it into every page."""
    return _FORMULAS.sub("", output)


def _reads_markdown(config: MkDocsConfig) -> bool:
    return "markdown_cell_processor" in config.plugins["mkdocs-jupyter"].config


@keep
def _write_data() -> tuple[Path, str]:
    document = make_document([gather(name) for name in open_pipeline().experiments])
    del document["generated_at"]  # of no interest to the notebook, and new at every build
    text = json.dumps(document, ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]
    path = (CACHE / f"results-{digest}.json").resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())
    return path, digest


def mend(html: str, page: Page, permalink_title: str) -> str:
    """A notebook as mkdocs-jupyter 0.26 gives it, the last for Python 3.11, made like a page.

    It reads the text of a notebook as Jupyter does: the front matter and ``{#id}`` are text to it,
    links to pages lead nowhere. Title, description and the table of contents of ``page`` are set.
    """
    if matter := _MATTER.search(html):
        page.title = unescape(matter[1])
        page.meta.update(title=page.title, description=unescape(matter[2]))
    tokens: list[Any] = []
    for level, name, id_ in _HEADING.findall(html):
        place = tokens[-1]["children"] if tokens and int(level) > 1 else tokens
        place.append({"level": int(level), "id": id_, "name": name, "children": []})
    page.toc = get_toc(tokens)
    link = rf'<a class="headerlink" href="#\3" title="{permalink_title}">#</a>'
    html = _HEADING.sub(rf'<h\1 id="\3">\2{link}</h\1>', _MATTER.sub("", html))
    return _PAGE_LINK.sub(r'href="../\1/\2"', html)


_MATTER = re.compile(r"<hr/>\s*<h2[^>]*>title: (.*?)\ndescription: (.*?)<a .*?</h2>", re.DOTALL)
_HEADING = re.compile(r'<h([1-6]) id="[^"]*">(.*?) \{#([a-z0-9-]+)\}<a .*?</h\1>')
_PAGE_LINK = re.compile(r'href="([a-z/-]+)\.md(#[a-z0-9-]+)?"')
_FORMULAS = re.compile(r"<script data-mkdocs-jupyter-mathjax=.*?</script>", re.DOTALL)
_BROUGHT = re.compile(
    r"<(style|script)\b.*?</\1>|"
    r'<div class="highlight"><pre><span></span><code>\s*&lt;style&gt;.*?</pre></div>|'
    r'<div class="zeroclipboard-container">.*?</clipboard-copy>\s*</div>|'
    r'<div class="clipboard-copy-txt".*?</div>',
    re.DOTALL,
)
_CODE = re.compile(r'<div class="highlight-ipynb hl-python">\s*<pre>(.*?)</pre>', re.DOTALL)
