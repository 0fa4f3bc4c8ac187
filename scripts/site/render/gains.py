"""Gains: what each program gains on each Python, core count and machine, side by side.

Times of two places are never divided: each program is held against the baseline of its family in
the same place.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from markupsafe import Markup

from scripts.harness.declaration import Reason
from scripts.harness.experiment import Family, Program
from scripts.harness.pythons import order_interpreters
from scripts.harness.statistics import Estimate, estimate_ratio
from scripts.site.declare.originals import Original, find_time, read_figure
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.releases import STEP_MARGIN, Track, find_steps, list_tracks, list_versions
from scripts.site.judge.rows import Place, Rows, list_places, list_records
from scripts.site.render import originals
from scripts.site.render.estimates import (
    format_estimate,
    format_parts,
    format_ratio,
)
from scripts.site.render.facts import link_machine
from scripts.site.render.html import Cell, Row, cell, code, join, render, small, table
from scripts.site.render.names import link_title, name_family, tell_sizes
from scripts.site.render.plot import show_note, show_nothing
from scripts.site.render.signs import cell_gain, show_signs
from scripts.site.render.words import Words

MOST_PLACES = 16
"""The most places that one table shows, eight Pythons in two: of more nobody keeps the overview."""


def show_gain(row: Judgement, words: Words, *, kind: str = "", told: bool = True) -> Cell:
    """Show how many times as fast as the baseline a program was, with its verdict.

    ``told`` adds the seconds: to hover, and below the baseline and what has none.
    """
    time = _find_time(row)
    median = format_parts(time, "wall_s", words)[0] if told else ""
    if row.speedup is None:
        return cell(Markup("—") + small(median), kind=f"number {kind}".strip())
    is_baseline = row.baseline is row.record
    return cell_gain(
        None if is_baseline else row.verdict,
        ("×1", median) if is_baseline else format_ratio(row.speedup, words),
        words,
        kind=kind,
        time=format_estimate(time, "wall_s", words) if told else "",
    )


def _find_time(row: Judgement) -> Estimate:
    time = row.estimate(row.time) or row.wall
    assert time, "only what was measured is shown"
    return time


# --- the Pythons of one machine ---


def name_pythons(evidence: Evidence) -> dict[str, str]:
    """Name the Pythons of a build beside each other, newest first, by their ids."""
    ordered = order_interpreters(evidence.interpreters)
    short = [one.name for one in ordered]
    return {
        one.id: one.name if short.count(one.name) == 1 else one.id.removeprefix("cpython-")
        for one in ordered
    }


def order_pythons(evidence: Evidence, among: Collection[str]) -> list[str]:
    """Order the ids of Pythons as they stand beside each other, but this build's first goes first."""
    names = list(name_pythons(evidence))
    first = next((one.id for one in evidence.interpreters if one.id in among), None)
    return sorted(among, key=lambda id_: (id_ != first, names.index(id_)))


def tell_builds(evidence: Evidence, shown: Rows, words: Words) -> Markup:
    """Tell which Pythons of the rows are optimised builds, where not all of them are."""
    groups: dict[bool, list[str]] = {True: [], False: []}
    for one in order_interpreters(evidence.interpreters):
        if one.id in shown.values("interpreter"):
            groups[bool(one.pgo and one.lto)].append(name_pythons(evidence)[one.id])
    if not all(groups.values()):
        return Markup()
    optimised, others = (", ".join(groups[one]) for one in (True, False))
    return show_note(words.text("builds_differ", optimised=optimised, others=others))


def compare_pythons(evidence: Evidence, shown: Rows, words: Words) -> Markup:
    """Show a table per core count, the most first: a column for each Python.

    ``shown`` of the evidence has each program in one size.
    """
    names = name_pythons(evidence)
    titles = {one.id: one.title for one in evidence.interpreters}
    heads: list[str | tuple[str, str]] = [words.text("program")]
    heads += [(name, titles[id_]) for id_, name in names.items()]
    parts = []
    for count in reversed(shown.values("cores")):
        arena, cores = shown.where(cores=count), words.count("cores", count)
        caption, groups = (
            words.text("pythons_caption", cores=cores),
            _list_groups(evidence, arena, words),
        )
        gains = table(words, caption, heads, groups, kind="pythons")
        parts.append(
            Markup('<div class="side-by-side">{}{}{}</div>').format(
                gains, tell_builds(evidence, arena, words), show_signs(words)
            )
        )
    return join(parts)


def fold_pythons(evidence: Evidence, parts: Mapping[str, Markup], words: Words) -> Markup:
    """Fold parts by the interpreter's id, of which the reader chooses one; this build's is first."""
    names = name_pythons(evidence)
    titles = {one.id: one.title for one in evidence.interpreters}
    folded = [(names[id_], titles[id_], parts[id_]) for id_ in order_pythons(evidence, parts)]
    return render("pythons.html", words=words, folded=folded)


