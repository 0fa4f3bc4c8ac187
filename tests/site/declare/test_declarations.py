"""All that is declared is read together, once, for build and check."""

import re
from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

from scripts.harness.paths import CHOICES, EXAMPLES, ROOT
from scripts.site.declare.declarations import load_declarations
from scripts.site.page import context, hooks
from scripts.site.study import pipeline
from tests.declared import DECLARED
from tests.factories import CLAIMS, write_experiment


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A project in which the Russian text of a claim is missing; what is to be said of it."""
    write_experiment(tmp_path / "examples" / "lab")
    path = tmp_path / "examples" / "lab" / "claims.toml"
    path.write_text(re.sub("ru = .*\n", "", CLAIMS, count=1), encoding="utf-8")
    monkeypatch.setattr(
        pipeline, "load_declarations", lambda: load_declarations(tmp_path / "examples", CHOICES)
    )
    line = CLAIMS.splitlines().index("[claims.confirmed]") + 1
    return f"{path}:{line}: claims[0].confirmed: two-is-faster: no text in 'ru'"


def test_what_this_project_declares_is_good_and_complete() -> None:
    declared = DECLARED
    folders = {path.parent.name for path in EXAMPLES.glob("*/experiment.toml")}
    assert set(declared.experiments) == set(declared.claims) == folders
    assert declared.choices
    for name, experiment in declared.experiments.items():
        assert bool(declared.claims[name]) == (experiment.folder / "claims.toml").exists()
        assert bool(experiment.originals) == (experiment.folder / "originals.csv").exists()


def test_the_build_ends_with_the_same_sentence_before_anything_is_measured(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "collect", lambda *_: pytest.fail("measured"))
    with pytest.raises(PluginError) as caught:
        hooks.on_config(load_config(str(ROOT / "mkdocs.yml")))
    context.refresh()
    assert str(caught.value) == broken
