"""Places: what each program gains on each machine, core count and Python, beside the authors'."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from markupsafe import Markup

from scripts.harness.experiment import Family
from scripts.harness.machine import Machine
from scripts.harness.originals import Original, find_time, read_figure
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Place, list_places
from scripts.site.judge.selection import list_records
from scripts.site.render import originals
from scripts.site.render.estimates import format_ratio
from scripts.site.render.facts import name_machine
from scripts.site.render.html import Cell, cell, code, join, link_program, render, small, table
from scripts.site.render.signs import cell_gain, show_signs
from scripts.site.render.words import Words

MOST = 16
"""Places that one table shows, eight Pythons in two: of more columns nobody keeps the overview."""


def show_places(
    evidences: Sequence[Evidence],
    words: Words,
    folder: str,
    most: int | None = None,
    charts: Mapping[str, Markup] = MappingProxyType({}),
) -> Markup:
    """A table for each family: the gain of each program over the plainest of it in the same place.

    The evidences are of one experiment, one of each machine, the one shown first; ``folder`` is the
    address of the machines' pages, ``most`` how many places to show; ``charts`` stand above the tables
    of their families.
    """
    experiment = evidences[0].experiment
    shown, left, pythons = Markup(), 0, dict[str, None]()
    for family in experiment.families:
        places, more = list_places(evidences, family.name, most)
        if places and len({name for place in places for name in place.cells}) > 1:
            shown += charts.get(family.name, "")
            shown += _show_family(family, places, evidences, words, folder)
            left = max(left, more)
            pythons |= dict.fromkeys(place.interpreter.name for place in places)
    if not shown:
        return Markup("<p>{}</p>").format(words.text("places_nothing"))
    notes = Markup("<p>{}</p>").format(words.count("places_left", left)) if left else Markup()
    form = render("places-form.html", words=words, pythons=pythons) if len(pythons) > 1 else ""
    return form + shown + show_signs(words) + notes + _list_sources(evidences, words, folder)


def link_machine(machine: Machine, words: Words, folder: str) -> Markup:
    """A machine by its name, which leads to its page."""
    return Markup('<a href="{}{}/" title="{}">{}</a>').format(
        folder, machine.id, machine.id, name_machine(machine, words)
    )


def _show_family(
    family: Family,
    places: Sequence[Place],
    evidences: Sequence[Evidence],
    words: Words,
    folder: str,
) -> Markup:
    experiment = evidences[0].experiment
    names = [one.name for one in experiment.programs if family.name in one.families]
    theirs = _list_originals(evidences[0], family)
    groups = [
        list(own) for _, own in groupby(places, lambda one: (one.evidence.machine.id, one.cores))
    ]
    over = [(Markup(), 1)]
    for own in groups:
        machine = link_machine(own[0].evidence.machine, words, folder)
        cores = small(words.count("cores_nominative", own[0].cores))
        over.append((machine + cores, len(own)))
    over += [(_name_original(rows, words), 1) for rows in theirs]
    heads = [words.text("program"), *(one.interpreter.name for one in places)]
    heads += [next(iter(rows.values())).get("python") or "—" for rows in theirs]
    rows = [
        (
            link_program(name),
            *(
                _show_gain(place.cells.get(name), family, words, is_first=place is own[0])
                for own in groups
                for place in own
            ),
            *(_show_original(name, rows, family, words) for rows in theirs),
        )
        for name in names
        if any(name in place.cells for place in places)
    ]
    caption = words.text("places_caption", family=words.choose(family.title))
    return table(words, caption, heads, rows, kind="places", over=over)


def _show_gain(judged: Judgement | None, family: Family, words: Words, *, is_first: bool) -> Cell:
    kind = "number first" if is_first else "number"
    if judged is None:
        return cell(None, kind=kind)
    if judged.speedup is None:
        return cell(words.term("status", judged.record.status), kind=kind)
    if judged.record.variant.program == family.baseline:
        return cell_gain(None, ("×1", ""), words, kind="first" * is_first)
    return cell_gain(
        judged.verdict, format_ratio(judged.speedup, words), words, kind="first" * is_first
    )


def _list_originals(evidence: Evidence, family: Family) -> list[Mapping[str, Original]]:
    """Of each of the authors' machines that ran the family's baseline: its rows by program.

    A program's first family is that of the article.
    """
    first = {one.name: one.families[0] for one in evidence.experiment.programs}
    machines: dict[str, dict[str, Original]] = {}
    for row in evidence.experiment.originals:
        name = originals.name_program(row)
        if first[name] == family.name:
            machines.setdefault(row["machine"], {}).setdefault(name, row)
    return [rows for rows in machines.values() if family.baseline in rows]


def _name_original(rows: Mapping[str, Original], words: Words) -> Markup:
    row = next(iter(rows.values()))
    name = Markup.escape(originals.name_machine(row, words))
    return name + small(originals.count_cores(row, words)) + small(words.text("authors"))


def _show_original(
    program: str, rows: Mapping[str, Original], family: Family, words: Words
) -> Cell:
    base, taken = (
        read_figure(row[find_time(row)]) if row else None
        for row in (rows[family.baseline], rows.get(program))
    )
    gain = words.ratio(base / taken) if base and taken else "—"
    gain = "×1" if program == family.baseline else gain
    return cell_gain(None, (gain, ""), words, kind="first")


def _list_sources(evidences: Sequence[Evidence], words: Words, folder: str) -> Markup:
    """What each machine's numbers are: profile, date, and whether they are no longer valid."""
    lines = []
    for evidence in evidences:
        records = list_records([evidence])
        if not records:
            continue
        line = words.markup(
            "places_source",
            machine=link_machine(evidence.machine, words, folder),
            profile=code(evidence.profile),
            date=words.date(max(record.measured_at for record in records)),
        )
        if any(record.variant in evidence.outdated for record in records):
            line += " " + words.text("outdated")
        if evidence.origin == "contributed":
            line += " " + words.text("contributed")
        lines.append(Markup("<li>{}</li>").format(line))
    return Markup('<ul class="sources">{}</ul>').format(join(lines))
