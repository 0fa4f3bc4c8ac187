"""Lists of claims: one under another or the sentences alone, how many hold, a form to choose among them."""

from collections.abc import Mapping, Sequence
from typing import get_args

from markupsafe import Markup

from scripts.judge.findings import ClaimStatus
from scripts.judge.selection import rank_interpreter
from scripts.judge.verification import CheckedClaim, choose_check, find_status
from scripts.render.claims import (
    claim_anchor,
    fill_sentence,
    show_claim,
)
from scripts.render.html import cell, join, render, row_header, slug, small, strong, table
from scripts.render.signs import show_status
from scripts.render.words import Words


def show_claims(
    claims: Sequence[CheckedClaim], data: str, words: Words, homes: Mapping[str, str]
) -> Markup:
    """Claims one under another; ``homes`` are pages elsewhere on which their experiments are."""
    shown = join(
        show_claim(checked, data, words, home=homes.get(checked.experiment, ""))
        for checked in claims
    )
    if homes:  # there the search leads
        return Markup('<div class="claims-list" data-search-exclude>{}</div>').format(shown)
    return Markup('<div class="claims-list">{}</div>').format(shown)


def show_findings(claims: Sequence[CheckedClaim], words: Words, home: str = "") -> Markup:
    """The sentences of claims that stand in full at ``home`` or on the same page, with a status."""
    items = join(_show_finding(checked, words, home) for checked in claims)
    return Markup('<ul class="findings" data-search-exclude>{}</ul>').format(items)


def _show_finding(checked: CheckedClaim, words: Words, home: str) -> Markup:
    main = choose_check(checked.checks)
    return Markup(
        '<li>{} {}\N{NO-BREAK SPACE}<a class="claim-anchor" href="{}#{}">{}</a></li>'
    ).format(
        show_status(find_status(checked.checks), words),
        fill_sentence(checked.claim, main, words),
        home,
        claim_anchor(checked.claim),
        words.text("claim_more"),
    )


def show_bar(claims: Sequence[CheckedClaim], words: Words) -> Markup:
    """How many claims have which status, as one bar; each counts as a reader meets it first."""
    statuses = [find_status(checked.checks) for checked in claims]
    counts = {one: statuses.count(one) for one in get_args(ClaimStatus) if one in statuses}
    parts = join(
        Markup('<span class="claim-{}" style="flex-grow:{}"></span>').format(slug(status), count)
        for status, count in counts.items()
    )
    legend = join(
        Markup("<li>{} {}</li>").format(show_status(status, words), strong(words.number(count, 0)))
        for status, count in counts.items()
    )
    bar = Markup(
        '<div class="totals-bar" aria-hidden="true">{}</div><ul class="totals-legend">{}</ul>'
    )
    return bar.format(parts, legend)


def show_filters(claims: Sequence[CheckedClaim], words: Words) -> Markup:
    """A form that the page's script brings to life; hidden until then: all claims are shown."""
    every = [check for checked in claims for check in checked.checks]
    interpreters = sorted({check.interpreter for check in every}, key=rank_interpreter)
    choices: dict[str, dict[str, str]] = {
        "source": {one.claim.source: words.term("source", one.claim.source) for one in claims},
        "topic": {one.claim.topic: words.term("topics", one.claim.topic) for one in claims},
        "status": {status: words.term("claim_status", status) for status in get_args(ClaimStatus)},
        "machine": {check.machine: check.machine for check in every},
        "interpreter": {name: name for name in interpreters},
    }
    return render(
        "filter.html",
        words=words,
        kind="claims-filter",
        count="claims_count",
        group="filter",
        choices=choices,
    )


def show_totals(claims: Sequence[CheckedClaim], words: Words) -> Markup:
    """How many claims have which status: a row per core count, interpreter and machine, folded.

    The most cores come first, and on as many the oldest version.
    """
    every = [check for checked in claims for check in checked.checks]
    places: dict[tuple[int, str, str], list[ClaimStatus]] = {}
    for check in sorted(
        every, key=lambda check: (-check.cores, rank_interpreter(check.interpreter))
    ):
        place = (check.cores, check.interpreter, check.machine)
        places.setdefault(place, []).append(check.status)
    rows = [
        row_header(
            Markup.escape(words.count("cores_nominative", cores))
            + small(f"{interpreter}, {machine}")
        )
        + join(cell(words.number(statuses.count(status), 0)) for status in get_args(ClaimStatus))
        for (cores, interpreter, machine), statuses in places.items()
    ]
    head = [words.text("where_measured")]
    head += [words.term("claim_status", status) for status in get_args(ClaimStatus)]
    shown = table(words, words.text("totals_caption"), head, rows, kind="totals")
    return Markup(
        '<details class="claim-details" data-search-exclude><summary>{}</summary>{}</details>'
    ).format(words.text("totals_caption"), shown)
