"""Search: the index of the built pages, in which Pagefind knows the word forms of each language."""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = "pagefind"
CONTENT = "article"
IGNORED = ("[data-search-exclude]", ".headerlink", ".claim-anchor", ".md-source-file")
CHARACTERS = "_+@"
"""Parts of words here: ``to_thread``, ``io+cpu``."""
JOINER = "\N{WORD JOINER} "
"""Parts ``asyncio.to_thread`` in the index, so that ``to_thread`` is a word too; the dialog takes
it out of what it shows."""

# A place inside a dotted name or a call, where a word begins; or a tag, in which there is none.
_MARKS = re.compile(r"(?<=[.(])(?=[^\W\d])|(?<=/)(?=\d\d[a-z]?-)|(?<=>[.(])(?=</span>)|<[^>]*>")


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
            page.write_text(prepare(path.read_text(encoding="utf-8")), encoding="utf-8")
        # Not as a service, which is stopped while it may still be writing its last file.
        command = [sys.executable, "-m", "pagefind", "--silent", "--site", name]
        command += ["--output-path", str(site / FOLDER), "--root-selector", CONTENT]
        command += [f"--exclude-selectors={selector}" for selector in IGNORED]
        command += ["--include-characters", CHARACTERS]
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SearchError(f"no index for the search was made: {done.stdout}{done.stderr}")


def prepare(page: str) -> str:
    """Give a page for the index: names are parted, headings weigh as the title, pictures are gone.

    The index would take in the address of the first picture. A notebook's pictures are in their
    addresses, and these have parts that fit every question.
    """
    return _MARKS.sub(_mark, page)


def _mark(found: re.Match[str]) -> str:
    tag = found[0]
    if not tag:
        return JOINER
    if tag.startswith("<img"):
        return ""
    is_heading = tag[1:2] == "h" and tag[2:3] in "1234"
    return f'{tag[:3]} data-pagefind-weight="8"{tag[3:]}' if is_heading else tag
