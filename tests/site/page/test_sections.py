"""Sections that a page names are pages of their own; every address of what stood there leads on."""

from types import SimpleNamespace
from typing import Any

import pytest

from scripts.site.page import sections
from scripts.site.page.moved import Moved
from scripts.site.page.sections import Section, leave_links, split, write_section
from scripts.site.render.words import load_words

PAGE = """# Lab {#top}

Intro, see [the first](#p01).

## Programs {#programs}

### 01 · one `by` one {#p01}

Plain; see [rules](method.md#rules), [why](#why), [two](#p02) and [itself](#deep).

#### Deeper {#deep}

```python exec="on" html="true" id="lab-p01"
### no heading {#p99}
from scripts.site.page import show
print(show.program("lab/01-plain.py"))
```

### 02 · both {#p02}

Both.

## Why {#why}

Because.
"""


def test_a_page_keeps_a_link_in_the_place_of_each_section() -> None:
    rest, found = split(PAGE, r"p\d+", "lab")
    assert [one.id for one in found] == ["p01", "p02"]
    assert (
        "- [01 · one `by` one](lab/p01.md){#p01 .section}<br>Plain; see rules, why, two and itself.\n- [02"
        in rest
    )
    assert "show.program" not in rest
    assert rest.endswith("<br>Both.\n\n## Why {#why}\n\nBecause.\n")


def test_a_section_ends_with_the_next_heading_as_high_and_a_fence_has_none() -> None:
    _, (first, second) = split(PAGE, r"p\d+", "lab")
    assert "no heading" in first.text
    assert "Deeper" in first.text
    assert second.text.strip() == "Both."
    assert first.above == ("[Lab](#top)", "[Programs](#programs)")


@pytest.mark.parametrize("mark", ["```", "~~~"])
def test_a_fence_ends_with_the_marks_it_began_with(mark: str) -> None:
    other = "~~~" if mark == "```" else "```"
    fence = f"{mark}text\n{other}\n## no heading {{#p99}}\n{other}\n{mark}\n"
    _, found = split(f"# Lab {{#top}}\n\n## One {{#p01}}\n\n{fence}", r"p\d+", "lab")
    assert [one.id for one in found] == ["p01"]


def test_a_page_without_sections_stays_as_it_is() -> None:
    page: Any = SimpleNamespace(meta={}, file=SimpleNamespace(name="lab"))
    assert leave_links(PAGE, page) == PAGE


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    lab = SimpleNamespace(originals=({"program": "01-plain.py"},))
    monkeypatch.setattr(
        sections, "open_pipeline", lambda: SimpleNamespace(experiments={"lab": lab})
    )
    source = f"---\ntitle: Lab\nsections: p\\d+\n---\n{PAGE}"
    file: Any = SimpleNamespace(content_string=source, src_uri="lab.md", name="lab")
    return dict(sections.write_sections(file, load_words("en")))


def test_links_of_a_section_lead_where_they_led(written: dict[str, str]) -> None:
    page = written["p01"]
    assert "[rules](../method.md#rules)" in page
    assert "[why](../lab.md#why)" in page
    assert "[two](p02.md#p02)" in page
    assert "[itself](#deep)" in page
    assert "[Lab](../lab.md#top) › [Programs](../lab.md#programs)" in page


def test_the_page_of_a_program_has_its_figures_its_code_and_the_article(
    written: dict[str, str],
) -> None:
    page = written["p01"]
    order = ['program_figures("lab/01-plain.py")', 'show.program("lab/', "program_originals("]
    places = [page.index(call) for call in order]
    assert places == sorted(places)
    assert page.startswith('---\ntitle: "01 · one by one"\ndescription: "Plain; see rules')
    assert "\n# 01 · one `by` one {#p01}\n" in page
    assert "\n## Deeper {#deep}\n" in page
    assert "program_figures" not in written["p02"]


