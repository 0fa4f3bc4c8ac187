"""Timelines on the pages: what is watched is shown, what is damaged is told and left out."""

import json
import logging
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.harness.timeline import locate_timeline, write_timeline
from scripts.site.page import context, timelines
from scripts.site.page.context import Place
from tests.factories import make_experiment, make_machine, make_timeline

NAME = "lab/01-io-sequential"


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with one timeline of the machine shown and one of another."""
    write_timeline(tmp_path, make_timeline(machine="box"))
    write_timeline(tmp_path, make_timeline(machine="ark"))
    pipeline = SimpleNamespace(
        settings=SimpleNamespace(results=tmp_path),
        machine=make_machine(id="box", system="Linux"),
        declared=SimpleNamespace(terms={}),
        experiments={"lab": make_experiment()},
    )
    monkeypatch.setattr(timelines, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr("scripts.site.page.frame.open_pipeline", lambda: pipeline)
    context.enter(Place(language="ru", source="lab.md", url="lab/"))
    timelines.list_watched.cache_clear()
    yield tmp_path
    context.enter(Place())
    timelines.list_watched.cache_clear()


@pytest.mark.usefixtures("results")
def test_a_program_that_was_watched_has_its_picture_and_its_data() -> None:
    shown = timelines.timeline(f"{NAME}.py", "lab/02-io-threads")
    assert shown.count("<svg viewBox") == 1
    assert 'href="../../data/traces/lab-01-io-sequential.json"' in unescape(shown)


def test_a_damaged_one_is_told_in_a_line_and_not_shown(
    results: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = locate_timeline(results, "box", "lab", "01-io-sequential")
    path.write_text(path.read_text().replace("01-io-sequential", "<script>alert(1)</script>"))
    with caplog.at_level(logging.WARNING):
        assert timelines.timeline(NAME) == ""
    (record,) = caplog.records
    assert "A timeline is left out" in record.getMessage()
    assert "\n" not in record.getMessage()


def test_the_published_traces_are_those_of_the_machine_shown(results: Path) -> None:
    timelines.write_traces(results / "traces")
    (path,) = (results / "traces").iterdir()
    assert json.loads(path.read_text())["machine"] == "box"
