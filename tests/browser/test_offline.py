"""The archive of the site works as files: pages, search and the change of language."""

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scripts.site.offline import FOLDER, pack_site
from tests.browser.visitor import LANGUAGES, Site, Visitor, switch_to


@pytest.fixture(scope="module")
def unpacked(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("offline")
    archive = pack_site(site.folder)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    archive.unlink()
    return folder / FOLDER


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_are_read_searched_and_switched(
    visitor: Visitor, unpacked: Path, language: str
) -> None:
    other = next(one for one in LANGUAGES if one != language)
    with visitor.visit(locale=language) as context:
        page = context.new_page()
        page.goto((unpacked / "index.html").as_uri())
        page.wait_for_url(f"**/{language}/index.html")
        page.keyboard.press("/")
        page.get_by_role("combobox").fill("deadlock")
        expect(page.get_by_role("option").first).to_be_visible()
        page.keyboard.press("Enter")
        page.wait_for_url("**/index.html#*deadlock")
        expect(page.locator("article h1")).to_be_visible()
        switch_to(page, other)
        page.wait_for_url(f"**/{other}/**/index.html#*deadlock")
        expect(page.locator("html")).to_have_attribute("lang", other)
