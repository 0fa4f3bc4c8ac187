"""A build that cannot go on says why in a sentence of MkDocs' own, without a traceback."""

import pytest
from mkdocs.exceptions import PluginError

from scripts.declare.declaration import MalformedDeclaration
from scripts.measure.load_server import LoadServerError
from scripts.measure.process import LauncherError
from scripts.page import hooks
from scripts.settings import BadSetting


@pytest.mark.parametrize(
    "problem", [BadSetting, MalformedDeclaration, LoadServerError, LauncherError]
)
def test_what_keeps_a_build_from_measuring_ends_it_with_its_reason(
    problem: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise problem("why it cannot be")

    monkeypatch.setattr(hooks, "provide_data", fail)
    with pytest.raises(PluginError, match="why it cannot be"):
        hooks.on_pre_build({})  # type: ignore[arg-type]
