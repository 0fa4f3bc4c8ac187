"""MkDocs hooks: only what can be lost without losing content.

They tell the fences where they stand, and the theme where the same page is in other languages; and
they put the pages of the experiments into the navigation.
"""

import re
from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache
from markupsafe import Markup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from scripts.harness.paths import CACHE
from scripts.site.declare.addresses import read_addresses
from scripts.site.declare.texts import list_languages
from scripts.site.judge.claims import find_status
from scripts.site.page import preview
from scripts.site.page.addresses import write_moved
from scripts.site.page.context import Place, check_all, enter, open_pipeline, refresh
from scripts.site.page.drawings import drop_oldest
from scripts.site.page.fence import take_over
from scripts.site.page.figures import write_figures
from scripts.site.page.head import describe
from scripts.site.page.machines import make_pages
from scripts.site.page.moved import Moved
from scripts.site.page.navigation import fill_navigation
from scripts.site.page.notebook import dress, mend, provide_data
from scripts.site.page.sections import leave_links, make_sections
from scripts.site.page.styles import join_styles
from scripts.site.page.surroundings import surround
from scripts.site.page.timelines import make_pictures
from scripts.site.render.html import clean, slug
from scripts.site.render.signs import ICONS
from scripts.site.render.words import Words, load_words
from scripts.site.signals import end_in_order
from scripts.site.study.pipeline import PROBLEMS


def on_startup(command: str, dirty: bool) -> None:
    """A build that measures keeps what it has when it is told to end; a preview, what it has made."""
    del dirty
    if command == "build":
        end_in_order()
    else:
        preview.begin()


@event_priority(100)  # before that of mkdocs-jupyter, which reads what is set here
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Each build, also of a preview, starts from what is there now: the experiments' pages too.

    ``SITE_URL`` is the address of the root; that of a language is a folder below it. A notebook's
    text is Markdown like a page's, where mkdocs-jupyter can read it so: its last version for
    Python 3.11 cannot, see ``notebook.mend``.
    """
    take_over()
    try:
        refresh()
        experiments = open_pipeline().experiments.values()
    except PROBLEMS as error:
        raise PluginError(str(error)) from error
    preview.refresh(config)
    language = config["theme"]["language"]
    config["nav"] = fill_navigation(config["nav"] or (), experiments, language) or None
    if _reads_markdown(config):
        config["plugins"]["mkdocs-jupyter"].config["markdown_cell_processor"] = "mkdocs"
    if config["site_url"]:
        config["site_url"] = f"{config['site_url'].rstrip('/')}/{language}/"
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """One style sheet; each machine, named section and timeline gets its page or picture.

    The languages are built side by side and share what snippets print: every second one begins
    with the last page, so that neither waits for what the other runs.
    """
    files.append(join_styles(files, config))
    for file in (*make_pages(config), *make_sections(files, config), *make_pictures(config)):
        files.append(file)
    is_second = list_languages().index(config["theme"]["language"]) % 2
    return Files(reversed(list(files))) if is_second else files


def on_pre_build(config: MkDocsConfig) -> None:
    """Measure what is missing; what stops it is told.

    The notebook, whose run takes longest of all pages, is run when everything is measured.
    """
    notebooks = config["plugins"]["mkdocs-jupyter"]
    try:
        notebooks.config["cache_dir"] = str(provide_data(config["theme"]["language"]))
    except (*PROBLEMS, OSError) as error:
        raise PluginError(str(error)) from error


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """A page of Markdown is rendered anew only if it has to be; a notebook is kept by its plugin."""
    del config, files
    if page.file.src_path.endswith(".md"):
        page.render = partial(preview.render, page)  # type: ignore[method-assign]
    return page


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Tell the fences of a page where they stand.

    A notebook comes as HTML, with what its cells printed, which is then read as Markdown. What
    would be a line of Markdown there is made none.
    """
    del files
    language = config["theme"]["language"]
    enter(Place(language=language, source=page.file.src_path, url=page.file.url))
    if page.file.src_path.endswith(".ipynb"):
        return _OUTPUT.sub(lambda output: output[0].replace("\n", "&#10;"), clean(markdown))
    return leave_links(markdown, page)


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
    """Make known what can be linked to, and give a notebook the look of the pages.

    A dash stays on the line of the word before it, and a link to a claim tells whether it holds,
    for a sentence of a page leans on what may be otherwise on another machine. MkDocs sees no ids
    in what fences print.
    """
    del files
    words = load_words(config["theme"]["language"])
    if page.file.src_path.endswith(".ipynb"):
        if not _reads_markdown(config):
            html = mend(html, page, config["mdx_configs"]["toc"]["permalink_title"])
        html = dress(html, words.catalogue["notebook"])
    html = _CLAIM_LINK.sub(lambda link: tell_status(link[1], link[2], link[3], words), html)
    html = _ANSWER.sub(name_answer, html)
    page.meta.setdefault("description", describe(html))
    page.present_anchor_ids = (page.present_anchor_ids or set()) | set(_ID.findall(html))
    return _DASH.sub(lambda found: found[0] if found[1] else "\N{NO-BREAK SPACE}—", html)


