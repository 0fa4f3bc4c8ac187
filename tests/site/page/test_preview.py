"""A preview makes anew what a save can have changed, and shows what a whole build would."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from scripts.harness.paths import ROOT, WORDS
from scripts.site.declare import texts as languages
from scripts.site.page import context, preview
from scripts.site.render.words import load_words

pytestmark = pytest.mark.slow
URL = "http://127.0.0.1:8000/"
CONFIG = f"""\
INHERIT: {ROOT}/mkdocs.yml
site_name: A site
docs_dir: docs
theme: {{custom_dir: theme}}
hooks: [{ROOT}/scripts/site/page/hooks.py]
nav: [index.md, one.md, two.md]
not_in_nav: three.md
extra_css: []
extra_javascript: []
"""
FENCE = """
```python exec="on" html="true" id="words"
from scripts.site.render.words import load_words
print(load_words("en").text("root_heading"))
```
"""
PAGES = {
    "index.md": f"# Home\n\nThe [way](one.md#there) to one page.\n{FENCE}",
    "one.md": "# One\n\n## There {#there}\n\nText.\n",
    "two.md": "---\nsections: s-.*\n---\n# Two\n\n[Home](index.md), [a part](#deep)\n\n"
    "## Part {#s-part}\n\n### Deep {#deep}\n\nText of a part.\n",
}
TEMPLATE = "{% extends 'base.html' %}{% block footer %}Around{% endblock %}"
HEADING = load_words("en").text("root_heading")


class Preview:
    """A site of few pages with all that pages of ours go through; ``anew`` has what was rendered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.anew: list[str] = []

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def build(self, file: BinaryIO | None = None) -> dict[str, str]:
        """What a build shows, by the paths of files; of a configuration in ``file``."""
        self.anew.clear()
        path = str(self.folder / "mkdocs.yml")
        config = load_config(file or path, site_dir=str(self.folder / "site"))
        config.site_url = URL
        build(config, serve_url=URL)
        folder = self.folder / "site"
        pages = folder.rglob("*.html")
        return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in pages}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    """Of all tests: to read what there is takes longer than to build it."""
    folder = tmp_path_factory.mktemp("preview")
    site, render = Preview(folder), Page.render

    def count(page: Page, config: MkDocsConfig, files: Files) -> None:
        site.anew.append(page.file.src_uri)
        render(page, config, files)

    with pytest.MonkeyPatch.context() as patch:
        for module in (context, languages):
            patch.setattr(module, "WORDS", folder / "words")
        patch.setenv("MEASURE", "0")
        patch.setenv("RESULTS", str(folder / "results"))
        patch.setattr(preview, "_is_preview", True)
        patch.setattr(Page, "render", count)
        yield site
    context.refresh()  # the words are the old ones again


@pytest.fixture
def site(shared: Preview) -> Preview:
    """It is as it was in the beginning, and built."""
    shared.write("mkdocs.yml", CONFIG)
    shared.write("theme/main.html", TEMPLATE)
    for name, text in PAGES.items():
        shared.write(f"docs/{name}", text)
    (shared.folder / "docs" / "three.md").unlink(missing_ok=True)
    for path in WORDS.glob("*.toml"):
        copy = shared.folder / "words" / path.name
        if not copy.exists() or copy.read_bytes() != path.read_bytes():
            shared.write(f"words/{path.name}", path.read_text(encoding="utf-8"))
    shared.build()
    return shared


def replace(name: str, old: str, new: str) -> Callable[[Preview], None]:
    """Save a file with other words in it."""

    def save(site: Preview) -> None:
        text = (site.folder / name).read_text(encoding="utf-8")
        assert old in text
        site.write(name, text.replace(old, new))

    return save


def test_what_nobody_has_changed_is_not_rendered_again(site: Preview) -> None:
    site.build()
    assert site.anew == []


def test_a_configuration_is_the_same_by_whatever_path_it_is_named(
    site: Preview, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.folder)
    with Path("mkdocs.yml").open("rb") as file:  # as MkDocs has it before the first save
        site.build(file)
    assert site.anew == []


def test_of_a_saved_page_only_that_is_rendered_again(site: Preview) -> None:
    replace("docs/one.md", "Text.", "Saved.")(site)
    shown = site.build()
    assert site.anew == ["one.md"]
    assert [path for path, page in shown.items() if "Saved." in page] == ["one/index.html"]


@pytest.mark.parametrize(
    "save",
    [
        pytest.param(replace("docs/one.md", "Text.", "Saved."), id="text"),
        pytest.param(replace("docs/one.md", "# One\n", "# Another title\n"), id="title"),
        pytest.param(replace("docs/one.md", "# One\n", "---\ndescription: D\n---\n"), id="matter"),
        pytest.param(
            replace("docs/two.md", "### Deep {#deep}", "### Deeper {#deep}\n\n### More {#more}"),
            id="heading",
        ),
        pytest.param(replace("docs/two.md", "Text of a part.", "Saved."), id="section"),
        pytest.param(lambda site: site.write("docs/three.md", "# New\n"), id="page"),
        pytest.param(replace("mkdocs.yml", "A site", "Another"), id="configuration"),
        pytest.param(replace("mkdocs.yml", "one.md, two.md", "two.md, one.md"), id="navigation"),
        pytest.param(replace("theme/main.html", "Around", "About"), id="template"),
        pytest.param(replace("words/en.toml", HEADING, "Another heading"), id="words"),
    ],
)
def test_a_preview_shows_what_a_whole_build_would(
    site: Preview, save: Callable[[Preview], None]
) -> None:
    before = site.build()
    save(site)
    shown = site.build()
    assert shown != before
    preview.forget()
    assert shown == site.build()


def test_what_a_page_was_warned_of_is_told_until_it_is_mended(site: Preview) -> None:
    replace("docs/one.md", "Text.", "[Text](gone.md).")(site)
    for _ in range(2):
        with pytest.raises(Abort):
            site.build()
    replace("docs/one.md", "gone.md", "two.md")(site)
    assert "../two/" in site.build()["one/index.html"]


def test_a_build_keeps_nothing(site: Preview, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "_is_preview", False)
    site.build()
    assert {"index.md", "one.md", "two.md", "two/s-part.md"} <= set(site.anew)
