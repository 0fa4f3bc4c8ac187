"""Blocks show the Python of their title, link machines by their rows, and escape what is told of them."""

import logging
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from msgspec import structs

from scripts.harness.declaration import Reason
from scripts.harness.experiment import Navigation
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.claims import CheckedClaim, check_evidence
from scripts.site.judge.judge import Evidence
from scripts.site.page import context, failures, frame, show
from scripts.site.page.context import Place
from scripts.site.render.words import load_words
from scripts.site.study.snippets import Printed, SnippetFailed
from tests.factories import (
    PLAIN,
    POOL,
    make_claim,
    make_interpreter,
    make_machine,
    make_record,
    make_variant,
    replace,
)
from tests.site.judge.test_rows import gather, make_pair
from tests.site.render.markup import make_evidence

CLAIM = make_claim(id="pool-is-faster")
HOSTILE = "</script><img src=x onerror=alert(1)> [a](javascript:b) {{ x }}"
OLD, NEW = "cpython-3.13.0", "cpython-3.14.0t"


def gather_machine(machine: str) -> Evidence:
    found = gather(machine, *make_pair(machine))
    navigation = Navigation(title={"en": "Lab", "ru": "Лаборатория"}, place=1)
    experiment = structs.replace(found.experiment, navigation=navigation)
    described = make_machine(id=machine, cpu_model=HOSTILE)
    return replace(found, experiment=experiment, machine=described)


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two machines have records of one experiment."""
    found = [gather_machine("box"), gather_machine("ark")]
    declared = Declarations(experiments={"lab": found[0].experiment}, claims={})
    pipeline = SimpleNamespace(
        experiments=declared.experiments,
        declared=declared,
        machine=found[0].machine,
        gather_machines=lambda name: tuple(found),
    )
    for module in (context, frame, show):
        monkeypatch.setattr(module, "open_pipeline", lambda: pipeline)
    for kept in (context.gather_machines, context.list_machines):
        kept.cache_clear()
    yield
    for kept in (context.gather_machines, context.list_machines):
        kept.cache_clear()
    context.enter(Place())


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


def test_a_chart_shows_the_python_that_its_title_speaks_of(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        make_record(make_variant(program=program, interpreter=python), [seconds] * 5)
        for python, program, seconds in ((OLD, PLAIN, 1.0), (NEW, PLAIN, 1.0), (NEW, POOL, 0.5))
    ]
    evidence = make_evidence(records, [make_interpreter(id=name) for name in (OLD, NEW)])
    found = CheckedClaim(experiment="lab", claim=CLAIM, checks=check_evidence([CLAIM], evidence))
    shown: list[Evidence] = []
    monkeypatch.setattr(show, "check_all", lambda: {CLAIM.id: found})
    monkeypatch.setattr(show, "choose_words", lambda: load_words("en"))
    monkeypatch.setattr(show, "gather", lambda name: evidence)
    monkeypatch.setattr(show, "show_measured", lambda evidence, *_: shown.append(evidence))
    show.chart("lab", "io", claim=CLAIM.id)
    show.chart("lab", "io")
    assert [one.interpreters[0].id for one in shown] == [NEW, OLD]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_snippet_that_fails_is_one_warning_which_ends_a_strict_build(
    language: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(name: str) -> Printed:
        raise SnippetFailed(Reason("exited", {"code": "1"}), "ValueError: too late")

    monkeypatch.setattr(context, "_place", Place(language=language))
    monkeypatch.setattr(failures, "run_snippet", fail)
    assert "getswitchinterval" in show.snippet("gil-interval")
    told = "snippets/gil-interval.py: exited with status 1: ValueError: too late"
    assert caplog.record_tuples == [("mkdocs.plugins.evidence", logging.WARNING, told)]
