"""What stands around the blocks: links that hold on any host and path, and the root."""

from pathlib import Path
from urllib.parse import urljoin

import pytest

from scripts.site.declare.texts import list_languages
from scripts.site.page.context import Place
from scripts.site.page.root import write_pages
from scripts.site.render.words import load_words

LANGUAGES = [load_words(language) for language in list_languages()]


@pytest.mark.parametrize("base", ["https://example.org/", "https://example.org/fork/of/it/"])
@pytest.mark.parametrize("url", ["", "matrix/", "a/b/"])
def test_links_to_the_root_hold_under_any_path(base: str, url: str) -> None:
    page = f"{base}en/{url}"
    assert urljoin(page, Place(url=url).root + "data/results.json") == f"{base}data/results.json"


def test_the_sitemap_lists_both_languages_only_where_the_address_is_known(tmp_path: Path) -> None:
    write_pages(tmp_path, LANGUAGES, "")
    assert not (tmp_path / "sitemap.xml").exists()
    write_pages(tmp_path, LANGUAGES, "https://example.org/fork/")
    sitemap = (tmp_path / "sitemap.xml").read_text(encoding="utf-8")
    assert "https://example.org/fork/ru/sitemap.xml" in sitemap
