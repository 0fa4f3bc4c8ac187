"""A build that cannot go on says why in a sentence of MkDocs' own, without a traceback."""

from types import SimpleNamespace

import pytest
from mkdocs.exceptions import PluginError

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.process import LauncherError
from scripts.harness.server import LoadServerError
from scripts.site.page import hooks
from scripts.site.settings import BadSetting

CONFIG = {"plugins": {"mkdocs-jupyter": SimpleNamespace(config={})}, "theme": {"language": "en"}}


@pytest.mark.parametrize(
    "problem", [BadSetting, MalformedDeclaration, LoadServerError, LauncherError, OSError]
)
def test_what_keeps_a_build_from_measuring_ends_it_with_its_reason(
    problem: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(language: str) -> str:
        raise problem("why it cannot be")

    monkeypatch.setattr(hooks, "provide_data", fail)
    with pytest.raises(PluginError, match="why it cannot be"):
        hooks.on_pre_build(CONFIG)  # type: ignore[arg-type]


def test_a_dash_stays_on_the_line_of_the_word_before_it_except_in_code() -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_path="a.md"), present_anchor_ids=None, meta={})
    html = "<p>поток — это\n— нить</p><pre># a — b</pre><p><code>x — y</code> — z</p>"
    config = {"theme": {"language": "ru"}}
    assert hooks.on_page_content(html, page, config, None) == (  # type: ignore[arg-type]
        "<p>поток\N{NO-BREAK SPACE}— это\N{NO-BREAK SPACE}— нить</p><pre># a — b</pre>"
        "<p><code>x — y</code>\N{NO-BREAK SPACE}— z</p>"
    )


def test_a_link_to_a_claim_tells_whether_it_holds_here(monkeypatch: pytest.MonkeyPatch) -> None:
    check = SimpleNamespace(status="refuted", cores=2)
    monkeypatch.setattr(hooks, "check_all", lambda: {"a-b": SimpleNamespace(checks=[check])})
    page = SimpleNamespace(file=SimpleNamespace(src_path="a.md"), present_anchor_ids=None, meta={})
    config = {"theme": {"language": "ru"}}
    html = (
        '<a href="../claims/#claim-a-b">утверждение</a> <a href="#claim-gone">нет</a> '
        '<a class="claim-anchor" href="#claim-a-b">#</a>'
    )
    told, *rest = hooks.on_page_content(html, page, config, None).split("</a>")  # type: ignore[arg-type]
    assert told == (
        '<a class="claim-link claim-refuted" href="../claims/#claim-a-b" title="опровергнуто">'
        '<span aria-hidden="true">✖</span>\N{NO-BREAK SPACE}утверждение'
    )
    assert rest == [
        ' <a href="#claim-gone">нет',
        ' <a class="claim-anchor" href="#claim-a-b">#',
        "",
    ]
