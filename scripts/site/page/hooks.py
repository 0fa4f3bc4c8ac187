"""MkDocs hooks: the pages are written before it runs; the rest can be lost without losing content."""

import re
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from scripts.harness.paths import CACHE
from scripts.site.page import head, navigation, notebook
from scripts.site.page.figures import write_figures
from scripts.site.page.publish import publish_config
from scripts.site.signals import end_in_order
from scripts.site.study.pipeline import PROBLEMS

_ID = re.compile(r'\sid="([^"]+)"')


def on_startup(command: str, dirty: bool) -> None:
    """Let a build that measures keep what it has when it is told to end."""
    del dirty
    if command == "build":
        end_in_order()


@event_priority(100)  # before that of mkdocs-jupyter, which reads what is set here
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Measure what is missing and write the pages, from which MkDocs then builds."""
    try:
        publish_config(config)
    except (*PROBLEMS, OSError) as error:
        raise PluginError(str(error)) from error
    return config


def on_serve(server: LiveReloadServer, config: MkDocsConfig, builder: object) -> None:
    """Watch what the pages are written from, not the pages."""
    del builder
    server.unwatch(config.docs_dir)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Begin every second language with its last page: they share what snippets print."""
    return Files(reversed(list(files))) if config.extra["is_second"] else files


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Put the pages of sections below their home, in the order of reading."""
    navigation.adopt(nav, config.extra["titles"], files)


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> None:
    """Compile the theme's templates once, not at every build."""
    del config, files
    (CACHE / "templates").mkdir(parents=True, exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(CACHE / "templates"))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Keep what a notebook's cells printed from being read as Markdown."""
    del config, files
    return notebook.protect(markdown) if notebook.is_notebook(page) else markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Tell MkDocs of the ids that fences printed, and give a notebook the look of the pages."""
    del files
    if notebook.is_notebook(page):
        html = notebook.dress(html, page, config)
    page.present_anchor_ids = (page.present_anchor_ids or set()) | set(_ID.findall(html))
    return html


def on_page_context(
    context: TemplateContext, page: Page, config: MkDocsConfig, nav: Navigation
) -> None:
    """Link the same page in each language."""
    del context, nav
    config.extra["alternate"] = head.list_languages(page.url)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Write a page's charts as files, and tell browsers what the page may load."""
    del config
    write_figures(output, Path(page.file.abs_dest_path).parent)
    return head.protect(output, page)
