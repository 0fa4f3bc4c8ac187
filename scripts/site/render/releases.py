"""Releases: how the gain and the verdict of a program move from one Python to the next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from markupsafe import Markup

from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Career, list_careers, order_releases
from scripts.site.render.estimates import format_ratio, tell_ratio
from scripts.site.render.facts import name_machine
from scripts.site.render.gains import name_pythons
from scripts.site.render.growth import choose_pens
from scripts.site.render.html import Cell, join, link_program
from scripts.site.render.names import name_family, title_program
from scripts.site.render.plot import (
    Plot,
    Row,
    make_prefix,
    pivot,
    show_nothing,
)
from scripts.site.render.signs import cell_gain, show_verdict
from scripts.site.render.svg import Pen
from scripts.site.render.words import Words


def draw_releases(
    evidence: Evidence, words: Words, family: str, *, is_elsewhere: bool = False
) -> Markup:
    """A line for each program of a family through its gain on each Python, on the most cores.

    ``is_elsewhere``: on another machine than the one shown, which is then named.
    """
    careers = list(list_careers(evidence, family))
    most = max((one.cores for one in careers), default=0)
    careers = [one for one in careers if one.cores == most]
    if not careers:
        return show_nothing(words)
    names = name_oldest_first(evidence)
    pythons = {id_: name for id_, name in names.items() if any(id_ in one.cells for one in careers)}
    pens = choose_pens(evidence, (next(iter(one.cells.values())).record.variant for one in careers))
    rows = [
        row
        for career, pen in zip(careers, pens, strict=True)
        for row in _list_rows(evidence, career, pen, pythons, words)
    ]
    cores = words.count("cores", most)
    title = words.text("releases_title", family=name_family(evidence, family, words), cores=cores)
    if is_elsewhere:
        title += f" ({name_machine(evidence.machine, words)})"
    places = list(pythons.values())
    programs = {
        title_program(evidence.experiment, one.program, words): one.program for one in careers
    }
    return Plot(
        prefix=make_prefix("releases", evidence.experiment.name, family),
        title=title,
        rows=rows,
        words=words,
        mark="lines",
        is_log=True,
        is_ratio=True,
        ticks={float(place): name for place, name in enumerate(places)},
        below=pivot(
            rows,
            words,
            title,
            words.text("program"),
            lambda row: link_program(programs[row.series], row.series),
            lambda row: places[int(row.x)],
            lambda row: row.x,
        ),
    ).show()


def name_oldest_first(evidence: Evidence) -> dict[str, str]:
    """What its Pythons are called, by their ids."""
    names = name_pythons(evidence)
    return {one.id: names[one.id] for one in order_releases(evidence.interpreters)}


def _list_rows(
    evidence: Evidence, career: Career, pen: Pen, pythons: Mapping[str, str], words: Words
) -> list[Row]:
    """List the gains of a program, by the places of their Pythons."""
    rows, title = [], title_program(evidence.experiment, career.program, words)
    for place, (id_, name) in enumerate(pythons.items()):
        judged = career.cells.get(id_)
        row = Row(series=title, pen=pen, x=place)
        if judged and judged.speedup:
            told = f"{title}, {name}: {tell_ratio(judged.speedup, words)}"
            cell = _show_gain(judged, words) or ""
            row = replace(row, value=judged.speedup, told=told, cell=cell)
        rows.append(row)
    return rows


def _name_text(kind: str, ids: Iterable[str]) -> str:
    """The text of this kind in a catalogue: another where the GIL alone differs, of one build."""
    is_one_build = len({id_.removesuffix("-gil") for id_ in ids}) == 1
    return f"releases_gil_{kind}" if is_one_build else f"releases_{kind}"


def _show_gain(judged: Judgement | None, words: Words) -> Cell | None:
    if judged is None or judged.speedup is None:
        return None
    return cell_gain(judged.verdict, format_ratio(judged.speedup, words), words)


TOLD = 3
"""Verdicts that a sentence tells of where another place has them all."""


def tell_releases(
    evidence: Evidence, words: Words, home: str = "", *, is_elsewhere: bool = False
) -> Markup:
    """Which verdicts depend on the Python, in a paragraph; nothing where only one was measured.

    Args:
        evidence: of one experiment.
        words: of the page's language.
        home: address of where all of them stand side by side, if that is another place.
        is_elsewhere: of another machine than the one shown, which is then named.
    """
    families = [one.name for one in evidence.experiment.families]
    careers = [one for name in families for one in list_careers(evidence, name)]
    clear = [one for one in careers if len(one.verdicts) > 1]
    if not clear:
        return Markup()
    names = name_oldest_first(evidence)
    used = [id_ for id_ in names if any(id_ in one.verdicts for one in clear)]
    differing = [one for one in clear if one.differs]
    told = words.markup(
        _name_text("differ" if differing else "agree", used),
        pythons=words.count("pythons", len(used)),
        first=names[used[0]],
        last=names[used[-1]],
        differ=words.number(len(differing), 0),
        all=words.count("clear_verdicts", len(clear)),
    )
    if is_elsewhere:
        told += f" ({name_machine(evidence.machine, words)})"
    listed = differing[:TOLD] if home else differing
    shown = join((_tell_career(evidence, one, list(names.items()), words) for one in listed), "; ")
    parts = [told + ": " + shown if shown else told]
    if home:
        key = "releases_more" if len(listed) < len(differing) else "releases_all"
        parts.append(Markup('<a href="{}">{}</a>').format(home, words.text(key)))
    return Markup('<p class="releases" data-search-exclude>{}.</p>').format(join(parts, ". "))


def _tell_career(
    evidence: Evidence, career: Career, names: Sequence[tuple[str, str]], words: Words
) -> Markup:
    """``12b (2 cores): ✔ recommended 3.9–3.13, ◐ works, costs more 3.6–3.8``."""
    verdicts = career.verdicts
    parts = [
        show_verdict(verdict, words)
        + " "
        + _write_runs([verdicts.get(id_) == verdict for id_, _ in names], [one for _, one in names])
        for verdict in dict.fromkeys(reversed(verdicts.values()))
    ]
    cores = words.count("cores_nominative", career.cores)
    title = title_program(evidence.experiment, career.program, words)
    return link_program(career.program, title) + f" ({cores}): " + join(parts, ", ")


def _write_runs(fits: Sequence[bool], names: Sequence[str]) -> str:
    """The names that fit; three or more neighbours as a range."""
    runs = []
    for fit, group in groupby(zip(fits, names, strict=True), key=lambda one: one[0]):
        own = [name for _, name in group]
        if fit:
            runs.append(f"{own[0]}–{own[-1]}" if len(own) > 2 else ", ".join(own))
    return ", ".join(runs)
