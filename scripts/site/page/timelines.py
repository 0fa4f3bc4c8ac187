"""Timelines on the pages: which there are, the block of some, and their data."""

from pathlib import Path

import msgspec
from markupsafe import Markup

from scripts.harness.store import RecordsError
from scripts.harness.timeline import Timeline, list_timelines, read_timeline
from scripts.site.page.context import LOGGER, keep, open_pipeline, split_program
from scripts.site.page.frame import choose_words, locate_data
from scripts.site.render.html import block, slug
from scripts.site.render.names import title_program
from scripts.site.render.svg import find_colour
from scripts.site.render.timeline import Watched, show_timelines
from scripts.site.render.words import Words

DATA = "traces"
"""Of the published data, with the timelines."""


def timeline(*names: str) -> Markup:
    """Show who ran when in programs, ``matrix/01-io-sequential``, on one time axis.

    Nothing of those that nobody watched.
    """
    words, watched = choose_words(), list_watched()
    if not watched and open_pipeline().machine.system != "Linux":
        return block(words.text("timeline_system"), kind="timeline")
    found = [watched[key] for key in map(split_program, names) if key in watched]
    shown = [_describe(one, words) for one in found]
    return block(show_timelines(shown, words), kind="timeline") if shown else Markup()


def _describe(found: Timeline, words: Words) -> Watched:
    experiment = open_pipeline().experiments[found.experiment]
    return Watched(
        timeline=found,
        name=title_program(experiment, found.program, words),
        colour=find_colour(experiment.program(found.program).ways[-1]),
        data=f"{locate_data()}/{DATA}/{_name_data(found)}",
    )


@keep
def list_watched() -> dict[tuple[str, str], Timeline]:
    """List the timelines of the machine shown, by experiment and program; one that is damaged is told."""
    found, machine = {}, open_pipeline().machine.id
    for path in list_timelines(open_pipeline().settings.results, machine):
        try:
            one = read_timeline(path)
        except RecordsError as error:
            LOGGER.warning("A timeline is left out: %s", error)
            continue
        if one:
            found[one.experiment, one.program] = one
    return found


def write_traces(folder: Path) -> None:
    """Write every timeline as it was recorded."""
    for one in list_watched().values():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _name_data(one)).write_bytes(msgspec.json.encode(one))


def _name_data(found: Timeline) -> str:
    return f"{found.experiment}-{slug(found.program)}.json"
