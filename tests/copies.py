"""Copies of this repository, in which tests change what they like."""

import os
import re
import shutil
from pathlib import Path

from poolwise.run import PAIR_WORK
from scripts.site.paths import ROOT

PASSING = shutil.ignore_patterns("*.pyc.*", ".server")
"""What other processes have only for a moment: modules being compiled, and where a server runs."""

LENIENT = "validation: {nav: {not_found: info, omitted_files: info}, links: {not_found: info, anchors: info}}\n"
"""Pages that stay may lead to those that do not."""


def copy_repository(folder: Path, *names: str) -> None:
    """Copy these files and folders of the repository."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=PASSING)
        else:
            shutil.copy2(ROOT / name, folder / name)
    if "scripts" in names:
        measure_no_work_as_two(folder)


def measure_no_work_as_two(folder: Path) -> None:
    """Let a copy measure a program that does nothing as two, which takes seconds with work in it."""
    path = folder / "scripts/poolwise/src/poolwise/run.py"
    text = path.read_text(encoding="utf-8")
    assert f'PAIR_WORK = "{PAIR_WORK}"' in text
    path.write_text(
        text.replace(f'PAIR_WORK = "{PAIR_WORK}"', 'PAIR_WORK = "pass"'), encoding="utf-8"
    )


def name_sources(tree: Path) -> str:
    """The PYTHONPATH of a copy, with its site and its tool in place of those of this repository."""
    return os.pathsep.join(map(str, (tree, tree / "scripts/poolwise/src")))


def leave_pages(tree: Path, *kept: str) -> None:
    """Remove all pages of every language but those, ``theory/gil.md``, from the folder and the menu.

    Snippets that no page shows any more go, too.
    """
    texts = []
    for folder in (path.parent for path in (tree / "docs").glob("*/index.md")):
        for page in folder.rglob("*"):
            if page.suffix in (".md", ".ipynb") and str(page.relative_to(folder)) not in kept:
                page.unlink()
            elif page.suffix == ".md":
                texts.append(page.read_text(encoding="utf-8"))
    snippets = tree / "examples" / "snippets"
    (snippets / "needs.toml").write_text("")
    for path in snippets.glob("*.py"):
        if not any(f'show.snippet("{path.stem}"' in text for text in texts):
            path.unlink()
    for config in tree.glob("mkdocs*.yml"):
        text = re.sub(
            r"^validation:\n(?: .*\n)*", "", config.read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        pages = re.compile(r"^ +- (?:[^\n]*: )?(\S+\.(?:md|ipynb))\n", re.MULTILINE)
        text = pages.sub(lambda entry: entry[0] if entry[1] in kept else "", text)
        text = re.sub(r"^  - [^\n:]*:\n(?=  - |\n)", "", text, flags=re.MULTILINE)
        config.write_text(text + (LENIENT if config.name == "mkdocs.yml" else ""), encoding="utf-8")
