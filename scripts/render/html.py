"""HTML: the few shapes that all generated blocks are made of."""

from collections.abc import Iterable, Sequence
from html import escape

from scripts.render.words import Words


def slug(name: str) -> str:
    """A name as an id or the name of a file: ``io+cpu`` is ``io-cpu``; letters of any script stay."""
    return "".join(char if char.isalnum() else "-" for char in name.lower()).strip("-")


def program_anchor(program: str) -> str:
    """The id of the heading under which a page shows a program: ``p06b`` of ``06b-io-async``."""
    return f"p{program.partition('-')[0]}"


def cell(content: str, *, kind: str = "number") -> str:
    """A cell of a table; ``kind`` is its class."""
    return f'<td class="{kind}">{content}</td>'


def row_header(content: str) -> str:
    """The first cell of a row, which names it."""
    return f'<th scope="row">{content}</th>'


def column(title: str, help_: str = "") -> str:
    """The head of a column, with an explanation to hover."""
    shown = f'<abbr title="{escape(help_)}">{escape(title)}</abbr>' if help_ else escape(title)
    return f'<th scope="col">{shown}</th>'


def table(
    words: Words, caption: str, head: Sequence[str], bodies: Iterable[str], *, kind: str = ""
) -> str:
    """A table that scrolls inside itself.

    Args:
        words: of the page's language.
        caption: HTML of the caption.
        head: cells made by ``column``.
        bodies: whole ``<tbody>`` elements.
        kind: another class for the table.
    """
    label = escape(words.text("scroll"))
    return (
        f'<div class="measured-scroll" role="region" tabindex="0" aria-label="{label}: '
        f'{_strip_tags(caption)}"><table class="measured {kind}"><caption>{caption}</caption>'
        f"<thead><tr>{''.join(head)}</tr></thead>{''.join(bodies)}</table></div>"
    )


def body(rows: Iterable[str], heading: str = "", columns: int = 0) -> str:
    """Rows that belong together, under a heading of their own if there is one."""
    head = (
        f'<tr class="group"><th scope="rowgroup" colspan="{columns}"><span>{heading}</span></th></tr>'
        if heading
        else ""
    )
    return f"<tbody>{head}{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody>"


def block(content: str, *, kind: str, id_: str = "") -> str:
    """A generated block: one element without empty lines, which Markdown leaves alone."""
    where = f' id="{id_}"' if id_ else ""
    return f'<div class="evidence evidence-{kind}"{where}>{content}</div>'


def _strip_tags(markup: str) -> str:
    text, inside = "", False
    for char in markup:
        if char == "<":
            inside = True
        elif char == ">":
            inside = False
        elif not inside:
            text += char
    return text.replace('"', "&quot;")
