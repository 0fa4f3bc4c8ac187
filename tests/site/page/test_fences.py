"""On which page, and in which language, a fence finds itself, and rules get their signs, whoever builds the pages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from markdown import Markdown

from scripts.site.page import context
from scripts.site.page.context import Place, here

ROOT = Path(__file__).parents[3]
PAGE = """\
# Title

- An item:

    ```python exec="on" html="true" session="theory/gil"
    print(show.claims())
    ```
"""


@pytest.fixture(autouse=True)
def leave() -> Iterator[None]:
    yield
    context.enter(Place())


@pytest.mark.parametrize(("config", "language"), [("mkdocs.yml", "en"), ("mkdocs.ru.yml", "ru")])
def test_a_page_knows_its_language_and_its_place_without_hooks(config: str, language: str) -> None:
    text = (ROOT / config).read_text(encoding="utf-8").replace("!ENV", "")
    name = "scripts.site.page.fences"
    settings = yaml.safe_load(text)["markdown_extensions"][name]
    Markdown(extensions=[name], extension_configs={name: settings}).convert(PAGE)
    assert here() == Place(language=language, source="theory/gil.md", url="theory/gil/")


def test_each_fence_names_its_page_by_its_session() -> None:
    for path in sorted((ROOT / "docs").glob("*/**/*.md")):
        name = path.relative_to(ROOT / "docs").with_suffix("").as_posix().partition("/")[2]
        fences = re.findall(r"^ *```python exec=.*", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert all(f' session="{name}"' in fence for fence in fences), path


def test_a_rule_is_a_sentence_with_an_address_and_a_sign_that_leads_there() -> None:
    settings = {"scripts.site.page.fences": {"language": "en"}}
    markdown = Markdown(extensions=[*settings, "attr_list"], extension_configs=settings)
    text = "- [A `lock[0]` [guards](a.md#b){.c} *all*.]{#rule-guards} More, [a link](x.md)."
    sign = '<a class="headerlink" href="#rule-guards" title="Link to this sentence">#</a>'
    assert (
        '<li><span class="rule" id="rule-guards">A <code>lock[0]</code> <a class="c" href="a.md#b">guards</a>'
        f' <em>all</em>.{sign}</span> More, <a href="x.md">a link</a>.</li>'
    ) in markdown.convert(text)
