"""MkDocs hooks: the pages are written before it runs; the rest can be lost without losing content."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache
from markupsafe import Markup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from scripts.harness.paths import CACHE
from scripts.site.declare.texts import list_languages
from scripts.site.page import frame, language, notebook
from scripts.site.page.cards import write_card
from scripts.site.render.policy import add_policy
from scripts.site.render.twin import TWIN, make_twin
from scripts.site.render.words import load_words
from scripts.site.signals import end_in_order
from scripts.site.study.pipeline import PROBLEMS

_LIVE = "livereload.js"
"""Part of the script that MkDocs puts into each page of a preview, and no policy knows of."""


def on_startup(command: str, **_: object) -> None:
    """Let a build that measures keep what it has when it is told to end."""
    if command == "build":
        end_in_order()


@event_priority(100)  # before that of mkdocs-jupyter, which reads what is set here
def on_config(config: MkDocsConfig) -> None:
    """Measure what is missing and write the pages, from which MkDocs then builds."""
    try:
        language.publish_config(config)
    except (*PROBLEMS, OSError) as error:
        raise PluginError(str(error)) from error


def on_serve(server: Any, config: MkDocsConfig, **_: object) -> None:  # noqa: ANN401 - MkDocs' own
    """Watch what the pages are written from, not the pages."""
    server.unwatch(config.docs_dir)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Begin every second language with its last page: they share what snippets print.

    The modules of Explore are one script in the site.
    """
    files = Files(one for one in files if not one.src_uri.startswith(language.MODULES))
    return Files(reversed(list(files))) if config.extra["is_second"] else files


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Put each page that the navigation leaves out below its home: ``sleep/code.md`` below ``sleep.md``.

    The home is marked while it is read. Readers turn the leaves: each page leads to the next, in the
    order of ``titles``, which also names those that a preview has not read.
    """
    before: dict[str, Page] = {}
    known = {id(page) for page in nav.pages}
    for name, title in config.extra["titles"].items():
        home_name = f"{name.rpartition('/')[0]}.md"
        file, home_file = files.src_uris.get(name), files.src_uris.get(home_name)
        if not (file and file.page and home_file and home_file.page) or id(file.page) in known:
            continue
        page = file.page
        page.title = title
        page.parent = home_file.page  # type: ignore[assignment]
        page.previous_page = before.get(home_name, home_file.page)
        if home_name in before:
            before[home_name].next_page = page
        before[home_name] = page


def on_env(env: Environment, **_: object) -> None:
    """Compile the theme's templates once, not at every build."""
    (CACHE / "templates").mkdir(parents=True, exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(CACHE / "templates"))


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Keep what a notebook's cells printed from being read as Markdown."""
    return notebook.protect(markdown) if notebook.is_notebook(page) else markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, **_: object) -> str:
    """Give a notebook the look of the pages, and tell MkDocs of the ids that fences printed."""
    html = notebook.dress(html, page, config) if notebook.is_notebook(page) else html
    page.present_anchor_ids = (page.present_anchor_ids or set()) | frame.list_ids(html)
    return html


def on_page_context(_context: object, page: Page, config: MkDocsConfig, nav: object) -> None:
    """Link the same page in each language; a page with its own list to jump has none beside it."""
    del nav
    if "toc" in page.meta.get("hide", ()):
        page.toc.items.clear()
    # The theme takes links as relative to the root of the language and rewrites them for the page.
    config.extra["alternate"] = [
        {"name": load_words(one).catalogue["name"], "link": f"../{one}/{page.url}", "lang": one}
        for one in list_languages()
    ]


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Write a page's charts, its Markdown and its card, and tell browsers what the page may load."""
    folder = Path(page.file.abs_dest_path).parent
    folder.mkdir(parents=True, exist_ok=True)
    frame.write_figures(output, folder)
    twin = "" if notebook.is_notebook(page) else make_twin(output)
    if twin:
        (folder / TWIN).write_text(twin, encoding="utf-8")
    if config.extra["root"]:
        heading = config.site_name if page.is_homepage else Markup(page.title).striptags()  # noqa: S704 - stripped
        description = page.meta.get("description") or config.site_description or ""
        write_card(folder, heading, description, config.site_name, twin)
    return output if _LIVE in output else add_policy(output)
