"""Badges: what became of a claim, in a picture that stands in others' pages."""

from collections.abc import Mapping

from markupsafe import Markup

from scripts.site.judge.verification import CheckedClaim, Standing, find_status
from scripts.site.render.html import render
from scripts.site.render.signs import ICONS
from scripts.site.render.words import Words

LETTER_PX, EDGES_PX = 7.2, 12
COLOURS: Mapping[Standing, str] = {"confirmed": "#1b6b3a", "refuted": "#a3261b"}
"""White letters are read on both; every other status is grey."""
OTHER = "#5d6670"


def draw_badge(checked: CheckedClaim, words: Words) -> Markup:
    """The id of a claim and its status where a reader meets it first."""
    status = find_status(checked.checks)
    told = f"{ICONS[status]} {words.term('claim_status', status)}"
    left, right = (round(len(text) * LETTER_PX + EDGES_PX) for text in (checked.claim.id, told))
    return render(
        "badge.svg",
        name=checked.claim.id,
        told=told,
        left=left,
        right=right,
        colour=COLOURS.get(status, OTHER),
    )
