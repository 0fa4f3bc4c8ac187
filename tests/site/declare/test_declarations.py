"""All that is declared is read together, once, for build and check."""

import shutil
from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

from scripts.harness.paths import CHOICES, EXAMPLES, ROOT
from scripts.site import check
from scripts.site.declare.declarations import Declarations, load_declarations
from scripts.site.page import context, hooks
from scripts.site.study import pipeline
from tests.copies import PASSING
from tests.declared import DECLARED


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The project with the Russian text of a claim deleted; what is to be said of it."""
    examples = tmp_path / "examples"
    shutil.copytree(EXAMPLES, examples, ignore=PASSING)
    path = examples / "json" / "claims.toml"
    lines = path.read_text(encoding="utf-8").split("\n")
    gone = next(number for number, line in enumerate(lines) if line.startswith("ru = "))
    header = next(number for number in range(gone, 0, -1) if lines[number] == "[claims.confirmed]")
    path.write_text("\n".join(lines[:gone] + lines[gone + 1 :]), encoding="utf-8")

    def load() -> Declarations:
        return load_declarations(examples, CHOICES)

    monkeypatch.setattr(check, "load_declarations", load)
    monkeypatch.setattr(pipeline, "load_declarations", load)
    id_ = DECLARED.claims["json"][0].id
    return f"{path}:{header + 1}: claims[0].confirmed: {id_}: no text in 'ru'"


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
