"""Otherwise: on which machines a claim has another answer than on the one shown."""

from typing import get_args

from markupsafe import Markup

from scripts.site.judge.margins import ClaimStatus
from scripts.site.judge.verification import CheckedClaim, Elsewhere
from scripts.site.render.facts import link_machine
from scripts.site.render.html import join
from scripts.site.render.signs import show_status
from scripts.site.render.words import Words

MOST = 6
"""Machines that are named for one answer: of more, their number says as much."""


def show_otherwise(checked: CheckedClaim, words: Words, folder: str) -> Markup:
    """A paragraph with the machines that answer otherwise, by their answer; nothing of none."""
    if not checked.elsewhere:
        return Markup()
    parts = []
    for status in get_args(ClaimStatus):
        found = [one for one in checked.elsewhere if one.check.status == status]
        if found:
            named = [_name(one, words, folder) for one in found[:MOST]]
            more = len(found) - len(named)
            named += [Markup.escape(words.count("more_machines", more))] if more else []
            parts.append(show_status(status, words) + " — " + join(named, ", "))
    return Markup('<p class="claim-elsewhere" data-search-exclude>{}: {}.</p>').format(
        words.text("otherwise"), join(parts, "; ")
    )


def _name(one: Elsewhere, words: Words, folder: str) -> Markup:
    cores = words.count("cores_nominative", one.check.cores)
    return link_machine(one.machine, words, folder) + f" ({cores}, {one.check.interpreter})"
