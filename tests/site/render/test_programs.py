"""Programs on pages: how to run them by hand."""

from pathlib import Path

import pytest
from msgspec import structs

from scripts.harness.experiment import Experiment
from scripts.site.render.programs import show_program
from scripts.site.render.words import load_words
from tests.factories import alter, make_experiment

WAITS, COMPUTES = "01-io-sequential.py", "08-cpu-sequential.py"
START_SERVER = "examples/server.py"


@pytest.fixture
def lab(tmp_path: Path) -> Experiment:
    """An experiment with a load server, of which one family needs none."""
    for file in (WAITS, COMPUTES):
        (tmp_path / file).write_text("print()\n", encoding="utf-8")
    lab = structs.replace(make_experiment(tmp_path), needs_server=True)
    return alter(lab, "families", "cpu", offline=True)


def show(lab: Experiment, file: str) -> str:
    return show_program(lab, load_words("en"), file, file)


def test_a_program_that_fetches_is_run_beside_the_server(lab: Experiment) -> None:
    assert START_SERVER in show(lab, WAITS)


def test_a_program_that_only_computes_is_not_said_to_need_the_server(lab: Experiment) -> None:
    assert "python" in show(lab, COMPUTES)
    assert START_SERVER not in show(lab, COMPUTES)
