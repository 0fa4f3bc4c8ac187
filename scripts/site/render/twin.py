"""The twin of a page in Markdown, for assistants and people who copy it: from HTML, so with numbers."""

import re
from html.parser import HTMLParser
from itertools import groupby

# Beside the page, so that its links lead where those of the page do. Common servers know no
# ``.md``, and a browser would download it.
TWIN = "index.md.txt"

_UNREAD = ("svg", "script", "style", "button", "nav", "form")
_SIGNS = ("headerlink", "claim-anchor")  # the classes of links that are signs
# What a browser shows of a picture, and how a number was measured: of that, its data is enough.
_FURNITURE = {"chart-legend", "timeline-lanes", "claim-details", "how-measured", "by-hand"}
_FURNITURE |= {"explore-link", "page-twin", "claim-since", "figure-share"}
_FURNITURE |= {"scene-controls", "scene-now", "scene-unsure"}
_PARTS = ("p", "div", "figure", "figcaption", "section", "details", "dt", "dd", "blockquote")
_BLOCKS = dict.fromkeys((*_PARTS, "summary", "caption", "table", "fieldset", "legend"), "\n\n")
_MARKS = {"strong": "**", "b": "**", "em": "*", "code": "`"}
_BEGINS = _BLOCKS | _MARKS | {f"h{level}": f"\n\n{'#' * level} " for level in range(1, 7)}
_BEGINS |= {"tr": "\n|", "label": "\n- ", "small": " ", "summary": "\n\n**", "br": " — "}
_ENDS = _BLOCKS | _MARKS | dict.fromkeys(("h1", "h2", "h3", "h4"), "\n\n")
_ENDS |= {"td": " |", "th": " |", "summary": "**\n\n"}


def make_twin(page: str) -> str:
    """Make Markdown of a built page's article: headings, text, links, lists, tables and code."""
    article = page.partition("<article")[2].rpartition("</article>")[0]
    reader = _Reader()
    reader.feed(article.partition(">")[2])
    reader.close()
    twin = ""
    for is_code, pieces in groupby(reader.pieces, lambda piece: isinstance(piece, _Code)):
        if is_code:
            twin = twin.rstrip() + "\n" + "\n".join(map(_fence, pieces)) + "\n"
            continue
        # Each element brought its own blank lines and indentation.
        text = re.sub(r"\s*\n\s*\n\s*", "\n\n", "".join(pieces))
        twin += re.sub(r"(?<=\S) {2,}", " ", text).lstrip("\n")
    return twin.strip() + "\n"


class _Code(str):
    """Code as it is, around which nothing is tidied."""

    __slots__ = ()


def _fence(code: str) -> str:
    """Put code between fences, which are longer than any row of backticks in it."""
    longest = max(map(len, re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = code.rstrip("\n")
    return f"{fence}\n{lines}\n{fence}\n"


class _Reader(HTMLParser):
    """Collects pieces of Markdown, and each block of code as a piece of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.code: list[str] | None = None  # of the block that is open
        self.inside: list[str] = []  # of lists and rows
        self.cells = 0  # of the row that was last begun
        self.links: list[str] = []
        self.unread: list[str] = []  # elements that are open and left out
        self.figure = ""  # the id of the last chart or timeline
        self.is_folded = self.is_marked_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        kind = attributes.get("class") or ""
        is_left_out = tag in _UNREAD or not _FURNITURE.isdisjoint(kind.split())
        is_left_out |= tag == "a" and (kind.startswith(_SIGNS) or "download" in attributes)
        if is_left_out or tag in self.unread:
            data = attributes.get("data-twin")
            if data and not self.unread:
                while self.pieces and not self.pieces[-1].strip():  # it ends the paragraph before
                    self.pieces.pop()
                if self.pieces and self.pieces[-1].endswith("|"):  # of a table
                    self.pieces.append("\n\n")
                self.pieces.append(f" [{data.rpartition('.')[2].upper()}]({data})")
            self.unread.append(tag)
        self.is_folded = tag == "noscript"
        self.is_marked_code = self.is_marked_code or tag == "code"
        if self.unread:
            return
        begin = _BEGINS.get(tag, "")
        match tag:
            case "pre":
                self.code = []
            case "ul" | "ol" | "tr":
                self.inside.append(tag)
                self.cells = 0
            case "li":
                begin = f"\n{'  ' * (len(self.inside) - 1)}- "
            case "figure" if "chart" in kind.split():
                self.figure = attributes.get("id") or ""
            case "figcaption" if self.figure:
                begin += "!["
            case "a":
                address = attributes.get("href") or ""
                if address[:1] in ("", "#"):  # in the page itself
                    address = f"./{address}"
                self.links.append(address)
                begin = "["
        self._add(tag, begin)

    def handle_endtag(self, tag: str) -> None:
        self.is_folded = False
        self.is_marked_code = self.is_marked_code and tag != "code"
        if self.unread:
            if tag == self.unread[-1]:
                self.unread.pop()
            return
        end = _ENDS.get(tag, "")
        match tag:
            case "pre" if self.code is not None:
                self.pieces.append(_Code("".join(self.code)))
                self.code = None
            case "ul" | "ol" | "tr" if tag in self.inside[-1:]:
                self.inside.pop()
            case "td" | "th":
                self.cells += 1
            case "thead":
                end = f"\n|{' --- |' * self.cells}"
            case "figcaption" if self.figure:
                self.pieces[-1] = self.pieces[-1].rstrip()  # before the sign that links to it
                end = f"]({self.figure}.png)\n\n"
                self.figure = ""
            case "a" if self.links:
                end = f"]({self.links.pop()})"
        self._add(tag, end)

    def handle_data(self, data: str) -> None:
        if self.unread:
            return
        if self.code is not None:
            self.code.append(data)
            return
        if self.is_folded:  # HTML that waits as text
            folded = _Reader()
            folded.feed(data)
            folded.close()
            self.pieces += folded.pieces
            return
        data = re.sub(r"[ \n\t]+", " ", data)
        if not self.is_marked_code:
            data = data.replace("<", "&lt;")  # it would be taken for HTML
        self.pieces.append(data)

    def _add(self, tag: str, text: str) -> None:
        """Add what a tag stands for: none in code, and no blank lines in lists and rows."""
        if self.code is None and not (self.inside and tag in _BLOCKS):
            self.pieces.append(text)
