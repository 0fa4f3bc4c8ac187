"""Timelines on the pages: which there are, the files of their pictures, and the block of one."""

import json
from pathlib import Path

from markupsafe import Markup

from scripts.harness.store import RecordsError
from scripts.harness.timeline import Timeline, list_timelines, read_timeline
from scripts.site.page.context import LOGGER, here, keep, open_pipeline
from scripts.site.page.frame import choose_words, locate_data
from scripts.site.render.html import block, slug
from scripts.site.render.names import title_program
from scripts.site.render.timeline import draw_timeline, make_events, name_picture, show_timeline
from scripts.site.render.words import Words, load_words

FOLDER = "timelines"
"""Of a language, with the pictures."""
DATA = "traces"
"""Of the published data, with the same for other tools."""


def timeline(name: str, *, is_open: bool = False) -> Markup:
    """Who ran when in a program, ``matrix/01-io-sequential``; nothing if nobody watched it.

    It is folded away unless it ``is_open``.
    """
    experiment, _, program = name.removesuffix(".py").partition("/")
    words, found = choose_words(), list_watched().get((experiment, program))
    if found is None:
        if open_pipeline().machine.system == "Linux":
            return Markup()
        return block(words.text("timeline_system"), kind="timeline")
    place = here()
    picture = f"{place.root}{place.language}/{FOLDER}/{name_picture(found)}"
    data = f"{locate_data()}/{DATA}/{_name_data(found)}"
    shown = show_timeline(found, _name(found, words), words, picture, data, is_open=is_open)
    return block(shown, kind="timeline")


def list_watched() -> dict[tuple[str, str], Timeline]:
    """The timelines of the machine shown, by experiment and program; one that is damaged is told."""
    return _list_watched(open_pipeline().settings.results, open_pipeline().machine.id)


@keep
def _list_watched(results: Path, machine: str) -> dict[tuple[str, str], Timeline]:
    found = {}
    for path in list_timelines(results, machine):
        try:
            one = read_timeline(path)
        except RecordsError as error:
            LOGGER.warning("A timeline is left out: %s", error)
            continue
        if one and one.machine == machine:
            found[one.experiment, one.program] = one
    return found


@keep
def draw_pictures(language: str) -> dict[str, str]:
    """Draw the picture of each timeline, by the name of its file."""
    words = load_words(language)
    return {
        name_picture(one): draw_timeline(one, _name(one, words), words)
        for one in list_watched().values()
    }


def _name(found: Timeline, words: Words) -> str:
    """What people call the program of a timeline; its file if that is no longer declared."""
    experiment = open_pipeline().experiments.get(found.experiment)
    return title_program(experiment, found.program, words) if experiment else found.program


def write_traces(folder: Path) -> None:
    """Every timeline in the Trace Event format, which Perfetto opens."""
    for one in list_watched().values():
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(make_events(one), separators=(",", ":"), allow_nan=False)
        (folder / _name_data(one)).write_text(text, encoding="utf-8")


def _name_data(found: Timeline) -> str:
    return f"{found.experiment}-{slug(found.program)}.json"
