"""What a built page says of itself, read without a browser."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

NOT_LOADED = {"canonical", "alternate", "alternate ", "prev", "next"}
"""``rel`` of links that no visit follows; all but neighbours are whole public addresses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """Ids and addresses of a page, and the links of its provenance lines."""

    ids: tuple[str, ...]
    links: tuple[str, ...]
    data_links: tuple[str, ...]


def read_markup(file: Path) -> Markup:
    reader = _Reader()
    reader.feed(file.read_text(encoding="utf-8"))
    return Markup(
        ids=tuple(reader.ids), links=tuple(reader.links), data_links=tuple(reader.data_links)
    )


@dataclass
class _Reader(HTMLParser):
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    data_links: list[str] = field(default_factory=list)
    in_provenance: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "p":
            self.in_provenance = "provenance" in given.get("class", "").split()
        if tag == "link" and given.get("rel") in NOT_LOADED:
            return
        found = [given[name] for name in ("href", "src") if name in given]
        self.links += found
        if self.in_provenance:
            self.data_links += found

    def handle_endtag(self, tag: str) -> None:
        if tag == "p":
            self.in_provenance = False
