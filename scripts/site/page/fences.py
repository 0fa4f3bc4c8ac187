"""Fences: on which page those stand that run next, told by a Markdown extension.

Whoever builds the pages takes the extensions of ``mkdocs.yml``; hooks run with few.
"""

import re

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from scripts.site.page.context import Place, enter, page_url

# All fences of a page share a session, which has its name.
_SESSION = re.compile(r'^ *```python exec=.* session="([^"]+)"', re.MULTILINE)
_BEFORE_FENCES = 100


class makeExtension(Extension):  # noqa: N801 - Markdown looks for this name
    """Reads the name of each page from its first fence; ``language`` is that of all pages."""

    def __init__(self, **settings: object) -> None:
        """Take the settings of the configuration."""
        self.config = {"language": ["en", "the language of the pages"]}
        super().__init__(**settings)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown's name
        """Have each page read before its fences run."""
        md.preprocessors.register(_Entry(self.getConfig("language")), "entry", _BEFORE_FENCES)


class _Entry(Preprocessor):
    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def run(self, lines: list[str]) -> list[str]:
        if session := _SESSION.search("\n".join(lines)):
            source = f"{session[1]}.md"
            enter(Place(language=self.language, source=source, url=page_url(source)))
        return lines
