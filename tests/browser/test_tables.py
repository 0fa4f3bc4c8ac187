"""The tables have every program on every core count, in the numbers of the page's language."""

import json
import re
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from scripts.harness.experiment import load_experiment
from scripts.harness.machine import usable_cores
from scripts.harness.paths import EXAMPLES
from scripts.site.render.html import program_anchor
from scripts.site.render.words import load_words
from tests.browser.visitor import LANGUAGES, Site, Visitor

MATRIX = load_experiment(EXAMPLES / "matrix")
PROGRAMS = [program.file for program in MATRIX.programs]
ROWS = [
    (program.name, family.name)
    for family in MATRIX.families
    for program in MATRIX.programs
    if family.name in program.families
]
"""Program and family, as they stand in a table."""
COLUMNS = ("wall", "user", "kernel", "cpu", "memory", "largest_process", "verdict")
HEADS = {
    language: tuple(load_words(language).text(column) for column in COLUMNS)
    for language in LANGUAGES
}
SPACE = "[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE} ]"
NUMBERS = {"en": r"\d{1,3}(?:,?\d{3})*(?:\.\d+)?", "ru": rf"\d{{1,3}}(?:{SPACE}?\d{{3}})*(?:,\d+)?"}

READ_PAGE = """() => ({
  tables: [...document.querySelectorAll("section.results")].map(section => {
    const heads = [...section.querySelectorAll("thead th")].map(head => head.textContent.trim());
    const rows = [...section.querySelectorAll("tbody tr:not(.group)")].map(row => ({
      program: row.querySelector("th a").textContent.trim(),
      cells: Object.fromEntries([...row.children].map((cell, place) =>
        [heads[place], (cell.querySelector("strong, .verdict") || cell).textContent.trim()])),
    }));
    return {id: section.id, visible: section.checkVisibility(), rows,
            provenance: section.parentElement.querySelector(".provenance").textContent};
  }),
  programs: [...document.querySelectorAll("div.program")].map(block => {
    const path = block.querySelector(".program-head code").textContent;
    return {file: path.split("/").at(-1), address: block.querySelector("a[download]").href,
            code: block.querySelector(".highlight code").textContent};
  }),
})"""


def _list_core_counts(most: int) -> list[int]:
    """1, 2, 4, … and all."""
    return sorted({most, *(2**power for power in range(most.bit_length()) if 2**power <= most)})


CORE_COUNTS = _list_core_counts(len(usable_cores()))
TABLES = {f"results-{cores}-cores" for cores in CORE_COUNTS}
"""Those of all families; some families have tables of their own beside them."""
NOT_WATCHED = {"io-tls"}
"""Families whose memory smoke does not watch."""


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def page(visitor: Visitor, language: str) -> dict[str, Any]:
    with visitor.open(f"{language}/matrix/table/") as page:
        found = dict(page.evaluate(READ_PAGE))
        for name in PROGRAMS:
            page.goto(f"{visitor.site.url}{language}/matrix/{program_anchor(name)}/")
            found["programs"] += page.evaluate(READ_PAGE)["programs"]
        found["tables"] = [one for one in found["tables"] if one["id"] in TABLES]
        return found


def test_each_core_count_has_a_table_with_every_program_in_it(page: dict[str, Any]) -> None:
    shown = {table["id"]: [row["program"] for row in table["rows"]] for table in page["tables"]}
    names = [program for program, _ in ROWS]
    assert len(names) > 20
    assert shown == {f"results-{cores}-cores": names for cores in CORE_COUNTS}
    assert all(table["visible"] for table in page["tables"])


def test_every_cell_is_filled_in_the_language_of_the_page(
    page: dict[str, Any], language: str
) -> None:
    number = re.compile(rf"{NUMBERS[language]}{SPACE}?[^\W\d]+|{NUMBERS[language]}{SPACE}?%")
    *quantities, verdict = HEADS[language]
    wrong = [
        (table["id"], row["program"], head, row["cells"].get(head))
        for table in page["tables"]
        for row, (_, family) in zip(table["rows"], ROWS, strict=True)
        for head in (*quantities, verdict)
        if not (family in NOT_WATCHED and row["cells"].get(head) == "—")
        if not (number if head != verdict else re.compile(r"\W?\s?[^\W\d].+")).fullmatch(
            row["cells"].get(head, "")
        )
    ]
    assert wrong == []


def test_the_wall_time_shown_is_the_published_median(
    page: dict[str, Any], language: str, site: Site
) -> None:
    published = {
        (row["cores"], row["program"], row["family"]): row["wall_median_s"]
        for row in json.loads((site.folder / "data" / "results.json").read_text())["rows"]
        if row["experiment"] == "matrix"
    }
    for table in page["tables"]:
        cores = int(table["id"].split("-")[1])
        for row, (program, family) in zip(table["rows"], ROWS, strict=True):
            value, unit = re.split(SPACE, row["cells"][HEADS[language][0]], maxsplit=1)
            assert unit in ("s", "с")
            digits = value.replace(",", ".")
            rounding_s = 0.5 * 10 ** -len(digits.partition(".")[2])
            assert float(digits) == pytest.approx(
                published[cores, program, family], abs=1.01 * rounding_s
            )


def test_every_program_is_shown_whole_and_can_be_downloaded(
    page: dict[str, Any], visitor: Visitor
) -> None:
    shown = {block["file"]: block for block in page["programs"]}
    assert list(shown) == PROGRAMS
    (address,) = {block["address"] for block in shown.values()}
    with visitor.visit() as context:
        bundle = ZipFile(BytesIO(context.request.get(address).body()))
    for file, block in shown.items():
        source = (EXAMPLES / "matrix" / file).read_bytes()
        assert block["code"].strip("\n") == source.decode().strip("\n")
        assert bundle.read(f"examples/matrix/{file}") == source


def test_a_table_says_in_which_profile_it_was_measured(page: dict[str, Any], language: str) -> None:
    said = {"en": "profile smoke", "ru": "профиль smoke"}[language]
    assert all(said in table["provenance"] for table in page["tables"])
