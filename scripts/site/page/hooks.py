"""MkDocs: how it builds a language, and its hooks."""

import inspect
import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from mkdocs.__main__ import cli
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException, PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

import scripts.site  # noqa: F401 - before the tool: it says which folder is the project
from poolwise.declaration import MalformedDeclaration
from poolwise.experiment import Experiment
from poolwise.progress import LOG_INTERVAL_S, report
from scripts.site.declare.scenes import SCENES
from scripts.site.declare.texts import list_languages
from scripts.site.kept import drop_oldest, keep_file
from scripts.site.page import notebook
from scripts.site.page.cards import write_card
from scripts.site.page.context import (
    begin_preview,
    check_all,
    is_stale,
    open_pipeline,
    refresh,
    settle,
)
from scripts.site.page.figures import Home, write_figures
from scripts.site.page.finish import finish_page, write_more
from scripts.site.page.sources import list_below, read_source
from scripts.site.paths import CACHE, DOCS, EXAMPLES, ROOT, TEMPLATES, WORDS
from scripts.site.render import twin as twins
from scripts.site.render.policy import add_policy
from scripts.site.render.words import load_words
from scripts.site.settings import describe_refusal
from scripts.site.signals import end_in_order
from scripts.site.study.pipeline import PROBLEMS

_progress: list[float] = []  # when each page was made, the first when something was said of it
# A link of a page to one below it.
_LISTED = re.compile(r"\]\(([^)#]+\.md)[^)]*\)\{#\S+ \.section\}")
_LIVE = "livereload.js"
"""Part of the script that MkDocs puts into each page of a preview, and no policy knows of."""


def locate_config(language: str) -> Path:
    """MkDocs' configuration of a language."""
    config = ROOT / f"mkdocs.{language}.yml"
    return config if config.exists() else ROOT / "mkdocs.yml"


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
        print(f"The pages in {language} cannot be written: {describe_refusal(error)}")
        sys.exit(os.EX_IOERR)


def check_build() -> None:
    """Load what a build goes by: settings, declarations, MkDocs with its plugins and extensions."""
    open_pipeline()
    for language in list_languages():
        path = locate_config(language)
        try:
            load_config(str(path))
        except (MkDocsException, ImportError) as error:
            raise MalformedDeclaration(f"{path}: {error}") from error


def on_startup(command: str, **_: object) -> None:
    """Let a build that measures keep what it has when it is told to end; a preview keeps no records."""
    if command == "build":
        end_in_order()
    else:
        begin_preview()


@event_priority(100)  # before that of mkdocs-jupyter, which reads what is set here
def on_config(config: MkDocsConfig) -> None:
    """Measure what is missing, and prepare what the pages show."""
    try:
        prepare_config(config)
    except (*PROBLEMS, OSError) as error:
        raise PluginError(str(error)) from error


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the files that nobody writes by hand, and have pages made anew whose fences show what changed."""
    language = config.theme["language"]
    more = {"assets/all.css": join_styles(config)}
    more |= write_more(load_words(language))
    for file in files:
        if is_stale(language, file.src_uri):
            Path(file.abs_dest_path).unlink(missing_ok=True)
    for name, text in more.items():
        files.append(File.generated(config, name, content=text))
    config.extra_css = []
    config.extra["pages"] = len(files.documentation_pages())
    _progress.clear()
    settle()


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Put each page that the navigation leaves out below its home: ``sleep/code.md`` below ``sleep.md``.

    The home is marked while it is read. Readers turn the leaves: each page leads to the next, in the
    order in which the home links them.
    """
    docs = Path(config.docs_dir)
    for home in nav.pages:
        before = home
        for name in _order_below(docs, home.file.src_uri):
            page = files.src_uris[name].page
            if page is None or page in nav.pages:
                continue
            page.title = read_source(docs, name).title  # also if a preview does not read the page
            page.parent = home  # type: ignore[assignment]
            page.previous_page = before
            if before is not home:
                before.next_page = page
            before = page


def _order_below(docs: Path, home: str) -> list[str]:
    """List the pages below a home in the order in which it lists them."""
    names = list_below(docs, home)[1:]
    if not names:
        return []
    listed = _LISTED.findall((docs / home).read_text(encoding="utf-8-sig"))
    places = {(Path(home).parent / link).as_posix(): place for place, link in enumerate(listed)}
    return sorted(names, key=lambda name: places.get(name, len(places)))


def on_env(env: Environment, **_: object) -> None:
    """Compile the theme's templates once, not at every build."""
    (CACHE / "templates").mkdir(parents=True, exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(CACHE / "templates"))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: object) -> str:
    """Finish the Markdown of a page; keep what a notebook printed from being any."""
    if notebook.is_notebook(page):
        return notebook.protect(markdown)
    words = load_words(config.theme["language"])
    return finish_page(markdown, Path(config.docs_dir), page.file.src_uri, words)


def on_page_content(html: str, page: Page, config: MkDocsConfig, **_: object) -> str:
    """Give a notebook the look of the pages, and tell MkDocs of the ids that fences printed."""
    _note_progress(page, config.extra["pages"])
    html = notebook.dress(html, page, config) if notebook.is_notebook(page) else html
    ids = {part.partition('"')[0] for part in html.split(' id="')[1:]}
    page.present_anchor_ids = (page.present_anchor_ids or set()) | ids
    return html


