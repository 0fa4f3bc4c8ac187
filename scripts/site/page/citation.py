"""Citations: what others may quote of a claim or a chart, with its machine, its day and its address."""

import os

from markupsafe import Markup

from scripts.site.judge.claims import CheckedClaim, choose_check
from scripts.site.judge.rows import list_records
from scripts.site.page.context import gather, here
from scripts.site.render.claims import Summary
from scripts.site.render.facts import name_machine
from scripts.site.render.html import render
from scripts.site.render.words import Words


def cite(told: str, anchor: str, words: Words) -> Markup:
    """What was found, the site, and the address: a whole one where that of the site is known."""
    place, root = here(), os.environ.get("SITE_URL", "").rstrip("/")
    path = f"{place.language}/{place.url.removeprefix('./')}#{anchor}"
    address = f"{root}/{path}" if root else path
    return render("cite.html", words=words, told=told, anchor=anchor, address=address)


def cite_claim(checked: CheckedClaim, words: Words) -> Markup:
    """A claim as it came out on the machine shown; nothing where it could not be tried there."""
    main = choose_check(checked.checks)
    if main is None or main.status == "not applicable":
        return Markup()
    evidence = gather(checked.experiment)
    moments = (
        record.measured_at
        for record in list_records([evidence])
        if record.variant.interpreter == main.interpreter
    )
    told = words.text(
        "cite_claim",
        sentence=Summary(checked, words).sentence.striptags(),
        status=words.term("claim_status", main.status),
        machine=name_machine(evidence.machine, words),
        cores=words.count("cores_nominative", main.cores),
        python=main.interpreter,
        date=words.date(max(moments)),
    )
    return cite(told, Summary(checked, words).anchor, words)
