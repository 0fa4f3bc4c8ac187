"""Measured quantities are never typed, and every claim stands on a page."""

from pathlib import Path

from scripts.site.check.claims import Problem, find_problems
from scripts.site.declare.claims import load_claims
from scripts.site.declare.declarations import Declarations
from tests.factories import TERMS, make_experiment

CLAIM = """
[[claims]]
id = "{id}"
topic = "{topic}"
source = "us"
all = [{{ metric = "wall_s", left = "04-io-thread_pool", right = "01-io-sequential", relation = "less" }}]
text = {{ en = "So it is.", ru = "Так и есть." }}
"""
FENCE = """```python exec="on" id="x"
from scripts.site.page import show
print(show.{call})
```
"""


def check(
    folder: Path, pages: dict[str, str], claims: tuple[tuple[str, str], ...] = (("a", "io"),)
) -> list[Problem]:
    for name, text in pages.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    declared = "".join(CLAIM.format(id=id_, topic=topic) for id_, topic in claims)
    (folder / "claims.toml").write_text(f"schema = 1\n{declared}", encoding="utf-8")
    experiment = make_experiment(folder)
    found = Declarations(
        experiments={"lab": experiment}, claims={"lab": load_claims(experiment, TERMS)}
    )
    return find_problems(folder / "docs", found)


def show(call: str) -> str:
    return FENCE.format(call=call)


def test_the_text_of_notebooks_is_read_too(tmp_path: Path) -> None:
    book = '{"cells": [\n {"cell_type": "code", "source": ["3 s"]},\n {"cell_type": "markdown",\n  "source": ["It takes 3 s"]}]}'
    page = show('claim("a")')
    problems = check(tmp_path, {"en/a.md": page, "en/b.ipynb": book})
    assert [(path.name, line) for path, line, _ in problems] == [("b.ipynb", 4)]


def test_a_claim_on_a_page_of_each_language_is_right(tmp_path: Path) -> None:
    page = "## One {#one}\n\n" + show('claim("a")')
    assert check(tmp_path, {"en/m.md": page, "ru/m.md": page}) == []


def test_a_claim_that_no_page_shows_is_found_where_it_is_declared(tmp_path: Path) -> None:
    page = show('claim("a")')
    ((path, line, message),) = check(tmp_path, {"en/m.md": page}, (("a", "io"), ("b", "io")))
    assert (path.name, line) == ("claims.toml", 10)
    assert "no page shows the claim 'b'" in message


def test_the_page_of_an_experiment_shows_all_its_claims(tmp_path: Path) -> None:
    elsewhere = {"en/m.md": show('claim("a")'), "en/lab.md": "## One {#one}"}
    ((path, _, message),) = check(tmp_path, elsewhere)
    assert (path.name, message) == ("claims.toml", "lab.md does not show the claim 'a'")


def test_the_list_of_everything_alone_shows_nothing_in_its_place(tmp_path: Path) -> None:
    ((_, _, message),) = check(tmp_path, {"en/claims.md": show("claims()")})
    assert "no page shows" in message


def test_a_list_by_topic_shows_its_claims(tmp_path: Path) -> None:
    assert check(tmp_path, {"en/m.md": show('claims(topic="io")')}) == []


def test_a_page_that_shows_an_unknown_claim_is_found(tmp_path: Path) -> None:
    page = show('claim("a")') + "\n" + show('claim("zzz")') + "\n" + show('claims(topic="none")')
    problems = check(tmp_path, {"en/m.md": page})
    assert [(line, message) for _, line, message in problems] == [
        (6, "no such claim 'zzz'"),
        (11, "no claims of a topic 'none'"),
    ]


def test_a_page_of_any_language_that_shows_an_unknown_program_is_found(tmp_path: Path) -> None:
    page = show('claim("a")')
    known, lost = (show(f'program("lab/{name}.py")') for name in ("01-io-sequential", "02-gone"))
    ((path, line, message),) = check(tmp_path, {"en/m.md": page + known, "ru/m.md": page + lost})
    assert (path.parent.name, line) == ("ru", 5)
    assert message.startswith(
        "no such program 'lab/02-gone.py'; there are lab/01-io-sequential.py,"
    )
