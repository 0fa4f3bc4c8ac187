"""Preview: what was made of a page is kept for the next build, while all that it goes by is the same.

A build renders every page, and a person who has saved one waits for all. What is kept goes when
MkDocs' configuration or a template changes, with all that ``context`` keeps, and when a build fails:
what a page was warned of is told again until it is mended.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import Environment, Template
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from scripts.harness.paths import ROOT, TEMPLATES, WORDS
from scripts.site.page.context import keep, stamp

T = TypeVar("T")
_is_preview = False
_state: object = ()


def begin() -> None:
    """From now on builds of this process are those of a preview."""
    global _is_preview  # noqa: PLW0603 - MkDocs tells the command once, before the first build
    _is_preview = True


def is_on() -> bool:
    """Whether builds of this process are those of a preview."""
    return _is_preview


def refresh(config: MkDocsConfig) -> None:
    """A new build keeps nothing if the configuration or the theme is not what it was.

    A preview builds also when a template or a word has changed, not only a page.
    """
    global _state  # noqa: PLW0603 - as old as what is kept
    theme = Path(config["theme"].custom_dir).resolve()
    config["watch"] += map(str, (theme, WORDS, TEMPLATES))
    own = Path(config.config_file_path).resolve()  # MkDocs names it by another path after a save
    state = (own, *stamp([own, *ROOT.glob("mkdocs*.yml"), *theme.rglob("*.html")]))
    if state != _state:
        forget()
        _state = state


def forget() -> None:
    """Make everything anew."""
    _list_made.cache_clear()


def make_once(step: str, page: Page, goes_by: object, make: Callable[[], T]) -> T:
    """What ``make`` gives, or has given for the page in the last build if it goes by the same.

    ``step`` names what is made. Nobody may change what is kept.
    """
    if not _is_preview:
        return make()
    made = _list_made()
    known = made.get((step, page.file.src_uri))
    if known is None or known[0] != goes_by:
        known = made[step, page.file.src_uri] = (goes_by, make())
    result: T = known[1]
    return result


def render(page: Page, config: MkDocsConfig, files: Files) -> None:
    """Do what MkDocs does to make a page of Markdown.

    What its fences print goes by its place and by what ``context`` looks at; where its links lead,
    by which files there are. Links to anchors are to files of this build.
    """

    def make() -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
        Page.render(page, config, files)
        links = page.links_to_anchors or {}
        return (
            {name: getattr(page, name) for name in _RENDERED},
            {file.src_uri: anchors for file, anchors in links.items()},
        )

    goes_by = (page.markdown, page.file.url, tuple(files.src_uris))
    rendered, links = make_once("content", page, goes_by, make)
    vars(page).update(rendered)
    page.links_to_anchors = {files.src_uris[uri]: anchors for uri, anchors in links.items()}


class PageTemplate(Template):
    """A template that leaves a page as it was if the page and its place are the same."""

    def render(self, *given: Any, **named: Any) -> str:  # noqa: ANN401 - as Jinja declares it
        """The page's HTML."""
        context = dict(*given, **named)
        page: Page | None = context.get("page")
        if page is None:
            return super().render(context)
        shown = (page.content, page.meta, page.title, str(page.toc), page.canonical_url)
        around = (str(context["nav"]), page.previous_page, page.next_page, page.ancestors)
        goes_by = (self.name, shown[0], repr((shown[1:], around)))
        return make_once("template", page, goes_by, lambda: Template.render(self, context))


def take_over(env: Environment) -> None:
    """From now on the templates of a build are such."""
    env.template_class = PageTemplate


@keep
def _list_made() -> dict[tuple[str, str], tuple[object, Any]]:
    return {}


_RENDERED = ("content", "toc", "_title_from_render", "present_anchor_ids")
