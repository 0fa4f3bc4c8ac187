"""Gains: what each program gains on each Python, core count and machine, side by side.

Times of two places are never divided: each program is held against the baseline of its family in
the same place.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from markupsafe import Markup

from poolwise.declaration import Reason
from poolwise.experiment import Family
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.rows import Place, list_places, list_records
from scripts.site.render.estimates import format_ratio
from scripts.site.render.facts import link_machine
from scripts.site.render.html import Cell, cell, code, join, small, table
from scripts.site.render.names import cell_gain, link_title, name_python
from scripts.site.render.plot import show_nothing
from scripts.site.render.words import Words

MOST_PLACES = 16
"""The most places that one table shows, eight Pythons in two: of more nobody keeps the overview."""


def show_places(
    evidences: Sequence[Evidence], words: Words, page: str, families: Sequence[str] = ()
) -> Markup:
    """Show the gains of all families or of some, and where each machine's numbers are from.

    The evidences are of one experiment, one of each machine, the one shown first.
    """
    content, left = Markup(), 0
    for family in evidences[0].experiment.families:
        if families and family.name not in families:
            continue
        places, more = list_places(evidences, family.name, MOST_PLACES)
        if len({program for place in places for program in place.cells}) > 1:
            content += _show_family(family, places, evidences[0], words, page)
            left = max(left, more)
    if not content:
        return show_nothing(words)
    if left:
        content += Markup("<p>{}</p>").format(words.count("places_left", left))
    return content + _list_sources(evidences, words, page)


def _show_family(
    family: Family, places: Sequence[Place], evidence: Evidence, words: Words, page: str
) -> Markup:
    groups = groupby(places, lambda place: (place.evidence.machine.id, place.cores))
    over, firsts = [(Markup(), 1)], []
    for _, group in groups:
        first, *others = group
        cores = small(words.count("cores_nominative", first.cores))
        over.append((link_machine(first.evidence.machine, words, page) + cores, 1 + len(others)))
        firsts.append(first)
    rows = []
    for program in evidence.experiment.programs:
        name = program.name
        if family.name not in program.families or all(name not in place.cells for place in places):
            continue
        cells = []
        for place in places:
            kind = "first" if place in firsts else ""
            cells.append(_show_place(place, name, family.name, words, kind))
        rows.append((link_title(evidence, name, words), *cells))
    caption = words.text("places_caption", family=words.choose(family.title))
    pythons = (name_python(place.interpreter, place.evidence.interpreters) for place in places)
    heads = [words.text("program"), *pythons]
    return table(words, caption, heads, rows, kind="places", over=over)


def _show_place(place: Place, program: str, family: str, words: Words, kind: str) -> Cell:
    """Show how many times as fast as the baseline a program was; why there is nothing on hovering."""
    row = place.cells.get(program)
    if row and row.baseline is row.record:
        return cell_gain(None, ("×1", ""), words, kind=kind)
    if row and row.speedup:
        return cell_gain(row.verdict, format_ratio(row.speedup, words), words, kind=kind)
    kind = f"number {kind}" if kind else "number"
    if row and row.wall:
        return cell(None, kind=kind)
    if row:
        text, why = words.term("status", row.record.status), row.record.reason
    else:
        obstacle = place.evidence.find_obstacle(program, place.interpreter.id, family)
        text, why = "—", obstacle or Reason("not-measured")
    return Cell('<td class="{}" title="{}">{}</td>').format(kind, words.reason(why), text)


def _list_sources(evidences: Iterable[Evidence], words: Words, page: str) -> Markup:
    lines = []
    for evidence in evidences:
        records = list_records([evidence])
        if not records:
            continue
        machine = link_machine(evidence.machine, words, page)
        profile = join(map(code, sorted({record.profile for record in records})), ", ")
        date = words.date(max(record.measured_at for record in records))
        line = words.markup("places_source", machine=machine, profile=profile, date=date)
        if any(record.variant in evidence.outdated for record in records):
            line += " " + words.text("outdated")
        lines.append(Markup("<li>{}</li>").format(line))
    return Markup('<ul class="sources">{}</ul>').format(join(lines))
