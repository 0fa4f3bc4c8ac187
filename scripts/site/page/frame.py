"""The frame of a block: its language, where its links lead, and where its numbers come from."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from markupsafe import Markup
from msgspec.structs import replace

from poolwise.machine import Machine
from poolwise.pythons import Interpreter, rank_interpreter
from poolwise.record import Record, Variant
from scripts.site.judge.agreement import Denied
from scripts.site.judge.claims import UNMEASURED
from scripts.site.judge.evidence import Evidence, Judgement, Rows
from scripts.site.page.context import here, locate, open_pipeline, tell
from scripts.site.page.figures import FIGURE
from scripts.site.render.facts import name_machine
from scripts.site.render.figures import (
    Figure,
    drop_notes,
    hide_note,
    list_drawn,
    name_cell,
    read_note,
)
from scripts.site.render.html import block, render, slug
from scripts.site.render.names import explain_signs
from scripts.site.render.plot import NO_FINDING
from scripts.site.render.words import Words, load_words
from scripts.site.study.timeline import Timeline

_OWN_LINK = re.compile(r'href="#(p\d\w*|claim-[\w-]+)"')
_SIGN = Markup(
    '\N{NO-BREAK SPACE}<a class="claim-anchor" href="#{0}" title="{1}" aria-label="{1}: {0}">#</a>'
)
Machines = Mapping[str, Machine]  # by their ids

MOST_BUILDS = 8
"""More interpreters than these are counted where a block says where it comes from."""


def show_measured(
    evidence: Evidence,
    draw: Callable[..., Markup],
    families: Sequence[str] = (),
    *,
    programs: Sequence[str] = (),
    everywhere: bool = False,
    kind: str = "chart",
    data: str = "",
    others: Sequence[Evidence] = (),
) -> Markup:
    """A block of what was measured, with where it comes from; or that nothing was.

    Args:
        evidence: of one experiment.
        draw: makes the content of ``evidence`` and ``words``.
        families: what the block is about; none for the whole experiment.
        programs: only these of them; none for all.
        everywhere: it shows every interpreter, not the first alone that has any of it.
        kind: of the block.
        data: names the CSV file, if it is not that of the family or the experiment.
        others: of the same experiment on other machines; then it comes from where the cells drawn are from.
    """
    words = choose_words()
    if not _has_run(evidence):
        return _show_unmeasured(evidence, words)
    name = evidence.experiment.name
    try:
        drawn = draw(evidence=evidence, words=words)
    except Denied as denied:
        tell(str(denied))
        drawn = draw(evidence=evidence, words=words, finding=NO_FINDING)
    content = link_programs(drawn, name)
    content += explain_signs(content, words, here().lead("method/"))
    if others:
        evidence = _gather_drawn([evidence, *others], drawn)
    rows = Rows(row for row in evidence.rows if not families or row.family in families)
    if not everywhere:
        rows = rows.first_python(evidence.interpreters)
    chosen = (row.record for row in rows if not programs or row.program in programs)
    if timed := [record for record in chosen if record.timed]:
        file = data or (f"{name}-{slug(families[0])}" if len(families) == 1 else name)
        cells = [record.variant for record in timed]
        last = max(record.measured_at for record in timed)
        known = {machine.machine.id: machine.machine for machine in (evidence, *others)}
        known |= open_pipeline().machines
        source = describe_source(cells, last, evidence.interpreters, known, words)
        content = sign_figures(content, source, words)
        content += _show_provenance(evidence, timed, last, file, known)
    return block(content, kind=kind)


def _gather_drawn(machines: Sequence[Evidence], drawn: Markup) -> Evidence:
    """Gather from several machines, the one shown first, what charts draw."""
    cells = list_drawn(drawn)
    rows: list[Judgement] = []
    pythons: dict[str, Interpreter] = {}
    outdated: set[Variant] = set()
    for evidence in machines:
        rows += [row for row in evidence.judgements if name_cell(row.record) in cells]
        pythons |= {python.id: python for python in evidence.interpreters}
        outdated |= evidence.outdated
    return dataclasses.replace(
        machines[0],
        judgements=tuple(rows),
        interpreters=tuple(pythons.values()),
        outdated=frozenset(outdated),
    )


def choose_words() -> Words:
    """The words of the page's language."""
    pipeline = open_pipeline()
    return load_words(here().language).add(pipeline.declared.terms, pipeline.namesakes)


def locate_data() -> str:
    """The way from the page to the folder of the published data."""
    return f"{here().root}data"