def _list_groups(evidence: Evidence, arena: Rows, words: Words) -> dict[str, list[Row]]:
    """List the rows of each family; a program that runs on none of the Pythons says why."""
    groups = {}
    for family in evidence.experiment.families:
        members = arena.where(family=family.name)
        rows: list[Row] = []
        for program in evidence.experiment.programs if members else ():
            if family.name in program.families:
                rows += _list_rows(evidence, program, family, members, words)
        if rows:
            groups[name_family(evidence, family.name, words)] = rows
    return groups


def _list_rows(
    evidence: Evidence,
    program: Program,
    family: Family,
    members: Rows,
    words: Words,
) -> Iterator[Row]:
    """List a row for each start method and number of workers of a program."""
    own = members.where(program=program.name)
    sizes = own.pivot(["start_method", "workers"], ["interpreter"])
    for cells in sizes.values() or [{}]:
        details = [tell_sizes(one, own, words) for one in cells.values()]
        header = link_title(evidence, program.name, words, details[0] if details else ())
        yield (header, *_list_cells(evidence, program, family, cells, words))


def _list_cells(
    evidence: Evidence,
    program: Program,
    family: Family,
    cells: Mapping[str, Judgement],
    words: Words,
) -> Iterator[Cell]:
    """List a cell for each Python; neighbours that lack it for the same reason say so once."""

    def tell(id_: str) -> Markup | None:
        row = cells.get(id_)
        if row and row.wall:
            return None
        if row:
            return tell_absence(row, words)
        obstacle = evidence.find_obstacle(program.name, id_, family.name)
        return Markup.escape(words.reason(obstacle or Reason("not-measured")))

    for absence, run in groupby(name_pythons(evidence), key=tell):
        if absence is None:
            yield from (show_gain(cells[id_], words) for id_ in run)
        else:
            yield Cell('<td class="absent" colspan="{}">{}</td>').format(len(list(run)), absence)


def tell_absence(row: Judgement, words: Words) -> Markup:
    """Tell why a row has nothing to show; that a program has failed before why."""
    why = Markup.escape(words.reason(row.record.reason or Reason("not-measured")))
    if row.record.status == "unavailable":
        return why
    failed = Markup('<strong class="status-{}">{}</strong>: {}')
    return failed.format(row.record.status, words.term("status", row.record.status), why)


# --- all machines, beside those of the authors ---


def show_places(
    evidences: Sequence[Evidence],
    words: Words,
    folder: str,
    limit: int | None = None,
) -> Markup:
    """Show a table for each family: a column for each Python of each machine on so many cores.

    The evidences are of one experiment, one of each machine, the one shown first; ``folder`` is the
    address of the machines' pages, ``limit`` how many places to show.
    """
    shown, left, pythons = Markup(), 0, dict[str, None]()
    for family in evidences[0].experiment.families:
        places, more = list_places(evidences, family.name, limit)
        if places and len({name for place in places for name in place.cells}) > 1:
            shown += _show_family(family, places, evidences[0], words, folder)
            left = max(left, more)
            pythons |= dict.fromkeys(place.interpreter.name for place in places)
    if not shown:
        return Markup("<p>{}</p>").format(words.text("places_nothing"))
    notes = Markup("<p>{}</p>").format(words.count("places_left", left)) if left else Markup()
    form = render("places-form.html", words=words, pythons=pythons) if len(pythons) > 1 else ""
    return form + shown + show_signs(words) + notes + _list_sources(evidences, words, folder)


def _show_family(
    family: Family, places: Sequence[Place], evidence: Evidence, words: Words, folder: str
) -> Markup:
    """Show the table of a family; ``evidence`` is that of the machine shown."""
    authors = _list_originals(evidence, family)
    over, firsts = [(Markup(), 1)], set[int]()
    for _, group in groupby(
        enumerate(places), lambda one: (one[1].evidence.machine.id, one[1].cores)
    ):
        own = list(group)
        number, place = own[0]
        machine = link_machine(place.evidence.machine, words, folder)
        over.append((machine + small(words.count("cores_nominative", place.cores)), len(own)))
        firsts.add(number)
    over += [(_name_original(rows, words), 1) for rows in authors]
    heads = [words.text("program"), *(one.interpreter.name for one in places)]
    heads += [next(iter(rows.values())).get("python") or "—" for rows in authors]
    rows = []
    for program in evidence.experiment.programs:
        name = program.name
        if family.name not in program.families or all(name not in one.cells for one in places):
            continue
        cells = [
            _show_place(one.cells.get(name), words, kind="first" * (number in firsts))
            for number, one in enumerate(places)
        ]
        cells += [_show_original(name, figures, family, words) for figures in authors]
        rows.append((link_title(evidence, name, words), *cells))
    caption = words.text("places_caption", family=words.choose(family.title))
    return table(words, caption, heads, rows, kind="places", over=over)


def _show_place(row: Judgement | None, words: Words, kind: str) -> Cell:
    if row and row.wall:
        return show_gain(row, words, kind=kind, told=False)
    told = words.term("status", row.record.status) if row else None
    return cell(told, kind=f"number {kind}".strip())