def test_what_an_article_does_not_have_gets_no_heading(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = SimpleNamespace(originals=())
    monkeypatch.setattr(
        sections, "open_pipeline", lambda: SimpleNamespace(experiments={"lab": lab})
    )
    _, (first, _) = split(PAGE, r"p\d+", "lab")
    assert "program_originals" not in write_section(first, load_words("en"))


def test_a_hostile_title_stays_one_line_of_front_matter() -> None:
    page = write_section(Section("p01", 'a: "b" # c', 2, ()), load_words("en"))
    assert page.splitlines()[1] == r'title: "a: \"b\" # c"'


def make_page(url: str, content: str, **meta: str) -> Any:
    uri = f"{url.rstrip('/')}.md"
    file = SimpleNamespace(src_uri=uri, name=uri.removesuffix(".md").rpartition("/")[2])
    return SimpleNamespace(
        url=url, content=content, meta=meta, file=file, present_anchor_ids=set(), parent="Labs"
    )


@pytest.fixture
def pages() -> list[Any]:
    link = '<li><a class="section" href="p{0}/" id="p{0}">{0}</a></li>'
    home = link.format("01") + link.format("02")
    first = '<h1 id="p01">01</h1><h2 id="code"></h2><p id="claim-x"></p><svg><g id="in"/></svg>'
    return [
        make_page("lab/", home, sections="p.*"),
        make_page("lab/p01/", first),
        make_page("lab/p02/", '<h1 id="p02">02</h1><h2 id="code"></h2>'),
        make_page("theory/gil/", ""),
    ]


@pytest.fixture
def moved(pages: list[Any]) -> Moved:
    files: Any = SimpleNamespace(
        documentation_pages=lambda: [SimpleNamespace(page=page) for page in pages]
    )
    return Moved(files, "en")


@pytest.mark.parametrize(
    ("place", "link", "led"),
    [
        (3, "../../lab/#claim-x", "../../lab/p01/#claim-x"),
        (3, "../../lab/#p01", "../../lab/p01/"),
        (3, "../../../en/lab/#p02", "../../lab/p02/"),
        (0, "#claim-x", "p01/#claim-x"),
        (1, "../#claim-x", "#claim-x"),
        (2, "../p01/#claim-x", "../p01/#claim-x"),
        (3, "../../lab/#top", "../../lab/#top"),
        (3, "#claim-x", "#claim-x"),
        (3, "../../lab/#code", "../../lab/#code"),
        (3, "https://lab.example/lab/#p01", "https://lab.example/lab/#p01"),
    ],
)
def test_a_link_leads_to_where_a_thing_stands_now(
    moved: Moved, pages: list[Any], place: int, link: str, led: str
) -> None:
    assert moved.lead(f'<a href="{link}">', pages[place]) == f'<a href="{led}">'


def test_who_comes_by_an_old_address_finds_the_link_to_the_page(
    moved: Moved, pages: list[Any]
) -> None:
    shown = moved.lead(pages[0].content, pages[0])
    assert '>01</a><i id="claim-x"></i></li>' in shown
    assert 'id="in"' not in shown
    assert 'id="code"' not in shown
    assert {"claim-x", "p02"} <= pages[0].present_anchor_ids


@pytest.mark.usefixtures("moved")
def test_sections_follow_each_other_where_their_page_stands(pages: list[Any]) -> None:
    home, first, second, _ = pages
    assert (first.previous_page, first.next_page) == (home, second)
    assert (second.previous_page, second.parent) == (first, "Labs")
    assert not hasattr(home, "next_page")


def test_sections_follow_each_other_in_the_language_that_is_read_from_its_end(
    pages: list[Any],
) -> None:
    home, first, second, _ = pages
    files: Any = SimpleNamespace(
        documentation_pages=lambda: [SimpleNamespace(page=page) for page in reversed(pages)]
    )
    Moved(files, "ru")
    assert (first.previous_page, first.next_page, second.previous_page) == (home, second, first)
