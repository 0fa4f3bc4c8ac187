"""Each figure of a page has its files beside it, and a page that shows it alone."""

import json
from pathlib import Path

import pytest

from scripts.site.page.figures import Home, write_figures
from scripts.site.render import pictures
from scripts.site.render.figures import Figure, hide_note
from scripts.site.render.words import load_words

TITLE = "Threads &amp; <b>loops</b> take 2&nbsp;s"
NOTED = Figure(claim="a", unit="s", numbers="x\n1\n", experiment="lab", measured="EPYC")
ADDRESS = "https://example.org/en/theory/"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[str, Path]:
    """Return a page whose figures are written, and its folder."""
    monkeypatch.setattr(pictures, "make_png", lambda picture: b"PNG")
    figure = (
        f'<figure class="chart" id="chart-a"><figcaption>{TITLE}<a class="claim-anchor">#</a></figcaption>'
        f'<svg viewBox="0 0 680 90"><path d="M0 0"/></svg>{hide_note(NOTED)}</figure>'
    )
    home = Home(folder=tmp_path, url="theory/", title="Theory", address=ADDRESS)
    page = f"<p>a</p>{figure}<figure class='output'></figure>"
    return write_figures(page, home, load_words("en")), tmp_path


def test_notes_leave_the_page(drawn: tuple[str, Path]) -> None:
    assert "<!--" not in drawn[0]
    assert "</svg></figure>" in drawn[0]


def test_the_files_are_beside_the_page(drawn: tuple[str, Path]) -> None:
    folder = drawn[1]
    names = {path.name for path in folder.iterdir()}
    assert names == {f"chart-a.{kind}" for kind in ("svg", "png", "csv", "json", "html")}
    known = json.loads((folder / "chart-a.json").read_text(encoding="utf-8"))
    assert known["title"] == "Threads & loops take 2\N{NO-BREAK SPACE}s"
    assert (known["claim"], known["page"], known["unit"]) == ("a", "theory/", "s")
    assert known["source"] == f"{ADDRESS}#chart-a"
    assert set(known["files"].values()) < names
    assert (folder / "chart-a.csv").read_text() == NOTED.numbers


def test_a_chat_finds_the_picture_and_its_title(drawn: tuple[str, Path]) -> None:
    alone = (drawn[1] / "chart-a.html").read_text(encoding="utf-8")
    assert f'<meta property="og:image" content="{ADDRESS}chart-a.png">' in alone
    assert '<meta property="og:title" content="Threads &amp; loops take 2' in alone
    assert f'<link rel="canonical" href="{ADDRESS}">' in alone
    assert 'href="./#chart-a" target="_top">Theory</a>' in alone
    assert "img-src 'self' file:" in alone
