"""Offline: the built site as an archive that needs no server, and its data as another.

A browser that opens files does not open a folder as its ``index.html``, so links name that file.
It does not fetch either: the index of the search and the rows of Explore are scripts there.
"""

import base64
import json
import re
import tomllib
import zipfile
from pathlib import Path

from scripts.site.paths import ROOT
from scripts.site.render.policy import loosen_policy
from scripts.site.settings import BadSetting

FOLDER = "concurrency-in-python"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Both in the site itself, to be published with it.
ARCHIVE = f"{FOLDER}-{PROJECT['version']}-offline-site.zip"
DATA_ARCHIVE = f"{FOLDER}-{PROJECT['version']}-data.zip"
# Folders whose files a page fetches.
FETCHED = ("pagefind", "data/explore")
README = """Open index.html. Everything works without a network: search, Explore, the change of language.

Откройте index.html. Всё работает без сети: поиск, просмотр данных, смена языка.
"""
DATA_README = """results.json and results.csv have every row that the site shows, claims.json every claim with its
checks, each other CSV what one chart or table shows. records.schema.json describes the format.
CC BY 4.0, see CITATION.cff.
"""

_LINK = re.compile(r'((?:href|action)=")(?!["#?])((?:(?![a-z]+:|/)[^"#?]*/)?\.{0,2})(?=["#?])')
_SEARCH = re.compile(r'(<script defer src="([^"]*)assets/)search\.js"></script>')
_SPARE = re.compile(r"-(?:ui|highlight|worker)\.|\.css$")  # Pagefind's own dialogs are not shown


def pack_site(site: Path) -> None:
    """Put a built site and its data into archives inside it, and say where.

    Raises:
        BadSetting: it is not built.
    """
    if not (site / "pagefind").is_dir():
        raise BadSetting(f"There is no built site in {site}/: make site first.")
    target = site / ARCHIVE
    data, part = site / DATA_ARCHIVE, target.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{data.stem}/README.txt", DATA_README)
        for path in [ROOT / "CITATION.cff", *sorted((site / "data").glob("*.[cj]s*"))]:
            archive.write(path, f"{data.stem}/{path.name}")
    part.replace(data)
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{FOLDER}/README.txt", README)
        for folder in FETCHED:
            archive.writestr(f"{FOLDER}/{folder}/files.js", pack_files(site, folder))
        for path in sorted(site.rglob("*")):
            name = path.relative_to(site)
            if not path.is_file() or path in (target, data, part) or name.name.startswith("."):
                continue
            if path.suffix == ".html":
                page = link_files(path.read_text(encoding="utf-8"))
                archive.writestr(f"{FOLDER}/{name.as_posix()}", page)
            else:
                archive.write(path, f"{FOLDER}/{name.as_posix()}")
    part.replace(target)
    print(f"The whole site is in {target}: unpack it, open index.html. Its data is in {data.name}.")


def link_files(page: str) -> str:
    """Make links of a page lead to files, and add the script that its search needs there."""
    page = _LINK.sub(lambda link: f"{link[1]}{link[2].removesuffix('/')}/index.html", page)
    page = loosen_policy(page)
    if search := _SEARCH.search(page):  # whatever fetches comes later
        page = page.replace("</head>", f'{search[1]}offline.js"></script></head>', 1)
    return page


def pack_files(site: Path, name: str) -> str:
    """Write the files of a folder as a script, with their bytes in letters."""
    files = {}
    for path in sorted((site / name).rglob("*")):
        if path.is_file() and not _SPARE.search(path.name):
            letters = base64.b64encode(path.read_bytes()).decode()
            files[path.relative_to(site).as_posix()] = letters
    return f"Object.assign(window.offlineFiles, {json.dumps(files)});\n"
