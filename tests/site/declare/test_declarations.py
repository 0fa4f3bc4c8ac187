"""All that is declared is read together, once, for build and check."""

import re
from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

from scripts.harness.paths import CHOICES, ROOT
from scripts.site.declare.declarations import load_declarations
from scripts.site.page import context, hooks
from scripts.site.study import pipeline
from tests.factories import CLAIMS, write_experiment


def test_a_build_ends_with_what_is_wrong_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_experiment(tmp_path / "examples" / "lab")
    path = tmp_path / "examples" / "lab" / "claims.toml"
    path.write_text(re.sub("ru = .*\n", "", CLAIMS, count=1), encoding="utf-8")
    monkeypatch.setattr(
        pipeline, "load_declarations", lambda: load_declarations(tmp_path / "examples", CHOICES)
    )
    monkeypatch.setattr(pipeline, "collect", lambda *_: pytest.fail("measured"))
    with pytest.raises(PluginError) as caught:
        hooks.on_config(load_config(str(ROOT / "mkdocs.yml")))
    context.refresh()
    line = CLAIMS.splitlines().index("[claims.confirmed]") + 1
    where = f"{path}:{line}: claims[0].confirmed"
    assert str(caught.value) == f"{where}: two-is-faster: no text in 'ru'"
