"""Each machine has a row, to which links lead, and nothing that it says of itself is markup."""

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from msgspec import structs

from scripts.harness.experiment import Navigation
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.judge import Evidence
from scripts.site.page import context, show
from scripts.site.page.context import Place
from tests.factories import make_machine
from tests.site.judge.test_rows import gather, make_pair

HOSTILE = "</script><img src=x onerror=alert(1)> [a](javascript:b) {{ x }}"


def make_evidence(machine: str) -> Evidence:
    found = gather(machine, *make_pair(machine))
    navigation = Navigation(title={"en": "Lab", "ru": "Лаборатория"}, place=1)
    experiment = structs.replace(found.experiment, navigation=navigation)
    described = make_machine(id=machine, cpu_model=HOSTILE)
    return replace(found, experiment=experiment, machine=described)


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Evidence]]:
    found = [make_evidence("box"), make_evidence("ark")]
    declared = Declarations(experiments={"lab": found[0].experiment}, claims={})
    pipeline = SimpleNamespace(
        experiments=declared.experiments,
        declared=declared,
        machine=found[0].machine,
        gather_machines=lambda name: tuple(found),
    )
    monkeypatch.setattr(context, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr(show, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr("scripts.site.page.frame.open_pipeline", lambda: pipeline)
    _forget()
    yield found
    _forget()
    context.enter(Place())


def _forget() -> None:
    context.gather_machines.cache_clear()
    context.list_machines.cache_clear()


@pytest.mark.usefixtures("several")
def test_blocks_link_machines_by_their_rows_and_escape_what_they_say() -> None:
    context.enter(Place(language="ru", source="lab.md", url="lab/"))
    shown = show.elsewhere("lab")
    assert 'href="../../ru/machines/#machine-ark"' in shown
    assert "<img" not in shown
    context.enter(Place(language="ru", source="machines.md", url="machines/"))
    every = show.machines()
    assert 'id="machine-ark"' in every
    assert "explore/?experiment=*&amp;machine=ark" in every
    assert "<img" not in every
