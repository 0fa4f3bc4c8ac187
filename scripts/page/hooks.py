"""MkDocs hooks: only what can be lost without losing content.

They tell the fences where they stand, and the theme where the same page is in other languages.
"""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from scripts.declare.languages import list_languages
from scripts.page.context import Place, enter, forget
from scripts.page.notebook import NotebookError, make_page, provide_data
from scripts.page.search import show_words
from scripts.pipeline import PROBLEMS
from scripts.render.words import load_words


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """``SITE_URL`` is the address of the root; that of a language is a folder below it."""
    if config["site_url"]:
        config["site_url"] = f"{config['site_url'].rstrip('/')}/{config['theme']['language']}/"
    return config


def on_pre_build(config: MkDocsConfig) -> None:
    """Each build, also of a preview, starts from what is there now; what stops it is told."""
    del config
    forget()
    try:
        provide_data()
    except PROBLEMS as error:
        raise PluginError(str(error)) from error


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put a page in the place of each notebook, and the notebook itself beside it."""
    for found in [file for file in files if file.src_uri.endswith(".ipynb")]:
        source = Path(found.src_dir or "", found.src_uri)
        try:
            content = make_page(source)
        except NotebookError as error:
            raise PluginError(str(error)) from error
        page = File.generated(config, f"{found.src_uri.removesuffix('.ipynb')}.md", content=content)
        files.remove(found)
        files.append(page)
        copy = f"{page.dest_uri.removesuffix('index.html')}{source.name}"
        files.append(File.generated(config, copy, abs_src_path=str(source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Tell the fences of a page where they stand."""
    del files
    language = config["theme"]["language"]
    enter(Place(language=language, source=page.file.src_path, url=page.file.url))
    return markdown


def on_page_context(
    context: TemplateContext, page: Page, config: MkDocsConfig, nav: Navigation
) -> TemplateContext:
    """Link the same page in each language, relatively, so that it works on any host and path.

    The theme takes links as relative to the root of the language and rewrites them for the page.
    """
    del nav
    url = "" if page.file.url in (".", "./") else page.file.url
    config["extra"]["alternate"] = [
        {
            "name": load_words(language).catalogue["name"],
            "link": f"../{language}/{url}",
            "lang": language,
        }
        for language in list_languages()
    ]
    return context


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make known what can be linked to: MkDocs sees no ids in what fences print."""
    del config, files
    page.present_anchor_ids = (page.present_anchor_ids or set()) | set(_ID.findall(html))
    return html


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Keep a page from asking for what is not there or what a third party has.

    The theme takes ``link[rel=alternate]`` to a page for the root of a site and looks for its
    sitemap there; to search engines a blank at the end of ``rel`` makes no difference. The search
    dialog gets its words.
    """
    del page
    words = show_words(load_words(config["theme"]["language"]))
    output = output.replace("</body>", f"{words}</body>")
    return output.replace('<link rel="alternate" href=', '<link rel="alternate " href=')


_ID = re.compile(r'\sid="([^"]+)"')
