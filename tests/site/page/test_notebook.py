"""On Python 3.11 a notebook is read by an older mkdocs-jupyter, and becomes the same page."""

from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scripts.site.page.notebook import find_brought, mend, translate

GIVEN = """\
<script src=""> </script><script type="module">import x from "https://example.com/x.js"</script>
<hr/>
<h2 id="title-a">title: Блокнот
description: Всё &lt; в одном<a class="anchor-link" href="#title-a">¶</a></h2>
<h1 id="python-top">Данные, открытые в Python {#top}<a class="anchor-link" href="#python-top">¶</a></h1>
<p><a href="theory/gil.md#what">GIL</a> <a href="matrix.md">matrix</a> <a href="../x.json">x</a></p>
<h2 id="cores">Что дают <em>ядра</em> {#cores}<a class="anchor-link" href="#cores">¶</a></h2>
<script>copy()</script>"""


@pytest.fixture
def page() -> Any:
    return SimpleNamespace(meta={}, toc=None)


def test_its_front_matter_is_that_of_the_page(page: Any) -> None:
    assert "Блокнот" not in mend(GIVEN, page, "Link")
    assert page.title == "Блокнот"
    assert page.meta == {"title": "Блокнот", "description": "Всё < в одном"}


def test_its_headings_have_their_own_ids_and_stand_in_the_table_of_contents(page: Any) -> None:
    html = mend(GIVEN, page, "Link")
    link = '<a class="headerlink" href="#cores" title="Link">#</a>'
    assert f'<h2 id="cores">Что дают <em>ядра</em>{link}</h2>' in html
    assert [(one.id, one.level) for one in page.toc] == [("top", 1)]
    assert [one.id for one in page.toc.items[0].children] == ["cores"]


def test_its_links_lead_to_pages(page: Any) -> None:
    html = mend(GIVEN, page, "Link")
    for address in ("../theory/gil/#what", "../matrix/", "../x.json"):
        assert f'href="{address}"' in html


def test_it_loads_nothing_from_third_parties(page: Any) -> None:
    html = mend(GIVEN, page, "Link")
    assert "example.com" not in html
    assert "<script>copy()</script>" in html


def test_what_its_makers_say_in_english_is_said_in_the_language_of_the_page() -> None:
    given = '<a aria-label="Copy"><span>Copied!</span></a><p>Copied! by hand</p>'
    html = translate(given, {"Copied!": "Скопировано", "Copy": "Копия"})
    assert html == ('<a aria-label="Копия"><span>Скопировано</span></a><p>Copied! by hand</p>')


def test_its_scripts_are_those_that_its_makers_bring() -> None:
    folder = Path(str(files("mkdocs_jupyter"))) / "templates" / "mkdocs_html" / "assets"
    brought = (folder / "clipboard.umd.js").read_text(encoding="utf-8")
    html = f"<script>{brought}</script><p>1</p><script>printed()</script>"
    assert find_brought(html) == [brought]
