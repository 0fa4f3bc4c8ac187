"""A language: its configuration, and MkDocs building it."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from jinja2.utils import htmlsafe_json_dumps
from mkdocs.__main__ import cli
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.experiment import Experiment
from scripts.harness.paths import ROOT, TEMPLATES, WORDS
from scripts.site.declare.texts import list_languages
from scripts.site.kept import drop_oldest
from scripts.site.page import notebook
from scripts.site.page.context import open_pipeline, refresh
from scripts.site.page.publish import publish
from scripts.site.render.words import load_words
from scripts.site.settings import describe_refusal

SHEET = "assets/all.css"
"""What the template of every page links."""
EXPLORER = "assets/explore.js"
MODULES = "assets/explore/"


def locate_config(language: str) -> Path:
    """MkDocs' configuration of a language."""
    own = ROOT / f"mkdocs.{language}.yml"
    return own if own.exists() else ROOT / "mkdocs.yml"


def build_language(language: str, site: Path, log: Path) -> None:
    """Do what ``mkdocs build`` does, which ends the process; into ``log`` goes whatever is said."""
    with log.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    os.chdir(ROOT)
    config = str(locate_config(language))
    try:
        cli(["build", "--config-file", config, "--site-dir", str(site)])
    except OSError as error:  # the disk is full, most likely
        sys.exit(f"The pages in {language} cannot be written: {describe_refusal(error)}")


def check_build() -> None:
    """Load what a build goes by: settings, declarations, MkDocs with its plugins and extensions."""
    open_pipeline()
    for language in list_languages():
        path = locate_config(language)
        try:
            load_config(str(path))
        except (MkDocsException, ImportError) as error:
            raise MalformedDeclaration(f"{path}: {error}") from error


def fill_navigation(
    nav: Sequence[Any], experiments: Iterable[Experiment], language: str
) -> list[Any]:
    """Give MkDocs' ``nav`` with the pages of the experiments in the section that it leaves empty."""
    placed = [(one.navigation, one.name) for one in experiments if one.navigation]
    pages = [
        {entry.title[language]: f"{name}.md"}
        for entry, name in sorted(placed, key=lambda one: one[0].place)
    ]
    filled = []
    for item in nav:
        is_empty = isinstance(item, dict) and list(item.values()) == [[]]
        filled.append(dict.fromkeys(item, pages) if is_empty else item)
    return filled


def publish_config(config: MkDocsConfig) -> None:
    """Write the pages of the language that a configuration is of, and let MkDocs build from them.

    What is missing is measured first. ``SITE_URL`` is the address of the root; that of a language
    is a folder below it.
    """
    language, docs = config.theme["language"], Path(config.docs_dir)
    project = Path(config.config_file_path).resolve().parent
    theme = Path(config.theme.dirs[0])  # ours, before the one that it changes
    anew = refresh()
    config.watch += map(str, (docs, theme, WORDS, TEMPLATES))
    experiments = open_pipeline().experiments.values()
    config.nav = fill_navigation(config.nav or (), experiments, language) or None
    notebook.prepare(config)
    more = {SHEET: join_styles(config), EXPLORER: join_modules(theme / MODULES)}
    config.extra_css = []
    build = project / "build" / "docs" / language
    folder, titles = publish(docs, build, language, more=more, anew=anew)
    drop_oldest()
    config.docs_dir = str(folder)
    root = f"{config.site_url.rstrip('/')}/" if config.site_url else ""
    config.site_url = f"{root}{language}/" if root else config.site_url
    words = load_words(language)
    config.extra |= {
        "titles": titles,
        "is_second": list_languages().index(language) % 2,
        "root": root,
        "site_heading": words.text("root_heading"),
        "llms_about": words.text("llms_about"),
        "copy_page": words.text("copy_page"),
        "search_words": htmlsafe_json_dumps(words.catalogue["search"], ensure_ascii=False),
    }


def join_styles(config: MkDocsConfig) -> str:
    """Join the theme's style sheets and ours: a phone waits for each before it shows a word.

    Raises:
        FileNotFoundError: one of them is not there; names it.
    """
    folders = [Path(one) for one in config.theme.dirs]
    theme = [
        path
        for folder in folders
        for name in ("main", "palette")
        for path in folder.glob(f"assets/stylesheets/{name}.*.min.css")
    ]
    own = [folders[0] / str(name) for name in config.extra_css]
    return "\n".join(path.read_text(encoding="utf-8") for path in (*theme, *own))


_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def join_modules(folder: Path) -> str:
    """Join the modules of a folder into one script; no browser loads a module from a file."""
    modules = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.js")}
    needs = {name: [found[2] for found in _IMPORT.finditer(text)] for name, text in modules.items()}
    parts = ['(() => {\n"use strict";']
    for name in TopologicalSorter(needs).static_order():
        body = _EXPORT.sub("", _IMPORT.sub(r"const \1 = $\2;", modules[name]))
        given = ", ".join(found[1] for found in _EXPORT.finditer(modules[name]))
        parts.append(f"const ${name} = (() => {{\n{body}return {{ {given} }};\n}})();")
    return "\n".join((*parts, "})();\n"))
