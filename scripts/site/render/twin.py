"""The twin of a page in Markdown, for assistants and people who copy it: from HTML, so with numbers."""

import re
from html.parser import HTMLParser

TWIN = "index.md.txt"
"""Beside the page, so that its links lead where those of the page do. Common servers know no ``.md``,
and a browser would download it."""

_UNREAD = ("svg", "script", "style", "button", "nav", "form")
_SIGNS = ("headerlink", "claim-anchor")
"""The classes of links that are signs."""
_CODE = re.compile(r"(\n```\n.*?\n```\n)", re.DOTALL)
_PARTS = ("p", "div", "figure", "figcaption", "section", "details", "dt", "dd", "blockquote")
_BLOCKS = dict.fromkeys((*_PARTS, "summary", "caption", "table"), "\n\n")
_MARKS = {"strong": "**", "b": "**", "em": "*", "code": "`", "q": '"'}
_BEGINS = _BLOCKS | _MARKS | {f"h{level}": f"\n\n{'#' * level} " for level in range(1, 7)}
_BEGINS |= {"pre": "\n\n```\n", "tr": "\n|", "small": " ", "summary": "\n\n**", "br": " — "}
_ENDS = _BLOCKS | _MARKS | dict.fromkeys(_BEGINS.keys() & {"h1", "h2", "h3", "h4"}, "\n\n")
_ENDS |= {"pre": "\n```\n\n", "td": " |", "th": " |", "summary": "**\n\n"}


def make_twin(page: str) -> str:
    """Make Markdown of a built page's article: headings, text, links, lists, tables and code."""
    article = page.partition("<article")[2].rpartition("</article>")[0]
    reader = _Reader()
    reader.feed(article.partition(">")[2])
    reader.close()
    parts = _CODE.split("".join(reader.told))
    parts[::2] = [re.sub(r"\s*\n\s*\n\s*", "\n\n", part) for part in parts[::2]]
    parts[::2] = [re.sub(r"(?<=\S) {2,}", " ", part) for part in parts[::2]]
    told = "".join(parts).replace("\n```\n", "\n\n```\n")
    return re.sub(r"\n+(?=```\n)", "\n", told).strip() + "\n"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.inside: list[str] = []  # of lists, rows and code
        self.links: list[str] = []
        self.unread: list[str] = []  # elements that are open and left out
        self.is_folded = self.is_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        is_sign = tag == "a" and (facts.get("class") or "").startswith(_SIGNS)
        if tag in _UNREAD or is_sign or tag in self.unread:
            self.unread.append(tag)
        self.is_folded = tag == "noscript"
        self.is_code = self.is_code or tag == "code"
        if self.unread:
            return
        if tag in ("ul", "ol", "tr", "pre"):
            self.inside.append(tag)
            self.cells = 0
        if tag == "a":
            address = facts.get("href") or ""
            own = "./" if address[:1] in ("", "#") else ""  # the page's
            self.links.append(own + address)
        begin = f"\n{'  ' * (len(self.inside) - 1)}- " if tag == "li" else "[" * (tag == "a")
        self._tell(tag, begin or _BEGINS.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self.is_folded = False
        self.is_code = self.is_code and tag != "code"
        if self.unread:
            if tag == self.unread[-1]:
                self.unread.pop()
            return
        if tag in self.inside[-1:]:
            self.inside.pop()
        self.cells += tag in ("td", "th")
        end = f"]({self.links.pop()})" if tag == "a" and self.links else _ENDS.get(tag, "")
        self._tell(tag, f"\n|{' --- |' * self.cells}" if tag == "thead" else end)

    def handle_data(self, data: str) -> None:
        if self.unread:
            return
        if self.is_folded:  # HTML that waits as text
            folded = _Reader()
            folded.feed(data)
            folded.close()
            self.told += folded.told
            return
        if "pre" not in self.inside:
            data = re.sub(r"[ \n\t]+", " ", data)
            data = data if self.is_code else data.replace("<", "&lt;")  # it would be taken for HTML
        self.told.append(data)

    cells = 0

    def _tell(self, tag: str, text: str) -> None:
        if not (self.inside and tag in _BLOCKS) and not ("pre" in self.inside and tag in _MARKS):
            self.told.append(text)