def name_answer(found: re.Match[str]) -> str:
    """The answer to a question, by whose name it is known from those to others."""
    question = Markup(found["question"]).striptags().removesuffix("#").strip()  # noqa: S704
    name = Markup.escape(f"{found['name']}: {question}")
    return f'{found["heading"]}<summary aria-label="{name}">{found["name"]}</summary>'


def tell_status(address: str, id_: str, text: str, words: Words) -> str:
    """A link in a sentence to a claim, with the claim's status here."""
    checked = check_all().get(id_)
    if checked is None:  # which the check of the links tells
        return f'<a href="{address}">{text}</a>'
    status = find_status(checked.checks)
    return Markup(
        '<a class="claim-link claim-{}" href="{}" title="{}"><span aria-hidden="true">{}</span>'
        "\N{NO-BREAK SPACE}{}</a>"
    ).format(
        slug(status),
        address,
        words.term("claim_status", status),
        ICONS[status],
        Markup(text),  # noqa: S704 - the page's own
    )


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """What stands around a page, and its charts as files."""
    told = (page.title, page.meta.get("description", ""), config["extra"]["around"])
    page_html = preview.make_once(
        "page", page, (output, told), lambda: surround(output, page, config)
    )
    write_figures(page_html, Path(page.file.abs_dest_path).parent)
    return page_html


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:
    """The theme's templates are compiled once, not at every build; all pages' ids are known now."""
    words = load_words(config["theme"]["language"])
    moved, addresses = Moved(files, words.language), read_addresses()
    config["extra"] |= {"addresses": addresses, "moved": moved}
    config["extra"]["around"] = repr((addresses, moved.places))
    preview.take_over(env)
    folder = CACHE / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(folder))
    return env


def on_build_error(error: Exception) -> None:
    """What could not be built is built anew, whole: what is wrong with it is told again."""
    del error
    preview.forget()


def on_post_build(config: MkDocsConfig) -> None:
    """What has moved leads on; drawings that nobody has looked at for long go."""
    words = load_words(config["theme"]["language"])
    write_moved(config["extra"]["addresses"], Path(config["site_dir"]), words)
    drop_oldest()


def _reads_markdown(config: MkDocsConfig) -> bool:
    """Whether mkdocs-jupyter can read the text of a notebook as a page's."""
    return "markdown_cell_processor" in config["plugins"]["mkdocs-jupyter"].config


_OUTPUT = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
_ID = re.compile(r'\sid="([^"]+)"')
_ANSWER = re.compile(
    r'(?P<heading><h3 id="q-[^>]*>(?P<question>.*?)</h3>\s*<details class="question">\s*)'
    r"<summary>(?P<name>[^<]*)</summary>"
)
_CLAIM_LINK = re.compile(r'<a href="([^"]*#claim-([a-z0-9-]+))">([^<]+)</a>')
_DASH = re.compile(r"<(pre|code|script|style)\b.*?</\1>|\s—(?=\s)", re.DOTALL)
"""What is to be left as it is, or a dash with a space before it."""
