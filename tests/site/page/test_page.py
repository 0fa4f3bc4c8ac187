"""What stands around the blocks: links that hold on any host and path, and the root."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urljoin

import pytest

from scripts.site.declare.addresses import Addresses
from scripts.site.declare.texts import list_languages
from scripts.site.page import context, show
from scripts.site.page.context import Place
from scripts.site.page.hooks import on_post_page
from scripts.site.page.root import write_pages
from scripts.site.render.words import Words, load_words
from tests.factories import make_record
from tests.site.render.markup import make_evidence

LANGUAGES = [load_words(language) for language in list_languages()]
PAGE = SimpleNamespace(
    file=SimpleNamespace(
        src_path="matrix.md", url="matrix/", abs_dest_path="site/en/matrix/index.html"
    ),
    title="The matrix",
    meta={},
    canonical_url="",
    is_homepage=False,
)


@pytest.mark.parametrize("base", ["https://example.org/", "https://example.org/fork/of/it/"])
@pytest.mark.parametrize("url", ["", "matrix/", "a/b/"])
def test_links_to_the_root_hold_under_any_path(base: str, url: str) -> None:
    page = f"{base}en/{url}"
    assert urljoin(page, Place(url=url).root + "data/results.json") == f"{base}data/results.json"


def test_the_root_offers_every_language_without_script(tmp_path: Path) -> None:
    write_pages(tmp_path, LANGUAGES, "")
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    for words in LANGUAGES:
        assert f'<a href="{words.language}/"' in index


def test_the_lost_page_speaks_every_language_and_knows_its_path(tmp_path: Path) -> None:
    write_pages(tmp_path, LANGUAGES, "https://example.org/fork/")
    lost = (tmp_path / "404.html").read_text(encoding="utf-8")
    for words in LANGUAGES:
        assert words.text("lost") in lost
        assert f'href="/fork/{words.language}/"' in lost


def test_the_sitemap_lists_both_languages_only_where_the_address_is_known(tmp_path: Path) -> None:
    write_pages(tmp_path, LANGUAGES, "")
    assert not (tmp_path / "sitemap.xml").exists()
    write_pages(tmp_path, LANGUAGES, "https://example.org/fork/")
    sitemap = (tmp_path / "sitemap.xml").read_text(encoding="utf-8")
    assert "https://example.org/fork/ru/sitemap.xml" in sitemap


def make_config(language: str) -> dict[str, dict[str, object]]:
    """Of a site in which nothing has moved."""
    moved = SimpleNamespace(lead=lambda output, page: output)
    extra = {"addresses": Addresses(), "moved": moved, "around": ""}
    return {"theme": {"language": language}, "extra": extra}


def test_the_theme_does_not_take_a_translation_for_a_site() -> None:
    head = '<link rel="alternate" href="../../ru/matrix/" hreflang="ru">'
    page = on_post_page(head, PAGE, make_config("en"))
    assert '[rel="alternate"]' not in page
    assert 'rel="alternate "' in page


@pytest.mark.parametrize("words", LANGUAGES, ids=lambda words: words.language)
def test_a_page_brings_the_words_of_its_search(words: Words) -> None:
    page = on_post_page("<body></body>", PAGE, make_config(words.language))
    found = re.search(r'<script type="application/json" id="search-words">(.*)</script>', page)
    assert json.loads(found[1])["open"] == words.catalogue["search"]["open"]


@pytest.mark.parametrize(
    ("url", "link"), [("lab/", "#p01"), ("theory/threads/", "../../../en/lab/#p01")]
)
def test_a_program_is_linked_on_the_page_of_its_experiment(
    url: str, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "gather", lambda name: make_evidence([make_record()]))
    monkeypatch.setattr(context, "_place", Place(language="en", url=url))
    assert f'href="{link}"' in show.printed("lab", "io")
