"""Each machine gets a page, and nothing that it says of itself gets into the Markdown."""

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from mkdocs.utils.meta import get_data
from msgspec import structs

from scripts.harness.experiment import Navigation
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.judge import Evidence
from scripts.site.page import context, machines
from scripts.site.page.context import Place
from scripts.site.render.words import load_words
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
    monkeypatch.setattr(machines, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr("scripts.site.page.frame.open_pipeline", lambda: pipeline)
    _forget()
    yield found
    _forget()
    context.enter(Place())


def _forget() -> None:
    context.gather_machines.cache_clear()
    context.list_machines.cache_clear()


@pytest.mark.parametrize("id_", ["yes", "null", "1e5", "0x10"])
def test_a_machine_keeps_its_name_where_yaml_reads_another_value(
    several: list[Evidence], id_: str
) -> None:
    page = machines.write_machine(id_, several[1:2], load_words("en"))
    _, matter = get_data(page)
    assert matter["title"] == id_


@pytest.mark.usefixtures("several")
def test_the_blocks_of_machines_link_their_pages_and_escape_what_they_say() -> None:
    context.enter(Place(language="ru", source="lab.md", url="lab/"))
    for shown in (machines.machines(), machines.elsewhere("lab")):
        assert 'href="../../ru/machines/ark/"' in shown
        assert "<img" not in shown
    context.enter(Place(language="ru", source="machines/ark.md", url="machines/ark/"))
    verdicts = machines.machine_verdicts("ark", "lab")
    assert 'href="../../../ru/lab/#p04"' in verdicts
    assert "<img" not in verdicts + machines.machine_facts("ark")
