"""Releases: what threads gain on each, and how fast one thread is, with the GIL and without."""

from collections.abc import Callable, Sequence

from markupsafe import Markup

from scripts.harness.statistics import Estimate, estimate_ratio
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.releases import (
    STEP_MARGIN,
    Track,
    find_steps,
    list_tracks,
    list_versions,
)
from scripts.site.render.estimates import format_ratio, tell_ratio
from scripts.site.render.facts import name_machine
from scripts.site.render.html import Cell, cell, table
from scripts.site.render.names import link_title
from scripts.site.render.plot import show_note, show_nothing
from scripts.site.render.words import Words

Compare = Callable[[Track, Judgement], Estimate | None]
MOST_STEPS = 20
"""More changes than these are not all named, only the largest."""


def show_gains(
    evidence: Evidence, words: Words, families: Sequence[str], *, is_elsewhere: bool = False
) -> Markup:
    """Show how many times as fast as its baseline a program was on each release.

    ``is_elsewhere``: on another machine than the one shown, which is then named.
    """
    tracks = list_tracks(evidence, families)
    chosen = _choose_widest([one for one in tracks if any(map(_find_gain, one.cells.values()))])
    caption = _name_table("releases_gain", evidence, words, is_elsewhere=is_elsewhere)
    return _show_table(evidence, chosen, lambda _, row: _find_gain(row), caption, words)


def show_speeds(
    evidence: Evidence, words: Words, families: Sequence[str], *, is_elsewhere: bool = False
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

    caption = _name_table("releases_speed", evidence, words, is_elsewhere=is_elsewhere)
    return _show_table(evidence, tracks, compare, caption, words)


def show_steps(
    evidence: Evidence, words: Words, families: Sequence[str], *, is_elsewhere: bool = False
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
    caption = _name_table(
        "releases_steps", evidence, words, is_elsewhere=is_elsewhere, margin=margin
    )
    rows = [
        (
            link_title(evidence, step.track.program, words),
            words.plain(step.track.workers),
            words.term("where", f"gil {step.track.gil}"),
            step.before,
            step.after,
            _show_ratio(step.speed, words, is_told=True),
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


def _name_table(
    key: str, evidence: Evidence, words: Words, *, is_elsewhere: bool, **places: str
) -> str:
    name = f" ({name_machine(evidence.machine, words)})" if is_elsewhere else ""
    return words.text(key, **places) + name


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


def _show_ratio(ratio: Estimate, words: Words, *, is_told: bool = False) -> Cell:
    """Show a ratio, shaded where it surely is a gain or a loss; its interval to hover, or ``is_told``."""
    kind = "number gain"
    if ratio.is_sure and ratio.low >= STEP_MARGIN:
        kind += " better"
    elif ratio.is_sure and ratio.high <= 1 / STEP_MARGIN:
        kind += " worse"
    shown = tell_ratio(ratio, words)
    if is_told:
        return cell(shown, kind=kind)
    return Cell('<td class="{}" title="{}">{}</td>').format(
        kind, shown, format_ratio(ratio, words)[0]
    )
