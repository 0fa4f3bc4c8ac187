"""Releases: how the gain and the verdict of a program move from one Python to the next."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from markupsafe import Markup

from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Career, list_careers, order_releases
from scripts.site.judge.verdicts import GAIN_MARGIN
from scripts.site.render.chart import Chart, fold, make_prefix, show_key, show_nothing, show_sign
from scripts.site.render.curves import Curves, Panel
from scripts.site.render.estimates import format_ratio, tell_ratio
from scripts.site.render.facts import name_machine
from scripts.site.render.gains import name_pythons
from scripts.site.render.html import Cell, join, link_program, table
from scripts.site.render.names import name_family
from scripts.site.render.pen import Pen
from scripts.site.render.signs import cell_gain, show_verdict
from scripts.site.render.strokes import Line, Point
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
    lines = [_make_line(one, Pen(n), pythons, words) for n, one in enumerate(careers)]
    cores = words.count("cores", most)
    title = words.text("releases_title", family=name_family(evidence, family, words), cores=cores)
    if is_elsewhere:
        title += f" ({name_machine(evidence.machine, words)})"
    rows = [
        (link_program(one.program), *(_show_gain(one.cells.get(id_), words) for id_ in pythons))
        for one in careers
    ]
    head = [words.text("program"), *pythons.values()]
    ticks = {float(place): name for place, name in enumerate(pythons.values())}
    signs = [(show_key(one.pen, line=True), one.name) for one in lines]
    return Chart(
        prefix=make_prefix("releases", evidence.experiment.name, family),
        title=title,
        picture=Curves(panels=[Panel(lines)], words=words, is_log=True, is_ratio=True, ticks=ticks),
        signs=[*signs, (show_sign("band"), words.text("band"))],
        below=fold(table(words, title, head, rows, kind="sizes"), words),
        found=_tell_found(lines, pythons, cores, words),
    ).show()


def name_oldest_first(evidence: Evidence) -> dict[str, str]:
    """What its Pythons are called, by their ids."""
    names = name_pythons(evidence)
    return {one.id: names[one.id] for one in order_releases(evidence.interpreters)}


def _make_line(career: Career, pen: Pen, pythons: dict[str, str], words: Words) -> Line:
    points = [
        Point(place, gain, f"{career.program}, {name}: {tell_ratio(gain, words)}")
        for place, (id_, name) in enumerate(pythons.items())
        if id_ in career.cells and (gain := career.cells[id_].speedup)
    ]
    return Line(career.program, pen, points, career.program.partition("-")[0])


def _name_text(kind: str, ids: Iterable[str]) -> str:
    """The text of this kind in a catalogue: another where the GIL alone differs, of one build."""
    is_one_build = len({id_.removesuffix("-gil") for id_ in ids}) == 1
    return f"releases_gil_{kind}" if is_one_build else f"releases_{kind}"


def _tell_found(lines: Sequence[Line], pythons: Mapping[str, str], cores: str, words: Words) -> str:
    """The program whose gain differs most, surely by the gain margin; or that none does."""
    names = list(pythons.values())
    found = [[(one.value, int(one.x)) for one in line.points if one.value] for line in lines]
    spread = []
    for line, gains in zip(lines, found, strict=True):
        sure = [one for one in gains if one[0].is_sure and 0 < one[0].low < math.inf]
        most = max(sure, key=lambda one: one[0].low, default=None)
        least = min(sure, key=lambda one: one[0].high, default=None)
        if most and least:
            spread.append((most[0].low / least[0].high, line.name, most, least))
    unknown = (0.0, "", None, None)
    factor, program, most, least = max(spread, key=lambda one: one[0], default=unknown)
    is_level = all(
        max(gain.high for gain, _ in gains) < GAIN_MARGIN * min(gain.low for gain, _ in gains)
        for gains in found
    )
    told = words.text(_name_text("open", pythons), margin=words.percent(GAIN_MARGIN - 1))
    if most and least and factor >= GAIN_MARGIN:
        told = words.text(
            "releases_found",
            program=program,
            most=format_ratio(most[0], words)[0],
            most_on=names[most[1]],
            least=format_ratio(least[0], words)[0],
            least_on=names[least[1]],
        )
    elif is_level and all(gain.is_sure for gains in found for gain, _ in gains):
        told = words.text(_name_text("same", pythons), margin=words.percent(GAIN_MARGIN - 1))
    return words.text("found_on", found=told, cores=cores)


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
        all=words.number(len(clear), 0),
    )
    if is_elsewhere:
        told += f" ({name_machine(evidence.machine, words)})"
    listed = differing[:TOLD] if home else differing
    shown = join((_tell_career(one, list(names.items()), words) for one in listed), "; ")
    parts = [told + ": " + shown if shown else told]
    if home:
        key = "releases_more" if len(listed) < len(differing) else "releases_all"
        parts.append(Markup('<a href="{}">{}</a>').format(home, words.text(key)))
    return Markup('<p class="releases" data-search-exclude>{}.</p>').format(join(parts, ". "))


def _tell_career(career: Career, names: Sequence[tuple[str, str]], words: Words) -> Markup:
    """``12b (2 cores): ✔ recommended 3.9–3.13, ◐ works, costs more 3.6–3.8``."""
    verdicts = career.verdicts
    parts = [
        show_verdict(verdict, words)
        + " "
        + _write_runs([verdicts.get(id_) == verdict for id_, _ in names], [one for _, one in names])
        for verdict in dict.fromkeys(reversed(verdicts.values()))
    ]
    cores = words.count("cores_nominative", career.cores)
    return link_program(career.program) + f" ({cores}): " + join(parts, ", ")


def _write_runs(fits: Sequence[bool], names: Sequence[str]) -> str:
    """The names that fit; three or more neighbours as a range."""
    runs = []
    for fit, group in groupby(zip(fits, names, strict=True), key=lambda one: one[0]):
        own = [name for _, name in group]
        if fit:
            runs.append(f"{own[0]}–{own[-1]}" if len(own) > 2 else ", ".join(own))
    return ", ".join(runs)
