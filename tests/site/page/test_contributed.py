"""What a stranger has sent, however rich, changes no sentence of any page."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.harness.machine import make_id
from scripts.harness.paths import DOCS
from scripts.harness.record import Record
from scripts.harness.store import (
    list_files,
    locate,
    locate_contributed,
    read_results,
    write_results,
)
from scripts.site.page import context
from scripts.site.page.context import Place
from scripts.site.page.publish import enter
from scripts.site.study.pipeline import Pipeline
from tests.browser.made_up import fill
from tests.factories import make_values, replace
from tests.site.page.test_fence import convert

FENCE = re.compile(
    r'^```python exec="on"[^\n]*id="([\w.-]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL
)
PAGES = ("index", "choose", "claims", "json", "questions")
BESIDE = re.compile(r"show\.(?:elsewhere|machines|releases)\(")
"""Blocks that list machines, where a contributed one stands under its name."""
Render = Callable[[], dict[str, str]]


@pytest.fixture
def render(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Render]:
    """Renders the blocks of pages, from made-up records of one experiment."""
    for name, value in {"RESULTS": str(tmp_path), "PROFILE": "quick", "ONLY": "json"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("INTERPRETERS", "current")
    monkeypatch.setattr(Pipeline, "watch", lambda _: None)  # which takes long, and no page needs it
    fill()
    monkeypatch.setenv("MEASURE", "0")

    def render() -> dict[str, str]:
        context.refresh()
        shown = {}
        for page in PAGES:
            text = (DOCS / "en" / f"{page}.md").read_text(encoding="utf-8")
            text = enter(text, "en", f"{page}.md")
            blocks = [one for one in FENCE.findall(text) if not BESIDE.search(one[1])]
            shown |= {f"{page}: {name}": convert(code) for name, code in blocks}
        return shown

    yield render
    context.enter(Place())
    monkeypatch.undo()
    context.refresh()


def exaggerate(record: Record, machine: str) -> Record:
    """The record of another machine, with three times as many trials, each far too good."""
    timed = [
        replace(one, values=make_values(one.wall_s / 50, 1e-3, inside_s=one.wall_s / 50))
        for one in record.timed * 3
    ]
    variant = replace(record.variant, machine=machine)
    return replace(record, variant=variant, timed=tuple(timed))


def contribute(results: Path) -> None:
    """Records of the machine at hand, and of one that nobody measured, both too good."""
    for path in list_files(results):
        found = read_results(path)
        assert found
        other = replace(found.machine, cpu_model="Impossible CPU")
        for machine in (found.machine, replace(other, id=make_id(other))):
            records = tuple(exaggerate(one, machine.id) for one in found.records)
            place = locate(locate_contributed(results), machine.id, found.interpreter.id)
            write_results(place, replace(found, machine=machine, records=records))


@pytest.mark.slow
def test_records_that_strangers_send_change_no_sentence_of_any_page(
    render: Render, tmp_path: Path
) -> None:
    before = render()
    assert any("claim-confirmed" in shown for shown in before.values())
    contribute(tmp_path)
    after = render()
    assert [name for name, shown in before.items() if after[name] != shown] == []
