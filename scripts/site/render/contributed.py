"""What strangers sent: a table of their machines, apart from all that was measured."""

from collections.abc import Iterable

from markupsafe import Markup

from scripts.site.render.facts import describe, name_machine, stack
from scripts.site.render.html import table
from scripts.site.render.words import Words
from scripts.site.study.contributed import LARGEST_RATIO, Contribution


def show_contributed(contributions: Iterable[Contribution], words: Words, data: str) -> Markup:
    """Show each machine that strangers sent records of; ``data`` is the way to their files."""
    rows = []
    for sent in contributions:
        machine, pythons = sent.machine, [results.interpreter for results in sent.results]
        shape = Markup('<span id="contributed-{0}" title="{0}">{1}</span>')
        name = shape.format(machine.id, name_machine(machine, words))
        link = Markup('<a href="{}/contributed/{}/{}.json">{}</a>')
        files = [link.format(data, machine.id, python.id, python.title) for python in pythons]
        facts = describe(machine, pythons, sent.records, words)
        rows.append((name, *map(stack, (*facts, [_compare(sent, words), *files]))))
    if not rows:
        return Markup("<p>{}</p>").format(words.text("contributed_none"))
    heads = words.texts("machine", "machine_is", "machine_measured", "noise", "contributed_sent")
    return table(words, words.text("contributed_caption"), heads, rows, kind="machines")


def _compare(sent: Contribution, words: Words) -> str:
    """Say how many gains differ from those of every measured machine."""
    if not sent.gains:
        return words.text("contributed_alone")
    count = len(sent.differences)
    return words.text(
        "contributed_differs" if count else "contributed_alike",
        count=words.plain(count),
        compared=words.count("gains_of", len(sent.gains)),
        ratio=words.plain(LARGEST_RATIO),
    )
