"""No measured quantity is typed, every claim stands on a page, dropped phrases stay away, and sentences are short."""

import re
from pathlib import Path

import pytest

from scripts.site.check.pages import Problem
from scripts.site.check.prose import (
    MOST_WORDS,
    find_bad_wording,
    find_long_sentences,
    find_misplaced,
    find_quantities,
    find_stray_marks,
)
from scripts.site.declare.declarations import Declarations
from tests.factories import make_claim, make_comparison, make_experiment

FENCE = """```python exec="on" id="x"
from scripts.site.page import show
print(show.{call})
```
"""


def check(folder: Path, pages: dict[str, str], ids: tuple[str, ...] = ("a",)) -> list[Problem]:
    for name, text in pages.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    declared = "".join(f'[[claims]]\nid = "{id_}"\n' for id_ in ids)
    (folder / "claims.toml").write_text(declared, encoding="utf-8")
    claims = {"lab": tuple(make_claim(make_comparison(), id=id_) for id_ in ids)}
    found = Declarations(experiments={"lab": make_experiment(folder)}, claims=claims)
    return list(find_misplaced(folder / "docs", found))


SHOWN = FENCE.format(call='claim("a")')


def test_the_text_of_notebooks_is_read_too(tmp_path: Path) -> None:
    book = '{"cells": [\n {"cell_type": "code", "source": ["3 s"]},\n {"cell_type": "markdown",\n  "source": ["It takes 3 s"]}]}'
    problems = check(tmp_path, {"en/a.md": SHOWN, "en/b.ipynb": book})
    assert [(path.name, line) for path, line, _ in problems] == [("b.ipynb", 1)]


@pytest.mark.parametrize(
    ("pages", "ids", "told"),
    [
        ({"en/m.md": SHOWN}, ("a", "b"), (3, "no page shows the claim 'b'")),
        (
            {"en/m.md": SHOWN, "en/lab.md": "## One {#one}"},
            ("a",),
            (1, "lab.md does not show the claim 'a'"),
        ),
    ],
)
def test_a_claim_that_no_page_shows_nor_that_of_its_experiment_is_found_where_it_is_declared(
    tmp_path: Path, pages: dict[str, str], ids: tuple[str, ...], told: tuple[int, str]
) -> None:
    ((path, *found),) = check(tmp_path, pages, ids)
    assert (path.name, tuple(found)) == ("claims.toml", told)


def find(text: str) -> list[str]:
    language = "ru" if re.search("[а-я]", text) else "en"
    lines = list(enumerate(text.splitlines(), 1))
    return [message for _, message in find_quantities(lines, language)]


MEASURED = [
    "It takes 3 s.",
    "It takes 3.5\N{NO-BREAK SPACE}seconds.",
    "within 5–7 s",
    "It ran for 2 minutes.",
    "За 12 с и ещё немного.",
    "Это 0,5 секунды.",
    "всего 40 мс",
    "It needs 30 MB.",
    "and 28.9 MiB each",
    "Нужно 16 КБ на поток.",
    "3× faster",
    "a gain of 2.5x",
    "ускорение ×4",
    "3 times faster",
    "It is twice as fast.",
    "в 3 раза быстрее",
    "в два раза меньше",
    "вдвое быстрее",
    "It uses 95 % of the CPU.",
    "a 40 per cent gain",
]
UNMEASURED = [
    "Thirty pages, 30 threads, 21 tasks.",
    "Since Python 3.13, on 2 cores.",
    "A setting such as `5 ms` or `--limit 20MB`.",
    "```\ntook 3 s\n```",
    "~~~~\ntook 3 s\n```\n3 s\n~~~~",
    "A [link](https://example.org/3s/40%) to 2020.",
    "with its 95 % bootstrap interval",
    "95-процентный интервал, 95 % интервал",
    "Программа 12 с пулом процессов.",
    "It announces twice the cores it has.",
    "Объявляет вдвое больше ядер.",
]


def test_a_typed_measurement_is_found_and_what_is_none_passes() -> None:
    assert [text for text in MEASURED if not find(text)] == []
    assert [text for text in UNMEASURED if find(text)] == []


def test_what_a_source_said_passes_where_it_is_marked() -> None:
    quote = "> It took 29 s, then 17 s.\n> A 40 % gain."
    assert find(quote)
    assert find(f"{quote}\n{{.original}}") == []
    assert find(f"{quote}\n{{.original}}\n\nOurs took 3 s.")


def test_a_mark_below_a_table_is_named_and_one_in_its_last_cell_passes() -> None:
    table = ["| Who | What |", "|---|---|", "| PEP | 5 % |"]
    below = [*enumerate([*table, "{: .original }", "", "Text.", "{: .original }"], 1)]
    assert [line for line, _ in find_stray_marks(below)] == [4]
    inside = [*enumerate([*table[:2], "| PEP | 5 % {: .original } |", ""], 1)]
    assert [*find_stray_marks(inside)] == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("docs/ru/method.md", "Программа кончает раньше чем через секунду."),
        ("docs/en/gil.md", "- [PEP 703](https://peps.python.org/pep-0703/) (21 November 2026)."),
        ("examples/matrix/claims.toml", 'ru = "Эта программа занимает {left} ядра."'),
    ],
)
def test_a_phrase_that_comes_back_is_told_with_its_line(
    name: str, line: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(f"first\n{line}\n", encoding="utf-8")
    found = [problem for problem in find_bad_wording(tmp_path) if problem[0] == path]
    assert [line for _, line, _ in found] == [2]


LONG = " ".join(["word"] * (MOST_WORDS + 1))
SHORT = " ".join(["word"] * MOST_WORDS)


def find_long(folder: Path, text: str) -> list[str]:
    page = folder / "en" / "index.md"
    page.parent.mkdir()
    page.write_text(text, encoding="utf-8")
    return [str(problem).removeprefix(f"{page}:") for problem in find_long_sentences(folder)]


def test_a_long_sentence_is_named_with_its_line(tmp_path: Path) -> None:
    assert find_long(tmp_path, f"# Top {{#top}}\n\n{SHORT}. Short.\n\n- {LONG}.") == [
        "5: 26 words in a sentence, 25 are the most: word word word word word word …"
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"{SHORT}: {SHORT.capitalize()}",
        f"{SHORT}.\n{SHORT}.",
        f"**{SHORT}.** {SHORT}",
        f"> {LONG}",
        f"{LONG}\n{{.original}}",
        f"| {LONG} |",
        f"```text\n{LONG}\n```",
        f"{SHORT[5:]} `{LONG}`",
        f"{SHORT[5:]} [word](https://example.org/a-b-c)",
        f"## Sources {{#sources}}\n\n- {LONG}",
    ],
)
def test_only_words_of_one_sentence_of_ours_count(tmp_path: Path, text: str) -> None:
    assert find_long(tmp_path, text) == []
