"""The page on the GIL opens with what a free-threaded Python found, or says that there was none.

Such a build is not on every machine: its records are made up here, with times of threads that
behave as they should.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.harness.machine import Machine
from scripts.harness.paths import DOCS
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Results
from scripts.harness.store import locate, write_results
from scripts.site.declare.texts import list_languages
from scripts.site.page import context
from scripts.site.page.context import Place
from scripts.site.render.words import load_words
from scripts.site.study import cells
from tests.examples.test_gil_claims import FREE, LOCKED, OLD, measure_orders, measure_sums
from tests.factories import make_machine, make_record, replace
from tests.site.page.test_fence import convert

PAGE = "theory/gil"
WITH, WITHOUT, DOTS = "gil-claim-with", "gil-claim-without", "gil-versions"
FENCE = re.compile(r'```python exec="on" html="true" id="([\w-]+)"\n(.*?)\n```', re.DOTALL)
CHECK = re.compile(r'<li class="claim-([\w-]+)" title="box, ([^"]+)"')
WITHOUT_GIL = re.compile("in-parallel-without-the-gil|free-threads-compute-in-parallel")
Build = Callable[..., dict[str, str]]


def record(folder: Path, machine: Machine, *pythons: Interpreter) -> None:
    """Results files of a machine with these Pythons."""
    for python in pythons:
        records = [
            replace(one, variant=replace(one.variant, machine=machine.id))
            for one in (*measure_sums(python), *measure_orders(python))
        ]
        found = Results(machine=machine, interpreter=python, records=tuple(records))
        write_results(locate(folder, machine.id, python.id), found)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Build]:
    """Builds what the page opens with, block by block, of a machine with some Pythons."""

    def build(language: str, *pythons: Interpreter) -> dict[str, str]:
        machine = make_machine()
        record(tmp_path, machine, *pythons)
        monkeypatch.setenv("RESULTS", str(tmp_path))
        monkeypatch.setenv("MACHINE", machine.id)
        monkeypatch.setattr(cells, "take_fingerprint", lambda *_: make_record().fingerprint)
        context.refresh()
        context.enter(Place(language=language, source=f"{PAGE}.md", url=f"{PAGE}/"))
        text = (DOCS / language / f"{PAGE}.md").read_text(encoding="utf-8")
        opening = text.partition("{#found}")[2].partition("\n## ")[0]
        return {name: convert(code) for name, code in FENCE.findall(opening)}

    yield build
    context.enter(Place())
    monkeypatch.undo()
    context.refresh()


def read_statuses(claim: str) -> dict[str, str]:
    """What a claim came to on each Python, by its id."""
    return {python: status.replace("-", " ") for status, python in CHECK.findall(claim)}


@pytest.mark.parametrize("language", list_languages())
def test_with_a_free_threaded_build_threads_scale_without_the_gil_alone(
    build: Build, language: str
) -> None:
    shown = build(language, OLD, FREE, LOCKED)
    assert read_statuses(shown[WITH]) == {
        OLD.id: "confirmed", FREE.id: "not applicable", LOCKED.id: "confirmed"
    }  # fmt: skip
    assert read_statuses(shown[WITHOUT]) == {
        OLD.id: "not applicable", FREE.id: "confirmed", LOCKED.id: "not applicable"
    }  # fmt: skip
    words = load_words(language)
    assert words.ratio(0.9 / 1.9) in shown[DOTS]
    assert all(f">{name}<" in shown[DOTS] for name in ("3.13", "3.14t", "3.14t-gil"))


def test_with_one_python_the_same_page_says_what_it_lacks(build: Build) -> None:
    shown = build("ru", OLD)
    assert read_statuses(shown[WITH]) == {OLD.id: "confirmed"}
    assert read_statuses(shown[WITHOUT]) == {OLD.id: "not applicable"}
    assert ">3.13<" in shown[DOTS]


@pytest.mark.parametrize("language", list_languages())
@pytest.mark.parametrize("page", [PAGE, "theory/free-threading", "free-threads"])
def test_the_pages_open_with_what_became_of_the_claim(
    build: Build, page: str, language: str
) -> None:
    for pythons, status in (((OLD,), "not-applicable"), ((OLD, FREE, LOCKED), "confirmed")):
        build(language, *pythons)
        shown = convert(f'from scripts.site.page import show\nprint(show.findings("{page}"))')
        (told,) = [one for one in shown.split("<li>") if WITHOUT_GIL.search(one)]
        assert f"claim-{status}" in told


@pytest.mark.parametrize("language", list_languages())
def test_a_machine_without_such_a_build_names_those_that_have_one(
    build: Build, language: str, tmp_path: Path
) -> None:
    record(tmp_path, replace(make_machine(), id="other"), FREE)
    build(language, OLD)
    shown = convert(
        'from scripts.site.page import show\nprint(show.claim("free-threads-compute-in-parallel"))'
    )
    assert read_statuses(shown) == {OLD.id: "not applicable"}
    elsewhere = shown.partition("claim-elsewhere")[2]
    assert FREE.id in elsewhere
    assert "machines/other" in elsewhere
