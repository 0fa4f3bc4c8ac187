"""Fences: on which page those stand that run next; and sentences with addresses. A Markdown extension.

Whoever builds the pages takes the extensions of ``mkdocs.yml``; hooks run with few.
"""

import re
from xml.etree import ElementTree as ET

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.util import AtomicString

from scripts.site.page.context import Place, enter, page_url
from scripts.site.render.words import load_words

# All fences of a page share a session, which has its name.
_SESSION = re.compile(r'^ *```python exec=.* session="([^"]+)"', re.MULTILINE)
_BEFORE_FENCES = 100
_RULE = r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\{#(rule-[a-z0-9-]+)\}"
_BEFORE_LINKS = 165  # as a sentence may have some; code is taken before


class makeExtension(Extension):  # noqa: N801 - Markdown looks for this name
    """Reads the name of each page from its first fence; ``language`` is that of all pages."""

    def __init__(self, **settings: object) -> None:
        """Take the settings of the configuration."""
        self.config = {"language": ["en", "the language of the pages"]}
        super().__init__(**settings)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown's name
        """Have each page read before its fences run, and its rules before their links."""
        language = self.getConfig("language")
        md.preprocessors.register(_Entry(language), "entry", _BEFORE_FENCES)
        md.inlinePatterns.register(_Rule(language), "rule", _BEFORE_LINKS)


class _Entry(Preprocessor):
    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def run(self, lines: list[str]) -> list[str]:
        if session := _SESSION.search("\n".join(lines)):
            source = f"{session[1]}.md"
            enter(Place(language=self.language, source=source, url=page_url(source)))
        return lines


class _Rule(InlineProcessor):
    """A sentence that states a rule, ``[…]{#rule-…}``, ends with the sign that links to it."""

    def __init__(self, language: str) -> None:
        super().__init__(_RULE)
        self.language = language

    def handleMatch(  # type: ignore[override]  # noqa: N802 - Markdown's name
        self, match: re.Match[str], data: str
    ) -> tuple[ET.Element, int, int]:
        del data
        sentence, id_ = match.groups()
        element = ET.Element("span", {"class": "rule", "id": id_})
        element.text = sentence
        title = load_words(self.language).text("rule_link")
        sign = ET.SubElement(
            element, "a", {"class": "headerlink", "href": f"#{id_}", "title": title}
        )
        sign.text = AtomicString("#")
        return element, *match.span()
