"""What stands around the blocks: links that hold on any host and path, and the root."""

from pathlib import Path
from urllib.parse import urljoin

import pytest

from scripts.site.declare.texts import list_languages
from scripts.site.page import context, show
from scripts.site.page.context import Place
from scripts.site.page.root import write_pages
from scripts.site.render.words import load_words
from tests.factories import make_record
from tests.site.render.markup import make_evidence

LANGUAGES = [load_words(language) for language in list_languages()]


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


@pytest.mark.parametrize(
    ("url", "link"), [("lab/", "#p01"), ("theory/threads/", "../../../en/lab/#p01")]
)
def test_a_program_is_linked_on_the_page_of_its_experiment(
    url: str, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "gather", lambda name: make_evidence([make_record()]))
    monkeypatch.setattr(context, "_place", Place(language="en", url=url))
    assert f'href="{link}"' in show.printed("lab", "io")
