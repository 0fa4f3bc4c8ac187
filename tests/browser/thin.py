"""A tree of the project with few of its pages, so that what is built only to be built is built soon."""

import re
from pathlib import Path

LENIENT = "validation: {nav: {not_found: info, omitted_files: info}, links: {not_found: info, anchors: info}}\n"
"""Pages that stay may lead to those that do not."""


def leave_pages(tree: Path, *kept: str) -> None:
    """Remove all pages of every language but those, ``theory/gil.md``, from the folder and the menu."""
    for folder in (path.parent for path in (tree / "docs").glob("*/index.md")):
        for page in folder.rglob("*"):
            if page.suffix in (".md", ".ipynb") and str(page.relative_to(folder)) not in kept:
                page.unlink()
    for config in tree.glob("mkdocs*.yml"):
        text = re.sub(
            r"^validation:\n(?: .*\n)*", "", config.read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        pages = re.compile(r"^ +- [^\n]*: (\S+\.(?:md|ipynb))\n", re.MULTILINE)
        text = pages.sub(lambda entry: entry[0] if entry[1] in kept else "", text)
        text = re.sub(r"^  - [^\n:]*:\n(?=  - |\n)", "", text, flags=re.MULTILINE)
        config.write_text(text + (LENIENT if config.name == "mkdocs.yml" else ""), encoding="utf-8")
