"""The search: what Pagefind indexes of the built pages, and the words that a slip may mean."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from markupsafe import Markup

from scripts.site.kept import digest
from scripts.site.paths import ASKED
from scripts.site.render.twin import TWIN
from scripts.site.settings import SearchError

SEARCH_FOLDER = "pagefind"
STAMP = ".made-of"
"""In the folder, a digest of all that the index was made of."""
CONTENT = "article"
IGNORED = ("[data-search-exclude]", ".headerlink", ".claim-anchor", ".md-source-file")
CHARACTERS = "_+@"
"""Parts of words here: ``to_thread``, ``io+cpu``."""
JOINER = "\N{WORD JOINER} "
"""Parts ``asyncio.to_thread`` in the index, so that ``to_thread`` is a word too; the dialog takes
it out of what it shows."""

_NAMED = Markup('<p data-pagefind-weight="8">{}</p>')
_TOLD = Markup('<p data-pagefind-weight="4">{}</p>')
_ASKED = _TOLD.format("{}\N{INVISIBLE SEPARATOR}")
"""The dialog shows only what is behind the separator."""
_DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
_CHOICE = re.compile(r'<details id="(choice-[^"]*)".*?<summary>(.*?)</summary>', re.DOTALL)
_HEADING = re.compile(r'<h([1-4])(?: id="([^"]*)")?[^>]*>(.*?)</h\1>', re.DOTALL)
SIGN = '<a class="headerlink"'
"""Behind the title of a heading, and no part of it."""
LEAST_LETTERS = 4
"""Of a word that a slip of a letter may mean."""
# A place inside a dotted name or a call, where a word begins; or a tag, in which there is none.
_MARKS = re.compile(r"(?<=[.(])(?=[^\W\d])|(?<=/)(?=\d\d[a-z]?-)|(?<=>[.(])(?=</span>)|<[^>]*>")


def index_pages(site: Path) -> None:
    """Write ``pagefind/`` into a site whose pages are built; each language gets its own index.

    Raises:
        SearchError: Pagefind could not make it; says what it said.
    """
    titles: dict[str, dict[str, str]] = {}
    asked = tomllib.loads(ASKED.read_text(encoding="utf-8"))
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    twins = [path.read_bytes() for path in sorted(site.rglob(TWIN))]  # which have the words
    sources = (Path(__file__).read_bytes(), version("pagefind"), asked, texts, twins)
    stamp, told = site / SEARCH_FOLDER / STAMP, digest(repr(sources).encode())
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == told:
        return  # the last build has indexed the very same
    shutil.rmtree(stamp.parent, ignore_errors=True)
    with TemporaryDirectory() as name:
        for path, text in texts.items():
            page = Path(name) / path.relative_to(site)
            page.parent.mkdir(parents=True, exist_ok=True)
            language, _, place = path.relative_to(site).as_posix().partition("/")
            named = titles.setdefault(place, list_headings(text))  # of the first language, English
            here = asked.get(place.removesuffix("index.html"), {})
            others = {id_: words[language] for id_, words in here.items() if language in words}
            page.write_text(prepare(text, named, others), encoding="utf-8")
        # Not as a service, which is stopped while it may still be writing its last file.
        command = [sys.executable, "-m", "pagefind", "--silent", "--site", name]
        command += ["--output-path", str(site / SEARCH_FOLDER), "--root-selector", CONTENT]
        command += [f"--exclude-selectors={selector}" for selector in IGNORED]
        command += ["--include-characters", CHARACTERS]
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SearchError(f"no index for the search was made: {done.stdout}{done.stderr}")
    for home in site.glob(f"*/{TWIN}"):
        language = home.parent.name
        # A new language has its words by and by.
        called = [words.get(language, "") for here in asked.values() for words in here.values()]
        known = site / SEARCH_FOLDER / f"words.{language}.txt"
        known.write_text(list_words(home.parent, called), encoding="utf-8")
    stamp.write_text(told, encoding="utf-8")


def list_words(folder: Path, others: Sequence[str] = ()) -> str:
    """List the words of a language's pages, the most frequent first: what a slip of a letter may mean.

    Of ``others``, by which a page is asked for, each counts as twice on a page.
    """
    found: Counter[str] = Counter()
    pages = [path.read_text(encoding="utf-8") for path in folder.rglob(TWIN)]
    for text in [*pages, *others, *others]:
        words = "".join(one if one.isalpha() else " " for one in text.lower()).split()
        found.update(word for word in words if len(word) >= LEAST_LETTERS)
    return " ".join(word for word, count in found.most_common() if count > 1)


def list_headings(page: str) -> dict[str, str]:
    """The titles of a page's headings of four levels, by their ids."""
    return {
        id_: Markup(inside.partition(SIGN)[0]).striptags()  # noqa: S704 - stripped
        for _, id_, inside in _HEADING.findall(page)
        if id_
    }


def prepare(
    page: str,
    named: Mapping[str, str] = MappingProxyType({}),
    asked: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Give a page for the index: names are parted, headings weigh as the title, pictures are gone.

    Below the title stands the page's description, which says it in other words. Rows
    of Choose are places of their own. ``named`` are the headings in English, by their ids:
    practitioners ask in English terms too. ``asked`` are words by which others ask for the same.

    The index would take in the address of the first picture. A notebook's pictures are in their
    addresses, and these have parts that fit every question.
    """
    page = _CHOICE.sub(r'<h3 id="\1">\2</h3><details>', page)
    told = _DESCRIPTION.search(page)
    if told and "</h1>" in page:
        page = page.replace("</h1>", f"</h1>{_TOLD.format(Markup(told[1]))}", 1)  # noqa: S704 - the page's own
    titles = list_headings(page)

    def mark(found: re.Match[str]) -> str:
        return "" if found[0].startswith("<img") else found[0] or JOINER

    def weigh(found: re.Match[str]) -> str:
        level, own = found[1], found[2]
        title = named.get(own, titles.get(own))
        other = "" if title == titles.get(own) else _NAMED.format(title)
        other += _ASKED.format(asked[own]) if own in asked else ""
        return f'<h{level} data-pagefind-weight="8"{found[0][3:]}{other}'

    return _HEADING.sub(weigh, _MARKS.sub(mark, page))
