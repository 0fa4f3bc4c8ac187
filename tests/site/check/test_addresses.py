"""No permanent address goes unnoticed, be it renamed ever so consistently."""

from pathlib import Path

import pytest

from scripts.site.check import addresses
from scripts.site.declare.declarations import Declarations

DECLARED = Declarations(experiments={})
PAGE = "# Lab {#top}\n\n## First {#first}\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A site of two pages in two languages, and its list."""
    for language in ("en", "ru"):
        for name in ("index.md", "lab.md"):
            path = tmp_path / language / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(PAGE, encoding="utf-8")
    (tmp_path / "addresses.txt").touch()
    addresses.note_addresses(tmp_path, DECLARED)
    return tmp_path


def rename(docs: Path, old: str, new: str) -> None:
    for path in docs.rglob("lab.md"):
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def add(docs: Path, line: str) -> None:
    with (docs / "addresses.txt").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def find(docs: Path) -> list[str]:
    return [str(problem) for problem in addresses.find_lost(docs, DECLARED)]


def test_what_is_new_is_asked_for_and_listed_by_one_command(docs: Path) -> None:
    assert find(docs) == []
    rename(docs, "{#first}", "{#first}\n\n## Second {#second}")
    (problem,) = find(docs)
    assert "lab/#second is not listed" in problem
    addresses.note_addresses(docs, DECLARED)
    assert find(docs) == []
    rename(
        docs,
        "{#second}",
        """{#second}

[A rule.]{#rule-first}

```python
print(show.drawing("gil"))
```""",
    )
    told = ["lab/#drawing-gil is not listed", "lab/#rule-first is not listed"]
    assert [problem.partition(": ")[2].partition(";")[0] for problem in find(docs)] == told


def test_what_was_renamed_in_every_language_is_lost_until_a_line_leads_on(docs: Path) -> None:
    rename(docs, "{#first}", "{#one}")
    addresses.note_addresses(docs, DECLARED)
    (problem,) = find(docs)
    assert "lab/#first is gone" in problem
    add(docs, "lab/#first -> lab/#one")
    assert find(docs) == []


@pytest.mark.parametrize("line", ["lab/#old -> lab/#nowhere", "lab/#first -> #first"])
def test_a_move_to_nowhere_or_from_what_is_there_is_told(docs: Path, line: str) -> None:
    add(docs, line)
    assert any(line.partition(" ")[0] in problem for problem in find(docs))


def test_a_home_leads_to_what_stands_below_it_now(docs: Path) -> None:
    for language in ("en", "ru"):
        (docs / language / "lab").mkdir()
        (docs / language / "lab" / "code.md").write_text("# Code {#top}\n\n## First {#first}\n")
    rename(docs, "{#first}", "{#one}")
    addresses.note_addresses(docs, DECLARED)
    assert find(docs) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    site = tmp_path / "my.site 1"  # a blank and a dot, as people's folders have
    (site / "en").mkdir(parents=True)
    (site / "en" / "index.html").write_text('<h1 id="here">x</h1>')
    (site / "index.html").write_text('<a href="en/#here">x</a>')
    (site / "404.html").write_text('<a href="/fork/en/">x</a>')  # it stands below that on its host
    assert list(addresses.find_broken_links(site)) == []
    (site / "en" / "index.html").write_text('<a href="/fr/">x</a><a href="#gone">x</a>')
    told = "\n".join(addresses.find_broken_links(site))
    assert "fr" in told
    assert "gone" in told
