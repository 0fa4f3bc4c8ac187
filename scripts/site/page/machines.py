"""Machines: blocks that show several of them, as ``show`` offers them, and a page for each."""

import json
from collections.abc import Callable, Iterator
from functools import partial

from markupsafe import Markup

from scripts.site.judge.judge import Evidence
from scripts.site.judge.rows import choose_released, list_records
from scripts.site.page.context import gather_machines, here, list_machines, open_pipeline
from scripts.site.page.drawings import draw_once
from scripts.site.page.frame import (
    choose_words,
    fold,
    link_programs,
    list_figures,
    show_measured,
    sign_figures,
)
from scripts.site.page.sections import write_fence
from scripts.site.render import facts
from scripts.site.render.facts import show_machines, show_summary
from scripts.site.render.gains import MOST_PLACES, show_places
from scripts.site.render.html import block, fold_away
from scripts.site.render.releases import draw_releases, tell_releases
from scripts.site.render.signs import explain_signs
from scripts.site.render.words import Words

FOLDER = "machines"


def machines() -> Markup:
    """Every machine that there are records of."""
    shown = open_pipeline().machine.id
    content = show_machines(list_machines(), choose_words(), _locate_pages(), shown)
    return block(content, kind="machines")


def elsewhere(experiment: str, *, folded: bool = False) -> Markup:
    """What each program gains on every machine and Python, beside the authors' machines."""
    words, evidences = choose_words(), gather_machines(experiment)
    families = [one.name for one in evidences[0].experiment.families]
    prepared = {name: _prepare_releases(experiment, name) for name in families}
    charts = {name: draw_once(draw, one, words) for name, (one, draw) in prepared.items()}
    content = show_places(
        evidences,
        words,
        _locate_pages(),
        MOST_PLACES,
        {name: sign_figures(one, words) for name, one in charts.items() if list_figures(one)},
    )
    content = show_released(experiment) + content
    if len(evidences) == 1:
        content = Markup("<p>{}</p>").format(words.text("places_one")) + content
    shown = block(_close(content, experiment, words), kind="places")
    return fold(shown, "fold_elsewhere") if folded else shown


def releases(experiment: str, family: str) -> Markup:
    """What each program of a family gains on every Python, here or where there are several."""
    evidence, draw = _prepare_releases(experiment, family)
    return show_measured(evidence, draw, [family], everywhere=True)


def show_released(experiment: str, home: str = "") -> Markup:
    """Which verdicts depend on the Python, here or where there are several."""
    evidences = gather_machines(experiment)
    evidence = choose_released(evidences, [one.name for one in evidences[0].experiment.families])
    is_elsewhere = evidence is not evidences[0]
    return tell_releases(evidence, choose_words(), home, is_elsewhere=is_elsewhere)


def _prepare_releases(experiment: str, family: str) -> tuple[Evidence, Callable[..., Markup]]:
    evidences = gather_machines(experiment)
    evidence = choose_released(evidences, [family])
    is_elsewhere = evidence is not evidences[0]
    return evidence, partial(draw_releases, family=family, is_elsewhere=is_elsewhere)


def machine_facts(id_: str) -> Markup:
    """What a machine is, and how it was measured."""
    words, evidences = choose_words(), list_machines()[id_]
    pythons = {one.id: one for evidence in evidences for one in evidence.interpreters}
    content = show_summary(evidences, words)
    content += facts.show_machine(
        evidences[0].machine, tuple(pythons.values()), words, "known_caption"
    )
    return block(content, kind="machine")


def machine_verdicts(id_: str, experiment: str) -> Markup:
    """What the programs of an experiment gain in every place of a machine."""
    (evidence,) = (one for one in gather_machines(experiment) if one.machine.id == id_)
    words = choose_words()
    content = _close(show_places([evidence], words, _locate_pages()), experiment, words)
    return block(fold_away(words.text("machine_fold"), content), kind="places")


def write_machines(words: Words) -> Iterator[tuple[str, str]]:
    """Write a page for each machine: the name of its file, and its Markdown."""
    for id_, evidences in list_machines().items():
        if _can_be_file(id_):
            yield f"{FOLDER}/{id_}.md", write_machine(id_, evidences, words)


def write_machine(id_: str, evidences: list[Evidence], words: Words) -> str:
    """Write a machine's page; of what the machine says of itself only the id is in it."""
    description = words.text("machine_description", id=id_)
    parts = [
        f"---\ntitle: {json.dumps(id_)}\ndescription: {json.dumps(description)}\n---\n",
        f"# {id_} {{#top}}\n",
        f"{words.text('machine_lead')}\n",
        write_fence("machine-facts", f'machine_facts("{id_}")'),
    ]
    for evidence in evidences:
        experiment = evidence.experiment
        if not experiment.navigation or not list_records([evidence]):
            continue
        title = experiment.navigation.title[words.language]
        # Whoever searches for an experiment means its own page.
        marks = f"{{#{experiment.name} data-search-exclude=1}}"
        parts.append(f"## [{title}](../{experiment.name}.md) {marks}\n")
        call = f'machine_verdicts("{id_}", "{experiment.name}")'
        parts.append(write_fence(f"machine-{experiment.name}", call))
    return "\n".join(parts)


def _can_be_file(id_: str) -> bool:
    """Whether a file can be named so, and MkDocs does not take it for the page of the folder."""
    plain = id_.translate(str.maketrans("", "", ".+_-"))
    is_name = plain.isascii() and plain.isalnum() and id_[0].isalnum()
    return is_name and id_.lower() not in ("index", "readme")


def _close(content: Markup, experiment: str, words: Words) -> Markup:
    """A table of places with its links to programs, and what its signs mean."""
    content = link_programs(content, experiment)
    return content + explain_signs(content, words)


def _locate_pages() -> str:
    return f"{here().root}{here().language}/{FOLDER}/"
