"""The root step: what stands above both languages once they are built."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from urllib.parse import urljoin

import msgspec
from markupsafe import Markup

from scripts.harness.experiment import Experiment
from scripts.harness.paths import PICTURE, SERVER
from scripts.harness.store import make_schema
from scripts.site.declare.texts import list_languages
from scripts.site.judge.claims import CheckedClaim
from scripts.site.judge.judge import Evidence
from scripts.site.output import SearchError, claim_folder
from scripts.site.page.context import check_all, gather, gather_machines, open_pipeline
from scripts.site.page.language import CARD, FEED
from scripts.site.page.timelines import DATA as TRACES
from scripts.site.page.timelines import write_traces
from scripts.site.render.claim_list import draw_badge, make_feed
from scripts.site.render.html import render, slug
from scripts.site.render.parts import make_index, make_part
from scripts.site.render.policy import add_policy
from scripts.site.render.programs import bundle_lessons, make_bundle
from scripts.site.render.published import (
    FORMS,
    format_csv,
    format_traces,
    make_claims,
    make_document,
)
from scripts.site.render.twin import TWIN
from scripts.site.render.words import Words, load_words


def finish_site(site: Path) -> None:
    """Write everything above the languages: choice of language, 404, sitemap, data, programs, index.

    What a former build left there goes: of an experiment that has gone, nothing is published.

    Args:
        site: where both languages are built. Without ``SITE_URL``, the public address of the root,
            it gets no sitemap index and no feeds, which need one.

    Raises:
        ForeignFolder: the folder is not ours to write to.
        ValidationError: the data does not keep to its schema.
    """
    site = claim_folder(str(site))
    evidences = [gather(name) for name in open_pipeline().experiments]
    (site / ".nojekyll").touch()
    languages = [load_words(language) for language in list_languages()]
    address = os.environ.get("SITE_URL", "")
    address = f"{address.rstrip('/')}/" if address else ""
    write_pages(site, languages, address)
    if address:
        write_feeds(site, evidences, languages, address)
    for name in ("data", "examples", SEARCH_FOLDER):
        shutil.rmtree(site / name, ignore_errors=True)
    with ThreadPoolExecutor(1) as beside:  # the index is made by a process of its own
        indexing = beside.submit(index_pages, site)
        write_files(site, evidences, languages)
        indexing.result()


def write_files(site: Path, evidences: Sequence[Evidence], languages: Sequence[Words]) -> None:
    """Data and programs, of every experiment as it is shown."""
    write_data(site / "data", evidences)
    gathered = [gather_machines(name) for name in open_pipeline().experiments]
    write_parts(site / "data" / "explore", gathered)
    write_traces(site / "data" / TRACES)
    write_claims(site / "data", tuple(check_all().values()), languages)
    shutil.copy(PICTURE, site / CARD)
    copy_programs(site / "examples", [evidence.experiment for evidence in evidences], languages)


def write_pages(site: Path, languages: Sequence[Words], site_url: str) -> None:
    """The language choice, the 404 page for all languages, robots.txt and the sitemap index."""
    base = "/" + site_url.split("/", 3)[3] if site_url.count("/") > 2 else "/"
    pages = {words.language: _list_titles(site / words.language) for words in languages}
    for name in ("index.html", "404.html"):
        page = add_policy(render(name, languages=languages, base=base, pages=pages))
        (site / name).write_text(page, encoding="utf-8")
    for words in languages:  # a host serves the one at the root, and theirs link from there
        (site / words.language / "404.html").unlink(missing_ok=True)
    lists = "".join(f"- [{one.catalogue['name']}]({one.language}/llms.txt)\n" for one in languages)
    heading = f"# {languages[0].text('root_heading')}\n\n"
    (site / "llms.txt").write_text(heading + lists, encoding="utf-8")
    robots = "User-agent: *\nAllow: /\n"
    (site / "sitemap.xml").unlink(missing_ok=True)
    if site_url:
        robots += f"Sitemap: {urljoin(site_url, 'sitemap.xml')}\n"
        index = render("sitemap.xml", languages=languages, site_url=site_url)
        (site / "sitemap.xml").write_text(index, encoding="utf-8")
    (site / "robots.txt").write_text(robots, encoding="utf-8")


def write_feeds(
    site: Path, evidences: Sequence[Evidence], languages: Sequence[Words], site_url: str
) -> None:
    """A feed a language of what came of the claims; nothing while nothing at all was measured."""
    measured = {
        one.experiment.name: max(judged.record.measured_at for judged in one.judgements)
        for one in evidences
        if one.judgements
    }
    claims = [one for one in check_all().values() if one.experiment in measured]
    terms = open_pipeline().declared.terms
    for words in languages if claims else ():
        home = f"{site_url}{words.language}/"
        feed = make_feed(claims, measured, home, words.add(terms))
        (site / words.language / FEED).write_text(feed, encoding="utf-8")


def _list_titles(folder: Path) -> dict[str, str]:
    """The title of every built page by its address below its language; of those that moved none."""
    found = {}
    for file in sorted(folder.rglob("index.html")):
        heading = file.read_text(encoding="utf-8").partition("<h1")[2].partition("</h1>")[0]
        title = heading.partition(">")[2].partition('<a class="headerlink"')[0]
        if title:
            address = f"{file.parent.relative_to(folder).as_posix()}/".removeprefix("./")
            found[address] = unescape(Markup(title).striptags()).strip()  # noqa: S704 - stripped
    return found


def write_data(folder: Path, evidences: Sequence[Evidence]) -> None:
    """``results.json`` and ``.csv``, the rows of each experiment and family, and the schemas."""
    document = make_document(evidences)
    msgspec.convert(document, FORMS["results"])
    folder.mkdir(parents=True, exist_ok=True)
    _write_json(folder / "results.json", document)
    (folder / "results.csv").write_text(format_csv(document["rows"]), encoding="utf-8")
    for evidence in evidences:
        name = evidence.experiment.name
        rows = [row for row in document["rows"] if row["experiment"] == name]
        (folder / f"{name}.csv").write_text(format_csv(rows), encoding="utf-8")
        for family in evidence.experiment.families:
            members = [row for row in rows if row["family"] == family.name]
            path = folder / f"{name}-{slug(family.name)}.csv"
            path.write_text(format_csv(members), encoding="utf-8")
            traces = format_traces(one for one in evidence.judgements if one.family == family.name)
            if traces:
                path.with_stem(f"{path.stem}-traces").write_text(traces, encoding="utf-8")
    for name, form in FORMS.items():
        _write_json(folder / f"{name}.schema.json", make_schema(form))


def write_claims(folder: Path, claims: Sequence[CheckedClaim], languages: Sequence[Words]) -> None:
    """``claims.json``, and of each claim, by its id, a file and a badge in each language."""
    document = make_claims(claims)
    msgspec.convert(document, FORMS["claims"])
    _write_json(folder / "claims.json", document)
    (folder / "claims").mkdir()
    for claim in document["claims"]:
        _write_json(folder / "claims" / f"{claim['id']}.json", claim)
    for one, words in product(claims, languages):
        badge = folder / "claims" / f"{one.claim.id}.{words.language}.svg"
        badge.write_text(draw_badge(one, words), encoding="utf-8")


def write_parts(folder: Path, machines: Sequence[Sequence[Evidence]]) -> None:
    """What the Explore page loads: ``index.json``, and the rows of each experiment in columns.

    ``machines`` has of each experiment the evidence of all machines, at least one.
    """
    parts = {every[0].experiment.name: make_part(every) for every in machines}
    folder.mkdir(parents=True)
    documents = {"index": make_index(parts, [every[0].experiment for every in machines]), **parts}
    for name, document in documents.items():
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


def _write_json(path: Path, document: object) -> None:
    """What every reader of JSON can read: no infinity, which Python would write."""
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def copy_programs(
    folder: Path, experiments: Sequence[Experiment], languages: Sequence[Words]
) -> None:
    """The programs of each experiment, and of the lessons, in one archive; and each file by itself."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(SERVER, folder)
    (folder / "lessons.zip").write_bytes(bundle_lessons())
    for experiment in experiments:
        (folder / f"{experiment.name}.zip").write_bytes(make_bundle(experiment, languages))
        target = folder / experiment.name
        target.mkdir(exist_ok=True)
        for file in (*experiment.shared, *(program.file for program in experiment.programs)):
            shutil.copy(experiment.folder / file, target)


