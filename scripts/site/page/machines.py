"""Machines: blocks that show several of them, as ``show`` offers them, and a page for each."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Literal

from markupsafe import Markup

from scripts.site.judge.judge import Evidence
from scripts.site.judge.releases import choose_released
from scripts.site.judge.rows import list_records
from scripts.site.page.context import gather_machines, here, list_machines, open_pipeline
from scripts.site.page.frame import choose_words, link_programs, show_measured
from scripts.site.page.sections import write_fence
from scripts.site.render import facts
from scripts.site.render.facts import show_machines, show_summary
from scripts.site.render.gains import MOST_PLACES, show_gains, show_places, show_speeds, show_steps
from scripts.site.render.html import block, fold_away
from scripts.site.render.signs import explain_signs
from scripts.site.render.words import Words

FOLDER = "machines"


def machines() -> Markup:
    """Every machine that there are records of."""
    shown = open_pipeline().machine.id
    content = show_machines(list_machines(), choose_words(), here().lead(f"{FOLDER}/"), shown)
    return block(content, kind="machines")


def elsewhere(experiment: str, *, folded: bool = False) -> Markup:
    """What each program gains on every machine and Python, each in its own place."""
    words, evidences = choose_words(), gather_machines(experiment)
    content = show_places(evidences, words, here().lead(f"{FOLDER}/"), MOST_PLACES)
    if len(evidences) == 1:
        content = Markup("<p>{}</p>").format(words.text("places_one")) + content
    shown = block(_close(content, experiment, words), kind="places")
    return fold_away(words.text("fold_elsewhere"), shown) if folded else shown


Told = Literal["gains", "speeds", "steps"]
_SHOWN: Mapping[Told, Callable[..., Markup]] = {
    "gains": show_gains,
    "speeds": show_speeds,
    "steps": show_steps,
}


def releases(experiment: str, *families: str, of: Told = "gains") -> Markup:
    """What threads gain on each release, how fast one is, or what changed, here or where most ran.

    Without ``families`` it is of all.
    """
    evidences = gather_machines(experiment)
    chosen = families or tuple(one.name for one in evidences[0].experiment.families)
    evidence = choose_released(evidences, chosen)
    is_here = evidence is evidences[0]
    place = "" if is_here else f" ({facts.name_machine(evidence.machine, choose_words())})"
    draw = partial(_SHOWN[of], families=chosen, place=place)
    return show_measured(evidence, draw, chosen, everywhere=True)


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
    content = show_places([evidence], words, here().lead(f"{FOLDER}/"))
    content = _close(content, experiment, words)
    return block(fold_away(words.text("machine_fold"), content), kind="places")


def write_machines(words: Words) -> Iterator[tuple[str, str]]:
    """Write a page for each machine: the name of its file, and its Markdown."""
    for id_, evidences in list_machines().items():
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


def _close(content: Markup, experiment: str, words: Words) -> Markup:
    """A table of places with its links to programs, and what its signs mean."""
    content = link_programs(content, experiment)
    return content + explain_signs(content, words)
