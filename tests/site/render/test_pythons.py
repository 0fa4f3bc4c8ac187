"""Several Pythons stand side by side, each held against its own baseline, and say what they lack."""

import re

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record
from scripts.harness.texts import list_languages
from scripts.site.judge.judge import Evidence
from scripts.site.render.gains import fold_pythons, name_pythons
from scripts.site.render.html import Markup
from scripts.site.render.tables import show_results
from scripts.site.render.words import load_words
from tests.factories import (
    EXITED,
    alter,
    make_experiment,
    make_interpreter,
    make_record,
    make_variant,
    replace,
)
from tests.site.render.markup import make_evidence, read, read_ids, read_rows

EN = load_words("en")
PLAIN, POOL = "01-io-sequential", "04-io-thread_pool"
TOO_OLD = Reason("package-needs-python", {"package": "aiohttp", "since": "3.11"})


def find(version: str, flags: str = "", **facts: object) -> Interpreter:
    return make_interpreter(id=f"cpython-{version}{flags}", version=version, **facts)


NOW, OLD, OLDER = find("3.13.0"), find("3.10.1"), find("3.9.2")
FREE = find("3.14.1", "t", free_threaded=True, gil="off")
LOCKED = find("3.14.1", "t-gil", free_threaded=True)


def measure(python: Interpreter, program: str, wall_s: float, **changes: object) -> Record:
    variant = make_variant(program=program, interpreter=python.id, gil=python.gil, **changes)
    return make_record(variant, [wall_s] * 5)


def lack(python: Interpreter, program: str) -> Record:
    record = measure(python, program, 1)
    return replace(record, status="unavailable", reason=TOO_OLD, timed=(), traced=())


def gather(*records: Record, pythons: tuple[Interpreter, ...] = (NOW, OLD)) -> Evidence:
    return make_evidence(records, pythons)


def read_side_by_side(evidence: Evidence) -> tuple[list[str], list[list[str]]]:
    """The heads and the rows of the first of the tables that compare."""
    shown = show_results(evidence, EN).partition("</table>")[0]
    heads = [read(head) for head in re.findall(r'<th scope="col">(.*?)</th>', shown)]
    return heads, read_rows(shown)


def test_each_program_is_held_against_the_baseline_of_its_own_python() -> None:
    evidence = gather(
        measure(NOW, PLAIN, 2.0), measure(NOW, POOL, 1.0), measure(OLD, PLAIN, 6.0),
        measure(OLD, POOL, 2.0),
    )  # fmt: skip
    heads, rows = read_side_by_side(evidence)
    assert heads == ["Program", "3.13", "3.10"]
    assert rows[0] == [PLAIN, "×1 1.9 s", "×1 5.9 s"]
    assert [cell.split()[1] for cell in rows[1][1:]] == ["×2.1", "×3.1"]


def test_a_cell_tells_the_seconds_on_hovering_and_a_table_below_for_whoever_cannot_hover() -> None:
    evidence = gather(measure(NOW, PLAIN, 2.0), measure(NOW, POOL, 1.0), measure(OLD, PLAIN, 6.0))
    shown = show_results(evidence, EN)
    assert 'title="5.9\N{NO-BREAK SPACE}s"' in shown
    seconds = shown.partition('<details class="chart-numbers"')[2].partition("</table>")[0]
    assert read_rows(seconds)[0] == [PLAIN, "1.9 s", "5.9 s"]


@pytest.mark.parametrize("language", list_languages())
def test_pythons_that_lack_a_program_for_one_reason_say_so_once(language: str) -> None:
    words = load_words(language)
    evidence = gather(
        *(measure(one, PLAIN, 1.0) for one in (NOW, OLD, OLDER)),
        *(lack(one, POOL) for one in (OLD, OLDER)),
        measure(NOW, POOL, 0.5),
        pythons=(NOW, OLD, OLDER),
    )
    compared = show_results(evidence, words).partition("</table>")[0]
    assert compared.count(words.reason(TOO_OLD)) == 1
    assert '<td class="absent" colspan="2">' in compared


@pytest.mark.parametrize(("kind", "name"), [("programs", POOL), ("families", "io")])
def test_a_python_that_cannot_run_a_program_says_since_when_it_could(kind: str, name: str) -> None:
    experiment = alter(make_experiment(), kind, name, python="3.11")
    records = [measure(NOW, PLAIN, 1.0), measure(NOW, POOL, 0.5), measure(OLD, PLAIN, 1.0)]
    evidence = make_evidence(records, (NOW, OLD), experiment)
    _, rows = read_side_by_side(evidence)
    assert rows[1][2] == "it takes Python 3.11 or later"


def test_one_build_with_the_gil_off_and_on_is_two_columns_with_names_of_their_own() -> None:
    evidence = gather(
        *(measure(one, program, 1.0) for one in (NOW, FREE, LOCKED) for program in (PLAIN, POOL)),
        pythons=(NOW, FREE, LOCKED),
    )
    heads, _ = read_side_by_side(evidence)
    assert heads == ["Program", "3.14t", "3.14t-gil", "3.13"]
    ids = read_ids(show_results(evidence, EN))
    assert len(ids) == len(set(ids)) == 3


def test_two_builds_of_one_minor_version_are_called_by_their_whole_version() -> None:
    evidence = gather(pythons=(NOW, find("3.13.7"), OLD))
    assert list(name_pythons(evidence).values()) == ["3.13.7", "3.13.0", "3.10"]


def test_with_one_python_there_is_nothing_to_compare() -> None:
    shown = show_results(gather(measure(NOW, PLAIN, 1.0), pythons=(NOW,)), EN)
    assert "side-by-side" not in shown
    assert "<details" not in shown
    assert "<form" not in shown


def test_the_tables_of_the_building_python_come_first_and_open() -> None:
    parts = {one.id: Markup(one.version) for one in (OLDER, OLD, NOW)}
    shown = fold_pythons(gather(pythons=(NOW, OLD, OLDER)), parts, EN)
    folded = re.findall(r'<details class="python" data-python="([^"]*)"( open)?>', shown)
    assert folded == [("3.13", " open"), ("3.10", ""), ("3.9", "")]
    assert re.findall(r'<option value="([^"]*)">([^<]*)<', shown) == [
        ("", "3.13"), ("3.10", "3.10"), ("3.9", "3.9"),
    ]  # fmt: skip


def test_a_program_that_failed_on_one_python_says_so() -> None:
    failed = replace(measure(OLD, POOL, 1), status="failed", reason=EXITED, timed=())
    evidence = gather(measure(NOW, PLAIN, 1.0), measure(NOW, POOL, 0.5), failed)
    _, rows = read_side_by_side(evidence)
    assert rows[1][2] == f"failed : {EN.reason(EXITED)}"


def test_a_program_whose_verdict_depends_on_the_python_is_marked() -> None:
    slow = measure(OLD, POOL, 6.0)
    evidence = gather(
        measure(NOW, PLAIN, 2.0), measure(NOW, POOL, 1.0), measure(OLD, PLAIN, 6.0), slow
    )
    _, rows = read_side_by_side(evidence)
    assert [row[0] for row in rows] == [PLAIN, f"{POOL} verdict depends on the Python"]