SEARCH_FOLDER = "pagefind"
CONTENT = "article"
IGNORED = ("[data-search-exclude]", ".headerlink", ".claim-anchor", ".md-source-file")
CHARACTERS = "_+@"
"""Parts of words here: ``to_thread``, ``io+cpu``."""
JOINER = "\N{WORD JOINER} "
"""Parts ``asyncio.to_thread`` in the index, so that ``to_thread`` is a word too; the dialog takes
it out of what it shows."""

_HEADING = re.compile(r'<h([1-4]) id="([\w-]+)"[^>]*>.*?</h\1>', re.DOTALL)
_ROW = re.compile(r'<details id="(choice-[\w-]+)"[^>]*>\s*<summary>(.*?)</summary>', re.DOTALL)
_SIGN = re.compile(r'<a class="headerlink".*?</a>', re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{4,}")
# A place inside a dotted name or a call, where a word begins; or a tag, in which there is none.
_MARKS = re.compile(r"(?<=[.(])(?=[^\W\d])|(?<=/)(?=\d\d[a-z]?-)|(?<=>[.(])(?=</span>)|<[^>]*>")


def index_pages(site: Path) -> None:
    """Write ``pagefind/`` into a site whose pages are built; each language gets its own index.

    Raises:
        SearchError: Pagefind could not make it; says what it said.
    """
    titles: dict[str, dict[str, str]] = {}
    with TemporaryDirectory() as name:
        for path in sorted(site.rglob("*.html")):
            page = Path(name) / path.relative_to(site)
            page.parent.mkdir(parents=True, exist_ok=True)
            place = path.relative_to(site).as_posix().partition("/")[2]
            text = path.read_text(encoding="utf-8")
            headings = {found[2]: found[0] for found in _HEADING.finditer(text)}
            named = titles.setdefault(place, headings)  # of the first language, English
            page.write_text(prepare(text, {} if named is headings else named), encoding="utf-8")
        # Not as a service, which is stopped while it may still be writing its last file.
        command = [sys.executable, "-m", "pagefind", "--silent", "--site", name]
        command += ["--output-path", str(site / SEARCH_FOLDER), "--root-selector", CONTENT]
        command += [f"--exclude-selectors={selector}" for selector in IGNORED]
        command += ["--include-characters", CHARACTERS]
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SearchError(f"no index for the search was made: {done.stdout}{done.stderr}")
    for home in site.glob(f"*/{TWIN}"):
        words = site / SEARCH_FOLDER / f"words.{home.parent.name}.txt"
        words.write_text(list_words(home.parent), encoding="utf-8")


def list_words(folder: Path) -> str:
    """List the words of a language's pages, the most frequent first: what a slip of a letter may mean."""
    found: Counter[str] = Counter()
    for path in folder.rglob(TWIN):
        found.update(_WORD.findall(path.read_text(encoding="utf-8").lower()))
    return " ".join(word for word, count in found.most_common() if count > 1)


def prepare(page: str, named: Mapping[str, str] = MappingProxyType({})) -> str:
    """Give a page for the index: names are parted, headings weigh as the title, pictures are gone.

    Rows of Choose are places of their own. ``named`` are the headings in English, by their ids: practitioners
    ask in English terms too.

    The index would take in the address of the first picture. A notebook's pictures are in their
    addresses, and these have parts that fit every question.
    """
    page = _ROW.sub(r'<h3 id="\1">\2</h3><details>', page)
    page = _HEADING.sub(
        lambda found: found[0] + _name(named.get(found[2], found[0]), found[0]), page
    )
    return _MARKS.sub(_mark, page)


def _name(named: str, own: str) -> str:
    title = Markup(_SIGN.sub("", named)).striptags()  # noqa: S704 - stripped
    return "" if named == own else str(Markup("<p>{}</p>").format(title))


def _mark(found: re.Match[str]) -> str:
    tag = found[0]
    if not tag:
        return JOINER
    if tag.startswith("<img"):
        return ""
    is_heading = tag[1:2] == "h" and tag[2:3] in "1234"
    return f'{tag[:3]} data-pagefind-weight="8"{tag[3:]}' if is_heading else tag
