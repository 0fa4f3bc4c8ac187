"""HTML: the few shapes that all generated blocks are made of.

What is ``Markup`` is HTML; any other string is text, and is escaped wherever it enters a shape.
The larger shapes are templates, which escape likewise.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from scripts.site.paths import TEMPLATES
from scripts.site.render.words import Words

Row = Sequence[str | None]
"""The name of a table's row, then its cells; text that is no cell yet becomes one of numbers."""

_WORDS = ('<td class="prose">', '<td class="verdict-cell">')
"""The beginnings of cells that stand at the left, and with them the head of their column."""
_TAG = re.compile(r"<[^>]*>")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def drop_tags(text: str) -> str:
    """HTML as text; ``striptags`` would make ordinary spaces of those at which no line may break."""
    return Markup(_TAG.sub("", text)).unescape()  # noqa: S704 - only to be unescaped


def clean(text: str) -> str:
    """Text without what neither HTML nor XML may hold: control characters and lone surrogates."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def render(template: str, **places: Any) -> Markup:  # noqa: ANN401 - whatever the template shows
    """A file of ``templates/`` with its places filled."""
    return Markup(_load_templates().get_template(template).render(places))  # noqa: S704 - escapes


def join(parts: Iterable[str], separator: str = "") -> Markup:
    """Parts one after another; those that are text are escaped."""
    return Markup.escape(separator).join(parts)


def slug(name: str) -> str:
    """A name as an id or the name of a file: ``io+cpu`` is ``io-cpu``; letters of any script stay."""
    return "".join(char if char.isalnum() else "-" for char in name.lower()).strip("-")


def program_anchor(program: str) -> str:
    """The id of the heading under which a page shows a program: ``p06b`` of ``06b-io-async``."""
    return f"p{slug(program.partition('-')[0])}"


def link_program(program: str, name: str = "") -> Markup:
    """A program by its name, or by a longer one, that leads to where it is shown."""
    return Markup('<a href="#{}">{}</a>').format(program_anchor(program), name or program)


class Cell(Markup):
    """A cell of a table, or several, ready."""

    __slots__ = ()


def cell(content: str | None, *, kind: str = "number") -> Cell:
    """A cell with something or, if that is ``None``, with a dash; ``kind`` is its class."""
    return Cell('<td class="{}">{}</td>').format(kind, "—" if content is None else content)


def prose(content: str) -> Cell:
    """A cell with words."""
    return cell(content, kind="prose")


def join_cells(row: Row) -> Markup:
    """The cells of a row, the first of which names it."""
    first, *others = row
    made = (other if isinstance(other, Cell) else cell(other) for other in others)
    return Markup('<th scope="row">{}</th>').format(first) + join(made)


def table(
    words: Words,
    caption: str,
    heads: Iterable[str | tuple[str, str]],
    rows: Iterable[Row] | Mapping[str, Iterable[Row]],
    *,
    kind: str = "",
    over: Iterable[tuple[str, int]] = (),
) -> Markup:
    """A table that scrolls inside itself, its rows perhaps by the heading of their group.

    Of ``heads``, a pair is a name with an explanation to hover; ``over`` stand above them, each over
    so many columns, nothing being an empty cell. ``kind`` is another class.
    """
    columns = [(head, "") if isinstance(head, str) else head for head in heads]
    by_heading = rows if isinstance(rows, Mapping) else {"": rows}
    groups = {heading: list(lines) for heading, lines in by_heading.items()}
    cells = (
        (place, content) for row in chain(*groups.values()) for place, content in enumerate(row)
    )
    worded = {place for place, content in cells if str(content).startswith(_WORDS)}
    return render(
        "table.html",
        words=words,
        caption=caption,
        name=Markup.escape(caption).striptags(),
        heads=[(*head, place in worded) for place, head in enumerate(columns)],
        groups={heading: map(join_cells, lines) for heading, lines in groups.items()},
        kind=kind,
        over=list(over),
    )


def wait(content: str) -> Markup:
    """Hold content as text until a script makes elements of it: a phone has that much less to lay out."""
    # In it nothing waits once more, for that cannot be nested.
    inner = Markup.escape(content).replace("<noscript>", "").replace("</noscript>", "")
    return Markup("<noscript>{}</noscript>").format(inner)


def fold_away(title: str, content: str, *, kind: str = "chart-numbers", data: str = "") -> Markup:
    """Fold content that a reader may unfold, and which waits until then.

    In the twin of a page ``data``, if given, stands for it.
    """
    return render("fold.html", title=title, content=content, kind=kind, data=data)


def small(content: str) -> Markup:
    """Set what stands below or beside the main thing of a cell; nothing if it is empty."""
    return Markup("<small>{}</small>").format(content) if content else Markup()


def strong(content: str) -> Markup:
    """The main thing of a cell or a sentence."""
    return Markup("<strong>{}</strong>").format(content)


def code(content: str) -> Markup:
    """A name, a value or what a program printed, as it stands."""
    return Markup("<code>{}</code>").format(content)


def mark_code(text: str) -> Markup:
    """A declared text, in which what stands between backticks is code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", Markup.escape(text)))  # noqa: S704 - escaped


def block(content: str, *, kind: str, id_: str = "") -> Markup:
    """A generated block: one element, which Markdown leaves alone."""
    anchor = Markup(' id="{}"').format(id_) if id_ else ""
    return Markup('<div class="evidence evidence-{}"{}>{}</div>').format(kind, anchor, content)


@cache
def _load_templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"slug": slug, "wait": wait}
    environment.globals["fold_away"] = fold_away
    return environment
