"""What Lighthouse says of a page is one line of the bench, kept only if all of it is."""

import gzip
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from bench import lighthouse
from scripts.site.browser import serve


def make_report(least: float, shift: float) -> dict[str, Any]:
    scores = {name: {"score": 1.0} for name in lighthouse.CATEGORIES} | {"seo": {"score": least}}
    return {
        "categories": scores,
        "audits": {"cumulative-layout-shift": {"numericValue": shift}},
    }


@pytest.mark.parametrize(
    ("least", "shift", "kept"), [(0.98, 0.01, True), (0.97, 0.0, False), (1.0, 0.05, False)]
)
def test_a_page_is_kept_if_all_its_scores_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, least: float, shift: float, kept: bool
) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "index.html").touch()
    monkeypatch.setattr(lighthouse.shutil, "which", lambda name: name)
    monkeypatch.setattr(lighthouse, "_audit", lambda *_: make_report(least, shift))
    told = list(lighthouse.audit_site(tmp_path))
    assert len(told) == len(lighthouse.PAGES)
    assert {one.kept for one in told} == {kept}
    assert f"seo {least * 100:.0f}" in told[0].value


def test_without_the_tool_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lighthouse.shutil, "which", lambda name: None)
    (told,) = lighthouse.audit_site(tmp_path)
    assert not told.kept


def test_text_is_handed_out_compressed_and_pictures_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>text</p>")
    (tmp_path / "a.png").write_bytes(b"picture")
    with serve(tmp_path, lighthouse._Compressing) as root:
        with urllib.request.urlopen(root) as page:
            assert page.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(page.read()) == b"<p>text</p>"
        with urllib.request.urlopen(f"{root}a.png") as picture:
            assert picture.read() == b"picture"
