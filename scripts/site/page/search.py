"""Search: the index of the built pages, in which Pagefind knows the word forms of each language."""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from scripts.site.render.words import Words

FOLDER = "pagefind"
CONTENT = "article"
IGNORED = ("[data-search-exclude]", ".headerlink", ".claim-anchor", ".md-source-file")
CHARACTERS = "_+@"
"""Parts of words here: ``to_thread``, ``io+cpu``."""
JOINER = "\N{WORD JOINER} "
"""Parts ``asyncio.to_thread`` in the index, so that ``to_thread`` is a word too; the dialog takes
it out of what it shows."""

_INSIDE_NAMES = re.compile(
    r"(?<=[.(])(?=[^\W\d])|(?<=/)(?=\d\d[a-z]?-)|(?<=>[.(])(?=</span>)|<[^>]*>"
)
_TITLE = re.compile(r"<(h[1-4])\b")
_PICTURE = re.compile(r"<img\b[^>]*>")


class SearchError(RuntimeError):
    """There is no index of the built pages; the message says why."""


def index_pages(site: Path) -> None:
    """Write ``pagefind/`` into a site whose pages are built; each language gets its own index.

    Raises:
        SearchError: Pagefind could not make it; says what it said.
    """
    with TemporaryDirectory() as name:
        for path in site.rglob("*.html"):
            page = Path(name) / path.relative_to(site)
            page.parent.mkdir(parents=True, exist_ok=True)
            text = drop_pictures(path.read_text(encoding="utf-8"))
            page.write_text(weigh_titles(part_names(text)), "utf-8")
        # Not as a service, which is stopped while it may still be writing its last file.
        command = [sys.executable, "-m", "pagefind", "--silent", "--site", name]
        command += ["--output-path", str(site / FOLDER), "--root-selector", CONTENT]
        command += [f"--exclude-selectors={selector}" for selector in IGNORED]
        command += ["--include-characters", CHARACTERS]
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SearchError(f"no index for the search was made: {done.stdout}{done.stderr}")


def show_words(words: Words) -> Markup:
    """What the search dialog says, as an element that its script reads."""
    texts = htmlsafe_json_dumps(words.catalogue["search"], ensure_ascii=False)
    return Markup('<script type="application/json" id="search-words">{}</script>').format(texts)


def part_names(page: str) -> str:
    """A page for the index, in which the parts of dotted names and of calls are words."""
    return _INSIDE_NAMES.sub(lambda found: found[0] or JOINER, page)


def weigh_titles(page: str) -> str:
    """A page for the index, in which the titles of sections weigh as much as that of the page."""
    return _TITLE.sub(r'<\1 data-pagefind-weight="8"', page)


def drop_pictures(page: str) -> str:
    """A page for the index, which would take in the address of the first picture.

    A notebook's pictures are in their addresses, and these have parts that fit every question.
    """
    return _PICTURE.sub("", page)
