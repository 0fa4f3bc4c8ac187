"""What engines, chats and the search are told of a page is its own, with whole addresses if known."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import material
import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader

from scripts.harness.paths import DOCS
from scripts.site.page.language import list_translations, tell_theme
from scripts.site.render.words import Words, load_words

BASE = "<head>{% block site_meta %}{% endblock %}</head>{% block scripts %}{% endblock %}"


def show(root: str, url: str, title: str = "Lab", *, home: bool = False) -> str:
    """The head of a page, as the template of every page makes it."""
    loader = ChoiceLoader([DictLoader({"base.html": BASE}), FileSystemLoader(DOCS / "theme")])
    env = Environment(loader=loader)
    env.filters["url"] = lambda address: address
    extra = tell_theme(load_words("ru"), root) | {"alternate": list_translations(url)}
    page: Any = SimpleNamespace(
        url=url,
        title=title,
        is_homepage=home,
        canonical_url=f"{root}ru/{url}" if root else None,
        meta={"description": "<c>"},
        previous_page=None,
        next_page=None,
    )
    config = {"extra": extra, "site_name": "Site", "theme": {"favicon": "f.svg"}}
    return env.get_template("main.html").render(config=config, page=page)


def test_a_card_has_a_picture_only_where_the_address_is_known() -> None:
    told = show("https://a.example/", "lab/", 'A "b"')
    assert '<meta property="og:title" content="A &#34;b&#34;">' in told
    assert 'content="&lt;c&gt;"' in told
    assert '"og:image" content="https://a.example/card.png"' in told
    assert '"og:url" content="https://a.example/ru/lab/"' in told
    assert "summary_large_image" in told
    without = show("", "lab/")
    assert "og:image" not in without
    assert "og:url" not in without
    assert '"og:title" content="Site"' in show("", "", home=True)


def test_translations_have_whole_addresses_and_a_default_where_the_site_s_is_known() -> None:
    page = show("https://a.example/fork/", "lab/")
    assert 'href="https://a.example/fork/en/lab/" hreflang="en"' in page
    assert 'href="https://a.example/fork/ru/lab/" hreflang="ru"' in page
    assert 'href="https://a.example/fork/en/lab/" hreflang="x-default"' in page
    assert page.count("hreflang") == 3
    home = show("https://a.example/fork/", "", home=True)
    assert 'href="https://a.example/fork/" hreflang="x-default"' in home
    assert 'href="../en/lab/" hreflang="en"' in show("", "lab/")


def test_programs_find_the_feed_where_the_site_s_address_is_known() -> None:
    assert 'href="https://a.example/fork/ru/changes.xml"' in show("https://a.example/fork/", "")
    assert "atom" not in show("", "lab/")


@pytest.mark.parametrize("text", ["</script><b>"])
def test_the_words_of_the_search_cannot_end_the_element_they_stand_in(text: str) -> None:
    catalogue = load_words("en").catalogue | {"search": {"open": text}}
    told = tell_theme(Words("en", catalogue), "")["search_words"]
    assert "<" not in told
    assert json.loads(told) == {"open": text}


def test_the_root_has_from_the_start_what_the_script_of_the_theme_would_give_it() -> None:
    template = (DOCS / "theme" / "main.html").read_text(encoding="utf-8")
    (names,) = re.findall(r'documentElement\.className = "([^"]*)"', template)
    scripts = Path(material.__file__).parent / "templates" / "assets" / "javascripts"
    (bundle,) = scripts.glob("bundle.*.min.js")
    root = r"document\.documentElement\."
    said = bundle.read_text(encoding="utf-8")
    assert set(names.split()) == set(re.findall(root + r'classList\.add\("([^"]*)"\)', said))
    assert re.findall(root + r'setAttribute\("([^"]*)"', said) == ["data-js-focus-visible"]
