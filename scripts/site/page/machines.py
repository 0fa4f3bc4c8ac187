"""Machines: blocks that show several of them, as ``show`` offers them."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from markupsafe import Markup

from scripts.site.judge.judge import Evidence
from scripts.site.judge.rows import choose_released
from scripts.site.page.context import gather_machines, here, list_machines, open_pipeline
from scripts.site.page.frame import choose_words, link_programs, show_measured
from scripts.site.render import facts
from scripts.site.render.gains import show_gains, show_places, show_speeds
from scripts.site.render.html import block, fold_away, join
from scripts.site.render.signs import explain_signs
from scripts.site.render.words import Words

PAGE = "machines/"


def machines() -> Markup:
    """Every machine that there are records of, and folded all that is known of those not shown."""
    found, words, shown = list_machines(), choose_words(), open_pipeline().machine.id
    content = facts.show_machines(found, words, shown)
    content += join(_show_known(found[id_], words) for id_ in found if id_ != shown)
    return block(content, kind="machines")


def _show_known(evidences: Sequence[Evidence], words: Words) -> Markup:
    machine = evidences[0].machine
    pythons = {one.id: one for evidence in evidences for one in evidence.interpreters}
    known = facts.show_machine(machine, tuple(pythons.values()), words, is_other=True)
    way = here().lead("explore/") + "?experiment=*&machine=" + machine.id
    link = Markup('<p class="explore-link"><a href="{}">{}</a></p>')
    return fold_away(machine.id, known + link.format(way, words.text("explore_machine")))


def elsewhere(experiment: str, families: Sequence[str] = (), *, folded: bool = False) -> Markup:
    """What each program gains on every machine and Python, each in its own place."""
    words, evidences = choose_words(), gather_machines(experiment)
    content = show_places(evidences, words, here().lead(PAGE), families)
    if len(evidences) == 1:
        content = Markup("<p>{}</p>").format(words.text("places_one")) + content
    content = link_programs(content, experiment)
    shown = block(content + explain_signs(content, words, here().lead("method/")), kind="places")
    return fold_away(words.text("fold_elsewhere"), shown) if folded else shown


def releases(experiment: str, *families: str, of: Literal["gains", "speeds"] = "gains") -> Markup:
    """What threads gain on each release, or how fast one is, here or where most ran.

    Without ``families`` it is of all.
    """
    evidences = gather_machines(experiment)
    chosen = families or tuple(one.name for one in evidences[0].experiment.families)
    evidence = choose_released(evidences, chosen)
    draw = partial(show_speeds if of == "speeds" else show_gains, families=chosen)
    return show_measured(evidence, draw, chosen, everywhere=True)