def _note_progress(page: Page, number: int) -> None:
    """Say now and then how many pages of a ``number`` are made; a first preview makes all."""
    _progress.append(monotonic())
    if _progress[-1] - _progress[0] > LOG_INTERVAL_S / 2:
        report(f"{len(_progress)} of {number} pages, of late {page.file.src_uri}")
        _progress[0] = _progress[-1]


def on_page_context(_context: object, page: Page, config: MkDocsConfig, nav: object) -> None:
    """Link the same page in each language; a page with its own list to jump has none beside it."""
    del nav
    if "toc" in page.meta.get("hide", ()):
        page.toc.items.clear()
    # The theme takes links as relative to the root of the language and rewrites them for the page.
    # While measuring goes on there is one language alone.
    language = config.theme["language"]
    languages = (language,) if open_pipeline().settings.goes_on else list_languages()
    config.extra["alternate"] = [
        {
            "name": load_words(language).catalogue["name"],
            "link": f"../{language}/{page.url}",
            "lang": language,
        }
        for language in languages
    ]


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Write a page's figures, its Markdown and its card, and tell browsers what the page may load."""
    folder = Path(page.file.abs_dest_path).parent
    folder.mkdir(parents=True, exist_ok=True)
    heading = Markup(page.meta.get("title") or page.title).striptags()  # noqa: S704 - stripped
    address = page.canonical_url or "" if config.extra["root"] else ""
    home = Home(folder=folder, url=page.url, title=heading, address=address)
    output = write_figures(output, home, load_words(config.theme["language"]))
    twin = ""
    if not notebook.is_notebook(page):
        sources = (output, inspect.getsource(twins))
        twin = keep_file("twins", sources, lambda: twins.make_twin(output).encode()).decode()
        # Servers that name no encoding leave it to the mark at its head.
        (folder / twins.TWIN).write_text(twin, encoding="utf-8-sig")
    if config.extra["root"]:
        description = page.meta.get("description") or config.site_description or ""
        write_card(folder, heading, description, config.site_name, twin)
    return output if _LIVE in output else add_policy(output)


def fill_navigation(
    nav: Sequence[Any], experiments: Iterable[Experiment], language: str
) -> list[Any]:
    """Give MkDocs' ``nav`` with the pages of the experiments in the section that it leaves empty."""
    listed = [
        (experiment.navigation, f"{experiment.name}.md")
        for experiment in experiments
        if experiment.navigation
    ]
    listed.sort(key=lambda entry: entry[0].place)
    pages = [{entry.title[language]: file} for entry, file in listed]
    filled = []
    for item in nav:
        is_empty = isinstance(item, dict) and list(item.values()) == [[]]
        filled.append(dict.fromkeys(item, pages) if is_empty else item)
    return filled


def prepare_config(config: MkDocsConfig) -> None:
    """Prepare all that the pages of a configuration's language show; measure what is missing.

    ``SITE_URL`` is the address of the root; that of a language is a folder below it.
    """
    language, docs = config.theme["language"], Path(config.docs_dir)
    # A builder that runs no hooks reads it there, and a configuration may leave it out.
    config.mdx_configs["scripts.site.page.fences"] = {"language": language}
    theme = Path(config.theme.dirs[0])  # ours, before the one that it changes
    for path in docs.rglob("*.md"):
        read_source(docs, path.relative_to(docs).as_posix())  # which tells of wrong front matter
    if refresh():  # which takes a while at first
        report(f"judging what is recorded of {len(open_pipeline().experiments)} experiments")
        check_all()
        report(f"writing the pages in {language}")
    sources = (theme, SCENES, WORDS, TEMPLATES, EXAMPLES, *DOCS.glob("*.toml"))
    config.watch += map(str, sources)
    experiments = open_pipeline().experiments.values()
    config.nav = fill_navigation(config.nav or (), experiments, language) or None
    notebook.prepare(config)
    drop_oldest()
    root = f"{config.site_url.rstrip('/')}/" if config.site_url else ""
    config.site_url = f"{root}{language}/" if root else config.site_url
    words = load_words(language)
    config.extra |= {
        "root": root,
        "site_heading": words.text("root_heading"),
        "llms_about": words.text("llms_about"),
        "copy_page": words.text("copy_page"),
        "twin": twins.TWIN,
        "measuring": words.text("measuring") if open_pipeline().settings.goes_on else "",
        "search_words": htmlsafe_json_dumps(words.catalogue["search"], ensure_ascii=False),
    }


def join_styles(config: MkDocsConfig) -> str:
    """Join the theme's style sheets and ours: a phone waits for each before it shows a word.

    Raises:
        FileNotFoundError: one of them is not there; names it.
    """
    folders = [Path(folder) for folder in config.theme.dirs]
    theme = [
        path
        for folder in folders
        for name in ("main", "palette")
        for path in folder.glob(f"assets/stylesheets/{name}.*.min.css")
    ]
    sheets = [folders[0] / str(name) for name in config.extra_css]
    return "\n".join(path.read_text(encoding="utf-8") for path in (*theme, *sheets))
