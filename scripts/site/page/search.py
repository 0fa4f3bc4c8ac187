"""The search: what Pagefind indexes of the built pages, and the words that a slip may mean."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from markupsafe import Markup

from scripts.site.declare.questions import QuestionsFile, read_asked
from scripts.site.kept import digest, keep_folder
from scripts.site.render.twin import TWIN
from scripts.site.settings import SearchError

SEARCH_FOLDER = "pagefind"
OPTIONS = (
    *("--root-selector", "article", "--exclude-selectors=[data-search-exclude]"),
    *("--exclude-selectors=.headerlink", "--exclude-selectors=.claim-anchor"),
    # Parts of words here: ``to_thread``, ``io+cpu``.
    *("--exclude-selectors=.md-source-file", "--include-characters", "_+@"),
)
# Parts ``asyncio.to_thread`` in the index, so that ``to_thread`` is a word too; the dialog takes it
# out of what it shows, and shows of a heading's other words only what is behind the separator.
JOINER = "\N{WORD JOINER} "
SEPARATOR = "\N{INVISIBLE SEPARATOR}"
# Behind the title of a heading, and no part of it.
SIGN = '<a class="headerlink"'
# Of a word that a slip of a letter may mean.
LEAST_LETTERS = 4

_ENGLISH = Markup('<p data-pagefind-weight="8">{}</p>')
_OTHER_WORDS = Markup('<p data-pagefind-weight="4">{}</p>')
_DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
_CHOICE = re.compile(r'<details id="(choice-[^"]*)".*?<summary>(.*?)</summary>', re.DOTALL)
_HEADING = re.compile(r'<h([1-4])(?: id="([^"]*)")?[^>]*>(.*?)</h\1>', re.DOTALL)
# A place inside a dotted name or a call, where a word begins; or a tag, in which there is none.
_MARKS = re.compile(r"(?<=[.(])(?=[^\W\d])|(?<=/)(?=\d\d[a-z]?-)|(?<=>[.(])(?=</span>)|<[^>]*>")


def index_pages(site: Path) -> None:
    """Write ``pagefind/`` into a site whose pages are built; each language gets its own index.

    Raises:
        SearchError: Pagefind could not make it; has what it said.
    """
    questions = read_asked()
    paths = [*sorted(site.rglob("index.html")), *sorted(site.rglob(TWIN))]
    digests = [(path, digest(path.read_bytes())) for path in paths]
    sources = (Path(__file__).read_bytes(), version("pagefind"), questions, digests)
    try:
        keep_folder(site / SEARCH_FOLDER, sources, partial(_fill, site=site, questions=questions))
    except OSError as error:
        raise SearchError(f"no index for the search was made: {error}") from None


def _fill(folder: Path, *, site: Path, questions: QuestionsFile) -> None:
    """Write the index, and for each language the words of its pages and those that ask for them."""
    english: dict[str, dict[str, str]] = {}
    with TemporaryDirectory() as name:
        for path in sorted(site.rglob("index.html")):
            language, _, place = path.relative_to(site).as_posix().partition("/")
            text = path.read_text(encoding="utf-8")
            # Those of the first language come first.
            headings = english.setdefault(place, list_headings(text))
            others = questions.list_words(place.removesuffix("index.html"), language)
            page = Path(name) / path.relative_to(site)
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(prepare(text, headings, others), encoding="utf-8")
        # Not as a service, which is stopped while it may still be writing its last file.
        command = [sys.executable, "-m", "pagefind", "--silent", "--site", name, *OPTIONS]
        command += ["--output-path", str(folder)]
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SearchError(f"no index for the search was made: {done.stdout}{done.stderr}")
    for home in site.glob(f"*/{TWIN}"):
        language = home.parent.name
        others_of: list[str] = []
        for place in questions.list_pages():
            others_of += questions.list_words(place, language).values()
        known = list_words(home.parent, others_of)
        (folder / f"words.{language}.txt").write_text(known, encoding="utf-8")


def list_words(folder: Path, others: Sequence[str] = ()) -> str:
    """List the words of a language's pages, the most frequent first: what a slip of a letter may mean.

    Of ``others``, by which a page is asked for, each counts as twice on a page.
    """
    counts: Counter[str] = Counter()
    pages = [path.read_text(encoding="utf-8") for path in folder.rglob(TWIN)]
    for text in (*pages, *others, *others):
        # Words in any script, without digits and underscores.
        words = re.findall(r"[^\W\d_]+", text.lower())
        counts.update(word for word in words if len(word) >= LEAST_LETTERS)
    return " ".join(word for word, count in counts.most_common() if count > 1)


def list_headings(page: str) -> dict[str, str]:
    """List the titles of a page's headings of four levels, by their ids."""
    titles = {}
    for _, id_, content in _HEADING.findall(page):
        if id_:
            titles[id_] = Markup(content.partition(SIGN)[0]).striptags()  # noqa: S704 - stripped
    return titles


def prepare(
    page: str,
    english: Mapping[str, str] = MappingProxyType({}),
    others: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a page for the index: names are parted, headings weigh as the title, pictures are gone.

    Below the title stands the page's description, which says it in other words. Rows of Choose are
    places of their own.

    Args:
        page: its HTML.
        english: the headings in English, by their ids: practitioners ask in English terms too.
        others: words by which others ask for the same, by the ids of headings.
    """
    page = _CHOICE.sub(r'<h3 id="\1">\2</h3><details>', page)
    if described := _DESCRIPTION.search(page):
        description = _OTHER_WORDS.format(Markup(described[1]))  # noqa: S704 - the page's own
        page = page.replace("</h1>", f"</h1>{description}", 1)
    titles = list_headings(page)

    def mark(place: re.Match[str]) -> str:
        # The index would take in the address of the first picture, and a notebook's pictures are
        # in their addresses, whose parts fit every question.
        if place[0].startswith("<img"):
            return ""
        return place[0] or JOINER

    def weigh(heading: re.Match[str]) -> str:
        level, id_ = heading[1], heading[2]
        below = ""
        if id_ in english and english[id_] != titles.get(id_):
            below += _ENGLISH.format(english[id_])
        if id_ in others:
            below += _OTHER_WORDS.format(others[id_] + SEPARATOR)
        return f'<h{level} data-pagefind-weight="8"{heading[0][3:]}{below}'

    return _HEADING.sub(weigh, _MARKS.sub(mark, page))