def _list_originals(evidence: Evidence, family: Family) -> list[Mapping[str, Original]]:
    """List the authors' machines that ran the family's baseline: of each its rows by program.

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


def _list_sources(evidences: Iterable[Evidence], words: Words, folder: str) -> Markup:
    """List where each machine's numbers are from: profile, date, whether they are still valid."""
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


# The releases of Python on one machine: what threads gain on each, and how fast one is.

Compare = Callable[[Track, Judgement], Estimate | None]
MOST_STEPS = 20
"""More changes than these are not all named, only the largest."""


def show_gains(
    evidence: Evidence, words: Words, families: Sequence[str], *, place: str = ""
) -> Markup:
    """Show how many times as fast as its baseline a program was on each release.

    ``place`` follows the caption: the machine, if it is not the one shown.
    """
    tracks = list_tracks(evidence, families)
    chosen = _choose_widest([one for one in tracks if any(map(_find_gain, one.cells.values()))])
    caption = words.text("releases_gain") + place
    return _show_table(evidence, chosen, lambda _, row: _find_gain(row), caption, words)


def show_speeds(
    evidence: Evidence, words: Words, families: Sequence[str], *, place: str = ""
) -> Markup:
    """Show how many times as fast as on the oldest release with the GIL one thread was."""
    tracks = [one for one in list_tracks(evidence, families) if one.workers == 1]
    oldest = {
        (one.family, one.program): next(iter(one.cells.values()), None)
        for one in tracks
        if one.gil == "on"
    }

    def compare(track: Track, row: Judgement) -> Estimate | None:
        base = oldest.get((track.family, track.program))
        return estimate_ratio(base.sample(base.time), row.sample(row.time)) if base else None

    caption = words.text("releases_speed") + place
    return _show_table(evidence, tracks, compare, caption, words)


def show_steps(
    evidence: Evidence, words: Words, families: Sequence[str], *, place: str = ""
) -> Markup:
    """Show what surely became faster or slower from one release to the next, the largest first."""
    tracks = list_tracks(evidence, families)
    if len(list_versions(tracks)) < 2:
        return show_nothing(words)
    steps = list(find_steps(tracks))
    margin = words.percent(STEP_MARGIN - 1)
    if not steps:
        return show_note(words.text("releases_same", margin=margin))
    steps.sort(key=lambda one: min(one.speed.median, 1 / one.speed.median))
    heads = words.texts(
        "program", "releases_threads", "gil_on", "releases_from", "releases_to", "releases_times"
    )
    caption = words.text("releases_steps", margin=margin) + place
    rows = [
        (
            link_title(evidence, step.track.program, words),
            words.plain(step.track.workers),
            words.term("where", f"gil {step.track.gil}"),
            step.before,
            step.after,
            _show_ratio(step.speed, words),
        )
        for step in steps[:MOST_STEPS]
    ]
    return table(words, caption, heads, rows, kind="sizes")


def _choose_widest(tracks: Sequence[Track]) -> list[Track]:
    """Choose of each program the tracks with most workers, but not what all are compared with."""
    most: dict[tuple[str, str], int] = {}
    for one in tracks:
        key = one.family, one.program
        most[key] = max(most.get(key, 0), one.workers)
    return [one for one in tracks if one.workers == most[one.family, one.program]]


def _find_gain(row: Judgement) -> Estimate | None:
    """The gain over the baseline; none of the baseline itself."""
    return None if row.baseline is row.record else row.speedup


def _show_table(
    evidence: Evidence, tracks: Sequence[Track], compare: Compare, caption: str, words: Words
) -> Markup:
    """Show a row for each program, and for each version a column with the GIL and one without."""
    versions = list_versions(tracks)
    if not versions:
        return show_nothing(words)
    columns = [
        (version, gil)
        for version in versions
        for gil in ("on", "off")
        if any(one.gil == gil and version in one.cells for one in tracks)
    ]
    programs: dict[tuple[str, str], dict[str, Track]] = {}
    for one in tracks:
        programs.setdefault((one.family, one.program), {})[one.gil] = one
    rows = []
    for own in programs.values():
        cells = []
        for version, gil in columns:
            row = own[gil].cells.get(version)
            ratio = compare(own[gil], row) if row else None
            cells.append(_show_ratio(ratio, words) if ratio else cell(None))
        rows.append((link_title(evidence, own["on"].program, words), *cells))
    over = [(one, sum(version == one for version, _ in columns)) for one in versions]
    heads = [words.text("program"), *(words.text(f"gil_{gil}") for _, gil in columns)]
    return table(words, caption, heads, rows, kind="releases", over=[("", 1), *over])


def _show_ratio(ratio: Estimate, words: Words) -> Cell:
    """Show a ratio, shaded where it surely is a gain or a loss."""
    kind = ""
    if ratio.is_sure and ratio.low >= STEP_MARGIN:
        kind = "better"
    elif ratio.is_sure and ratio.high <= 1 / STEP_MARGIN:
        kind = "worse"
    return cell_gain(None, format_ratio(ratio, words), words, kind=kind)
