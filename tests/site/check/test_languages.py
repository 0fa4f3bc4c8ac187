"""The languages' check passes what agrees and names what does not, by the parts of pages."""

import json
import re
from pathlib import Path

import pytest

from poolwise.declaration import MalformedDeclaration
from scripts.site.check.languages import find_differences, note_siblings
from scripts.site.check.pages import Fence, Heading, Paragraph, split

FENCE = """\
```python exec="on" html="true" id="one"
print("<p>1</p>")
```

"""
PAGE = """\
---
title: {title}
---

# {title} {{#top}}

```python exec="on" html="true" id="one"
print("<p>1</p>")
```

## {more} {{#more}}

```console
# not a heading
```

- one
- two

??? question "Why"

    Folded
"""


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    for language, title, more in (("en", "Home", "More"), ("ru", "Главная", "Ещё")):
        folder = tmp_path / language
        folder.mkdir()
        (folder / "index.md").write_text(PAGE.format(title=title, more=more))
        notebook = {
            "metadata": {},
            "cells": [
                {"cell_type": "markdown", "source": [f"# {title} {{#top}}"]},
                {"cell_type": "code", "source": ["print(1)"]},
            ],
        }
        (folder / "notebook.ipynb").write_text(json.dumps(notebook))
    note_siblings(tmp_path)
    return tmp_path


def test_pages_that_agree_pass_and_noting_so_again_changes_nothing(docs: Path) -> None:
    assert list(find_differences(docs)) == []
    before = {path: path.read_text() for path in docs.rglob("*.*")}
    note_siblings(docs)
    assert {path: path.read_text() for path in docs.rglob("*.*")} == before


def test_pages_agree_whatever_editors_made_of_their_lines(docs: Path) -> None:
    page = docs / "ru" / "index.md"
    page.write_bytes(b"\xef\xbb\xbf" + page.read_bytes().replace(b"\n", b"\r\n"))
    assert list(find_differences(docs)) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("{#more}", "{#other}", r"index.md:12: this heading differs"),
        ("{#more}", "", r"index.md:12: a heading needs its own id"),
        ("{#more}", "{#ещё}", r"index.md:12: a heading needs its own id"),
        ("{#more}", "{#top}", r"index.md:12: a second heading"),
        ("- two", "- [two]{#rule-two}", r"index.md:18: this list, .* differs"),
        ("- two", "- [two]{#rule-два}", r"index.md:18: .* a rule one like"),
        ("- two", "- [two]{#rule-a}\n\n[End]{#rule-a}", r"index.md:21: a second heading or rule"),
        ("<p>1</p>", "<p>2</p>", r"index.md:8: this fence differs"),
        (FENCE, "", r"index.md:8: this heading differs"),
        ('exec="on"', "exec=on", r"index.md:8: unknown options of a fence"),
        (' html="true"', "", r"index.md:8: a fence without html"),
        ("    Folded", "    Folded, new", r"en/index.md:1: sibling: another language"),
        ("    Folded", "    Folded\n\n## Last {#last}", r"8 parts, but .*en/index.md has 7"),
        ("- two\n", "", r"index.md:18: this list, .* differs"),
        ("    Folded", "Folded", r"index.md:23: this list, .* differs"),
        ("print(1)", "print(2)", r"notebook.ipynb:1: this fence differs"),
    ],
)
def test_a_difference_is_named(docs: Path, old: str, new: str, problem: str) -> None:
    for page in (docs / "ru").iterdir():
        page.write_text(page.read_text().replace(old, new))
    assert re.search(problem, "\n".join(map(str, find_differences(docs))))


def test_a_page_that_a_language_lacks_is_named(docs: Path) -> None:
    (docs / "ru" / "notebook.ipynb").unlink()
    assert [one for one in find_differences(docs) if "{ru}/notebook.ipynb: missing" in str(one)]


@pytest.mark.parametrize("name", ["index.md", "notebook.ipynb"])
def test_a_page_that_is_no_utf_8_is_told_with_its_line(docs: Path, name: str) -> None:
    (docs / "ru" / name).write_bytes(b"---\r\n\xff")
    for read in (lambda: list(find_differences(docs)), lambda: note_siblings(docs)):
        with pytest.raises(MalformedDeclaration, match=rf"ru/{name}:2: not UTF-8\Z"):
            read()


def parse(text: str) -> list[Heading | Fence | Paragraph]:
    return list(split(list(enumerate(text.splitlines(), start=1))))


def paragraph(*lines: tuple[int, str]) -> Paragraph:
    return Paragraph(lines)


def test_the_parts_come_in_their_order_with_their_lines() -> None:
    assert parse("# One {#one}\n\nText,\nmore.\n\n```python\nx = 1\n\ny = 2\n```\nLast.") == [
        Heading(1, "one"),
        paragraph((1, "# One {#one}")),
        paragraph((3, "Text,"), (4, "more.")),
        Fence(6, "python", "x = 1\n\ny = 2"),
        paragraph((11, "Last.")),
    ]


@pytest.mark.parametrize(
    ("line", "id_"), [("# One", ""), ("###### One {#one-two}", "one-two"), ("## `a{b}` {#c} ", "c")]
)
def test_a_heading_has_an_id_only_if_it_names_one(line: str, id_: str) -> None:
    assert parse(line)[0] == Heading(1, id_)


def test_a_fence_may_stand_inside_a_list_and_straight_after_text() -> None:
    item, fence = parse("- item\n    ```python\n    x\n    ```")
    assert item == paragraph((1, "- item"))
    assert isinstance(fence, Fence)
    assert (fence.line, fence.code) == (2, "x")


def test_russian_pages_link_to_the_russian_documentation() -> None:
    # 3.13 and older get no new translation: only versions that still get fixes are built.
    english = re.compile(r"https://docs\.python\.org/3(?:\.1[4-9])?/[^)\s]*")
    links = [
        f"{page}: {link}"
        for page in sorted(Path("docs/ru").rglob("*.md"))
        for link in english.findall(page.read_text())
    ]
    assert not links, f"write docs.python.org/ru/: {links}"