def link_programs(content: Markup, experiment: str) -> Markup:
    """Lead a block's links to programs and claims to where those of the experiment stand."""

    def lead(link: re.Match[str]) -> str:
        return f'href="{lead_to(experiment, link[1])}"'

    # Only tags have plain quotation marks: those of texts are escaped.
    return Markup(_OWN_LINK.sub(lead, content))  # noqa: S704


def lead_to(experiment: str, anchor: str) -> str:
    """Return the way from the page to a program or claim of an experiment."""
    return f"{here().lead(locate(f'{experiment}.md', anchor))}#{anchor}"


def _show_provenance(
    evidence: Evidence, timed: Sequence[Record], last: datetime, data: str, known: Machines
) -> Markup:
    """Machine, interpreter, profile, date and trials of what was shown, and where the data is.

    ``data`` names the CSV file.
    """
    words, cells = choose_words(), [record.variant for record in timed]
    counts = {len(record.timed) for record in timed}
    least = f"{min(counts)}–" if len(counts) > 1 else ""  # of the trials each, as in 1–3
    machine, interpreter = _name_source(cells, evidence.interpreters, known, words)
    sentence = words.markup(
        "provenance",
        machine=machine,
        interpreter=interpreter,
        profile=", ".join(sorted({record.profile for record in timed})),
        date=words.date(last),
        trials=least + words.count("trials", max(counts)),
    )
    if not evidence.outdated.isdisjoint(cells):
        sentence += f" {words.text('outdated')}"
    places = {"sentence": sentence, "folder": locate_data(), "name": data}
    return render("provenance.html", words=words, **places)


def _name_source(
    cells: Sequence[Variant | Timeline],
    pythons: Iterable[Interpreter],
    known: Machines,
    words: Words,
) -> tuple[str, str]:
    """Name the machines and the interpreters of cells, by the titles of ``pythons`` if they are there."""
    used: set[str] = set()
    machines: dict[str, None] = {}
    for cell in cells:
        used.add(cell.interpreter)
        if machine := known.get(cell.machine):
            machines[name_machine(machine, words)] = None
    ordered = sorted(pythons, key=lambda python: rank_interpreter(python.id))
    names = [python.title for python in ordered if python.id in used] or sorted(used)
    joined = ", ".join(names) if len(names) <= MOST_BUILDS else words.count("builds", len(names))
    return "; ".join(machines), joined


def describe_source(
    cells: Sequence[Variant | Timeline],
    last: datetime,
    pythons: Iterable[Interpreter],
    known: Machines,
    words: Words,
) -> Figure:
    """Describe where the numbers of figures come from: cells that were measured until ``last``."""
    families: dict[str, None] = {}
    interpreters: dict[str, None] = {}
    machines: dict[str, None] = {}
    for cell in cells:
        families[cell.family] = interpreters[cell.interpreter] = machines[cell.machine] = None
    machine, interpreter = _name_source(cells, pythons, known, words)
    source = {"machine": machine, "interpreter": interpreter, "date": words.date(last)}
    return Figure(
        experiment=cells[0].experiment,
        families=tuple(families),
        interpreters=tuple(interpreters),
        machines=tuple(machines),
        measured_at=last.isoformat(),
        measured=words.text("figure_source", **source),
    )


def _has_run(evidence: Evidence) -> bool:
    records = [judgement.record for judgement in evidence.judgements]
    return any(record.timed or record.status in ("failed", "timeout") for record in records)


def _show_unmeasured(evidence: Evidence, words: Words) -> Markup:
    absence, sentence = evidence.absence, words.text("not_measured")
    if absence and absence.code not in UNMEASURED:
        sentence = words.text("not_tried", reason=words.reason(absence))
    return block(Markup("<p>{}</p>").format(sentence), kind="nothing")


def sign_figures(content: Markup, source: Figure, words: Words) -> Markup:
    """A block in which each figure has a sign that links to it, its source, and a row to share it."""

    def sign(figure: re.Match[str]) -> str:
        noted, id_ = read_note(figure[0]) or source, figure["id"]
        parts = {name: getattr(noted, name) for name in ("claim", "unit", "numbers")}
        note = hide_note(replace(source, **parts))
        link = _SIGN.format(id_, words.text("chart_link"))
        signed = drop_notes(figure[0]).replace("</figcaption>", f"{link}</figcaption>", 1)
        signed = f"{signed.removesuffix('</figure>')}{note}</figure>"
        return f"{signed}{render('share.html', words=words, id=id_, numbers=noted.numbers)}"

    return Markup(FIGURE.sub(sign, content))  # noqa: S704 - the block's own
