"""What engines and chats are told of a page is its own, and whole addresses where one is known."""

import re
from pathlib import Path

import material

from scripts.harness.paths import DOCS
from scripts.site.page.head import describe, link_feed, link_languages, show_card
from scripts.site.render.words import load_words

LINKS = (
    '<link rel="alternate" href="./" hreflang="en"><link rel="alternate" href="../../ru/lab/" '
    'hreflang="ru">'
)


def test_a_page_is_described_by_its_first_paragraph_cut_at_a_word() -> None:
    told = describe(f"<h1>Lab</h1><p>Less &lt; <b>more</b>. {'word ' * 60}</p><p>Next.</p>")
    assert told.startswith("Less < more. word")
    assert told.endswith("word…")
    assert len(told) <= 201
    assert describe("<h1>Lab</h1>") == ""


def test_a_card_has_a_picture_only_where_the_address_is_known() -> None:
    told = show_card(
        'A "b"', "<c>", "https://a.example/en/lab/", "https://a.example/", load_words("en")
    )
    assert '<meta property="og:title" content="A &#34;b&#34;">' in told
    assert 'content="&lt;c&gt;"' in told
    assert '"og:image" content="https://a.example/card.png"' in told
    assert "summary_large_image" in told
    without = show_card("A", "c", "", "", load_words("ru"))
    assert "og:image" not in without
    assert "og:url" not in without


def test_translations_have_whole_addresses_and_a_default_where_the_site_s_is_known() -> None:
    page = link_languages(LINKS, "lab/", "https://a.example/fork/")
    assert 'href="https://a.example/fork/en/lab/" hreflang="en"' in page
    assert 'href="https://a.example/fork/ru/lab/" hreflang="ru"' in page
    assert 'href="https://a.example/fork/en/lab/" hreflang="x-default"' in page
    assert page.count("hreflang") == 3
    home = link_languages(LINKS, "", "https://a.example/fork/")
    assert 'href="https://a.example/fork/" hreflang="x-default"' in home


def test_without_an_address_they_stay_as_they_were() -> None:
    page = link_languages(LINKS, "lab/", "")
    assert page.replace("alternate ", "alternate") == LINKS


def test_programs_find_the_feed_where_the_site_s_address_is_known() -> None:
    link = link_feed("https://a.example/fork/", load_words("ru"))
    assert 'href="https://a.example/fork/ru/changes.xml"' in link
    assert "hreflang" not in link
    assert link_feed("", load_words("ru")) == ""


def test_the_root_has_from_the_start_what_the_script_of_the_theme_would_give_it() -> None:
    template = (DOCS / "theme" / "main.html").read_text(encoding="utf-8")
    (names,) = re.findall(r'documentElement\.className = "([^"]*)"', template)
    scripts = Path(material.__file__).parent / "templates" / "assets" / "javascripts"
    (bundle,) = scripts.glob("bundle.*.min.js")
    root = r"document\.documentElement\."
    said = bundle.read_text(encoding="utf-8")
    assert set(names.split()) == set(re.findall(root + r'classList\.add\("([^"]*)"\)', said))
    assert re.findall(root + r'setAttribute\("([^"]*)"', said) == ["data-js-focus-visible"]
