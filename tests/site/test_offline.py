"""The archive has the whole site with links that lead to files, and what it fetches as scripts."""

import base64
import json
import zipfile
from pathlib import Path

import pytest

from scripts.site.offline import ARCHIVE, DATA_ARCHIVE, FETCHED, FOLDER, link_files, pack_site
from scripts.site.settings import BadSetting


@pytest.mark.parametrize(
    ("link", "file"),
    [
        ('href="../matrix/"', 'href="../matrix/index.html"'),
        ('href="../matrix/#p01"', 'href="../matrix/index.html#p01"'),
        ('href="matrix/?python=a#p01"', 'href="matrix/index.html?python=a#p01"'),
        ('href=".."', 'href="../index.html"'),
        ('href="."', 'href="./index.html"'),
        ('href="#p01"', 'href="#p01"'),
        ('href="https://e.org/a/"', 'href="https://e.org/a/"'),
        ('href="a.css"', 'href="a.css"'),
    ],
)
def test_a_link_to_a_page_leads_to_its_file(link: str, file: str) -> None:
    assert link_files(f"<a {link}>") == f"<a {file}>"


def test_the_archive_has_every_file_but_itself_and_the_index_in_letters(tmp_path: Path) -> None:
    (tmp_path / "pagefind").mkdir()
    (tmp_path / "pagefind" / "pagefind.js").write_text("1")
    (tmp_path / "pagefind" / "pagefind-ui.js").write_text("2")
    (tmp_path / "data" / "explore").mkdir(parents=True)
    (tmp_path / "data" / "explore" / "index.json").write_text("{}")
    (tmp_path / "data" / "results.csv").touch()
    (tmp_path / "index.html").write_text('<a href="en/">')
    (tmp_path / ".built-by-us").touch()
    for _ in range(2):
        pack_site(tmp_path)
    with zipfile.ZipFile(tmp_path / ARCHIVE) as archive:
        names = set(archive.namelist())
        scripts = [archive.read(f"{FOLDER}/{name}/files.js").decode() for name in FETCHED]
        assert archive.read(f"{FOLDER}/index.html") == b'<a href="en/index.html">'
    assert not [name for name in names if ".zip" in name or "built-by" in name]
    with zipfile.ZipFile(tmp_path / DATA_ARCHIVE) as archive:
        data = [Path(name).name for name in archive.namelist()]
    assert data == ["README.txt", "CITATION.cff", "results.csv"]
    files = [json.loads(one.partition(", ")[2].strip().rstrip(");")) for one in scripts]
    texts = {"pagefind/pagefind.js": b"1"}, {"data/explore/index.json": b"{}"}
    assert files == [
        {name: base64.b64encode(b).decode() for name, b in one.items()} for one in texts
    ]


def test_where_no_site_is_built_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="make site"):
        pack_site(tmp_path)
