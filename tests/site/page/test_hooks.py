"""A build that cannot go on says why in a sentence of MkDocs' own, without a traceback."""

from types import SimpleNamespace
from typing import Any

import pytest
from mkdocs.exceptions import PluginError

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.process import LauncherError
from scripts.harness.trial import LoadServerError
from scripts.site.page import hooks
from scripts.site.settings import BadSetting


@pytest.mark.parametrize(
    "problem", [BadSetting, MalformedDeclaration, LoadServerError, LauncherError, OSError]
)
def test_what_keeps_a_build_from_writing_its_pages_ends_it_with_its_reason(
    problem: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(config: object) -> None:
        raise problem("why it cannot be")

    monkeypatch.setattr(hooks.language, "publish_config", fail)
    with pytest.raises(PluginError, match="why it cannot be"):
        hooks.on_config({})  # type: ignore[arg-type]


def test_links_may_lead_to_what_fences_print() -> None:
    file = SimpleNamespace(src_uri="a.md")
    page: Any = SimpleNamespace(file=file, present_anchor_ids={"top"})
    html = '<p id="told">1</p>'
    assert hooks.on_page_content(html, page=page, config=None) == html  # type: ignore[arg-type]
    assert page.present_anchor_ids == {"top", "told"}
