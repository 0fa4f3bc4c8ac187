"""Every picture of the shipped records shows what its claim says; nothing is drawn, only compared."""

import inspect
import re
from collections.abc import Callable, Iterator
from textwrap import dedent

import pytest

from scripts.site.declare.declarations import load_declarations
from scripts.site.page import context, failures, frame, show
from scripts.site.page.context import Place
from scripts.site.paths import DOCS, RESULTS
from scripts.site.render.plot import Plot
from scripts.site.study.timeline import list_timelines

FIRST, SECOND = "amd-epyc-2c-24g-linux-kvm-a1a705", "amd-epyc-2c-24g-linux-kvm-e77118"
# As the published site shows them, and the second alone.
SHOWN = (f"{FIRST}/cpython-3.14.7,{SECOND}/cpython-3.14.7", SECOND)
IMPORT = "from scripts.site.page import show\n"
FENCE = re.compile(r'^( *)```python exec="on"[^\n]*\n(.*?)^\1```$', re.DOTALL | re.MULTILINE)
PAGES = sorted((DOCS / "en").rglob("*.md"))


class Pictures:
    """The blocks that may have a claim as their title, and what they have shown; no others show anything."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., str]:
        make: Callable[..., str] = getattr(show, name)
        is_picture = "claim" in inspect.signature(make).parameters

        def note(*names: object, **options: object) -> str:
            if is_picture:
                self.shown.append(make(*names, **options))
            return self.shown[-1] if is_picture else ""

        return note


@pytest.fixture(params=SHOWN)
def denials(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is said of pictures that deny their claims."""
    denials: list[str] = []
    monkeypatch.setenv("MACHINE", request.param)
    monkeypatch.setenv("MEASURE", "0")
    context.refresh()
    for module in (frame, show):
        monkeypatch.setattr(module, "tell", denials.append)
    monkeypatch.setattr(failures, "keep_block", lambda call, arguments, make: make())
    monkeypatch.setattr(Plot, "draw", lambda self, width_pt: "")
    yield denials
    monkeypatch.undo()
    context.refresh()
    context.enter(Place())


def test_no_picture_of_the_shipped_records_denies_its_claim(denials: list[str]) -> None:
    pictures = Pictures()
    for page in PAGES:
        source = page.relative_to(DOCS / "en").as_posix()
        context.enter(Place(source=source, url=context.page_url(source)))
        space = {"show": pictures}
        for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
            exec(dedent(fence[2]).replace(IMPORT, ""), space)
    assert denials == []
    assert 50 < sum("<figure" in shown for shown in pictures.shown) <= 120


def test_of_programs_that_no_page_shows_no_timeline_is_shipped() -> None:
    shown = {path.replace("/", "-", 1) for path in load_declarations().watched}
    assert {path.stem for path in list_timelines(RESULTS)} == shown
