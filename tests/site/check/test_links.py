"""Links of a site that was built to stand below a path of its host."""

from pathlib import Path

import pytest

from scripts.site.check.links import find_broken_links


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site whose folder has a blank and a dot in its name, as people's folders have."""
    site = tmp_path / "my.site 1"
    (site / "en").mkdir(parents=True)
    (site / "en" / "index.html").write_text('<h1 id="here">x</h1>')
    (site / "index.html").write_text('<a href="en/#here">x</a>')
    return site


def build_below(site: Path, base: str) -> None:
    address = f"https://somebody.example{base}"
    (site / "robots.txt").write_text(f"User-agent: *\nAllow: /\nSitemap: {address}sitemap.xml\n")
    (site / "404.html").write_text(f'<a href="{base}en/">x</a>')


@pytest.mark.parametrize("base", ["/", "/fork/", "/a.b/fork-1/"])
def test_the_page_for_what_is_missing_may_link_below_the_path(site: Path, base: str) -> None:
    build_below(site, base)
    assert list(find_broken_links(site)) == []


def test_a_link_that_leads_nowhere_is_found(site: Path) -> None:
    build_below(site, "/fork/")
    (site / "404.html").write_text('<a href="/fork/fr/">x</a><a href="/fork/en/#gone">x</a>')
    told = "\n".join(find_broken_links(site))
    assert "fr" in told
    assert "gone" in told


def test_without_an_address_the_site_stands_at_the_root(site: Path) -> None:
    (site / "404.html").write_text('<a href="/en/">x</a>')
    assert list(find_broken_links(site)) == []
