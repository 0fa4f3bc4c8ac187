"""The index knows the word forms of each language, and only what readers read is in it."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from scripts.site.page.search import JOINER, SEARCH_FOLDER, index_pages, list_words, prepare
from scripts.site.render.twin import TWIN
from scripts.site.settings import SearchError

PAGE = """<!doctype html><html lang="{language}"><head><title>{title}</title></head>
<body><nav>menu</nav><article>{content}</article><footer>colophon</footer></body></html>
"""
ENGLISH = """<h1 id="top">Pools<a class="headerlink" href="#top">permalink</a></h1>
<p>Threads, threaded: <code>to_thread</code>, <code>io+cpu</code>, <code>asyncio.gather(g())</code>,
<code><span>asyncio</span><span>.</span><span>TaskGroup</span></code>, <code>run(sleep())</code>.
<a class="claim-anchor" href="#claim">address</a></p>
<img alt="a chart" src="data:image/png;base64,iVBORw0KGgo/drsja/KGg">
<h2 id="later">Later</h2><p data-search-exclude>provenance</p>
"""
RUSSIAN = '<h1 id="top">Пулы</h1><p>Пул потоков с потоками, без словаря и со словарями.</p>'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page in each language, and at the root one that is none."""
    folder = tmp_path_factory.mktemp("site")
    for language, title, content in (("en", "Pools", ENGLISH), ("ru", "Пулы", RUSSIAN)):
        page = folder / language / "pools" / "index.html"
        page.parent.mkdir(parents=True)
        text = PAGE.format(language=language, title=title, content=content)
        page.write_text(text, encoding="utf-8")
    (folder / "index.html").write_text("<html lang='en'><body>Choose</body></html>")
    index_pages(folder)
    return folder


def unpack(site: Path, pattern: str) -> str:
    """What Pagefind keeps in files of a kind, its own numbers between the words."""
    (file,) = (site / SEARCH_FOLDER).glob(pattern)
    kept = gzip.decompress(file.read_bytes()).removeprefix(b"pagefind_dcd")
    return kept.decode(errors="replace")


def read_page(site: Path, language: str) -> dict[str, Any]:
    return dict(json.loads(unpack(site, f"fragment/{language}_*.pf_fragment")))


def read_words(site: Path, language: str) -> set[str]:
    """The words of an index, in which each has a letter before it that tells its length."""
    found = re.findall(r"[a-zа-яё_+]{3,}", unpack(site, f"index/{language}_*.pf_index"))
    return {word[1:] for word in found if ord(word[0]) == 0x60 + len(word[1:].encode())}


def test_each_language_has_an_index_of_its_pages_alone(site: Path) -> None:
    entry = json.loads((site / SEARCH_FOLDER / "pagefind-entry.json").read_text(encoding="utf-8"))
    pages = {name: index["page_count"] for name, index in entry["languages"].items()}
    assert pages == {"en": 1, "ru": 1}
    for language in pages:
        assert read_page(site, language)["url"] == f"/{language}/pools/"


@pytest.mark.parametrize(
    ("language", "wanted", "unwanted"),
    [
        ("en", {"thread"}, {"threads", "threaded"}),
        ("ru", {"поток", "словар"}, {"потоков", "потоками", "словаря", "словарями"}),
        ("en", {"gather", "taskgroup", "sleep"}, set()),
    ],
    ids=["forms", "forms in Russian", "names without their modules and inside calls"],
)
def test_words_are_without_their_endings_and_names_alone(
    site: Path, language: str, wanted: set[str], unwanted: set[str]
) -> None:
    words = read_words(site, language)
    assert wanted <= words
    assert not words & unwanted


def test_only_names_are_parted_and_no_addresses_numbers_or_sentences() -> None:
    assert prepare("a.b f(x)").split(JOINER) == ["a.", "b f(", "x)"]
    assert prepare("<i>a</i><i>.</i><span>.</span><span>b</span>").count(JOINER) == 1
    for whole in ('<a href="../x.html">3.13</a>', "End. Next", "end.<b>Next</b>", "f()"):
        assert prepare(whole) == whole


def test_what_is_no_text_of_the_page_is_not_searched(site: Path) -> None:
    page = read_page(site, "en")
    assert page["content"].replace(JOINER, "") == (
        "Pools. Threads, threaded: to_thread, io+cpu, asyncio.gather(g()), asyncio.TaskGroup,"
        " run(sleep()). Later."
    )
    assert page["meta"]["title"] == "Pools"


def test_a_row_of_choose_is_a_heading_and_headings_have_their_english_names() -> None:
    row = '<details id="choice-a" class="choice"><summary>Many URLs</summary>'
    assert prepare(row) == '<h3 data-pagefind-weight="8" id="choice-a">Many URLs</h3><details>'
    told = prepare('<h2 id="race">Гонка</h2>', {"race": "Race condition"})
    assert told.endswith('Гонка</h2><p data-pagefind-weight="8">Race condition</p>')


def test_what_others_call_a_heading_is_searched_below_it() -> None:
    told = prepare('<h2 id="lock">Lock</h2><h2 id="race">Race</h2>', others={"lock": "mutex"})
    assert 'Lock</h2><p data-pagefind-weight="4">mutex\u2063</p><h2' in told
    assert told.endswith("Race</h2>")


def test_a_description_is_searched_below_the_title_of_its_page() -> None:
    page = '<meta name="description" content="Few &amp; many"><h1>Pools</h1><p>Text</p>'
    told = '</h1><p data-pagefind-weight="4">Few &amp; many</p><p>Text</p>'
    assert prepare(page).endswith(told)


def test_words_of_pages_are_listed_by_how_often_they_stand_there(tmp_path: Path) -> None:
    (tmp_path / TWIN).write_text("Lock, lock: thread once, threads, Threads, threads; a pool")
    assert list_words(tmp_path) == "threads lock"
    assert list_words(tmp_path, ["a mutex", "lock"]) == "lock threads mutex"


def test_an_index_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html><body><article>Threads</article></body></html>")
    (tmp_path / SEARCH_FOLDER).write_text("in the way")
    with pytest.raises(SearchError, match="no index"):
        index_pages(tmp_path)


def test_an_index_is_made_anew_where_a_page_has_changed_and_kept_where_none_has(
    tmp_path: Path,
) -> None:
    page, index = tmp_path / "en" / "index.html", tmp_path / SEARCH_FOLDER
    page.parent.mkdir()
    page.write_text(PAGE.format(language="en", title="Pools", content=ENGLISH), encoding="utf-8")
    index_pages(tmp_path)
    (index / "kept").touch()
    index_pages(tmp_path)
    assert (index / "kept").exists()
    page.write_text(page.read_text(encoding="utf-8").replace("Later", "Sooner"), encoding="utf-8")
    index_pages(tmp_path)
    assert not (index / "kept").exists()
    assert read_page(tmp_path, "en")["content"].endswith("Sooner.")
    page.with_name(TWIN).write_text("Executors, executors", encoding="utf-8")
    index_pages(tmp_path)
    assert "executors" in (index / "words.en.txt").read_text(encoding="utf-8").split()
