"""Lists of claims: one under another or the sentences alone, how many hold, a form to choose among them.

And what a source's own marks say of its programs, with our verdicts beside them.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import get_args

from markupsafe import Markup

from scripts.harness.pythons import rank_interpreter
from scripts.site.declare.claims import MARKS, UNSETTLED, Claim
from scripts.site.judge.margins import ClaimStatus
from scripts.site.judge.verification import STANDINGS, CheckedClaim, choose_check, find_status
from scripts.site.render.claims import claim_anchor, fill_sentence, show_claim
from scripts.site.render.conditions import format_origin, format_scope
from scripts.site.render.html import (
    cell,
    fold_away,
    join,
    link_program,
    prose,
    render,
    slug,
    small,
    strong,
    table,
)
from scripts.site.render.signs import name_status, show_status, show_verdict
from scripts.site.render.words import Words, capitalise

MOST = 12
"""Places in the table of totals; the published data has all."""


def show_claims(claims: Sequence[CheckedClaim], data: str, words: Words) -> Markup:
    """Claims one under another, each whole; ``data`` is the way to the published data."""
    shown = join(show_claim(checked, data, words) for checked in claims)
    return Markup('<div class="claims-list">{}</div>').format(shown)


def list_claims(claims: Sequence[CheckedClaim], words: Words, homes: Mapping[str, str]) -> Markup:
    """A row for each claim, which leads to where it stands whole: there the search leads too.

    A row is as short however many Pythons and machines have tried it. ``homes`` are the pages of
    the claims' experiments.
    """
    rows = join(_show_row(checked, words, homes[checked.experiment]) for checked in claims)
    return Markup('<ul class="claims-list" data-search-exclude>{}</ul>').format(rows)


def _show_row(checked: CheckedClaim, words: Words, home: str) -> Markup:
    claim, status = checked.claim, find_status(checked.checks)
    checks = dict.fromkeys((one.status, one.interpreter) for one in checked.checks)
    told = [capitalise(format_origin(claim, words)), *_tell_otherwise(checked, words)]
    return render(
        "claim_row.html",
        words=words,
        claim=claim,
        anchor=claim_anchor(claim),
        kind=slug(status),
        checks=json.dumps(list(checks) or [(status, "")], separators=(",", ":")),
        status=name_status(status, words),
        sentence=_plain(fill_sentence(claim, choose_check(checked.checks), words)),
        told=" · ".join(told),
        home=home,
    )


def _plain(sentence: Markup) -> Markup:
    """A sentence without what makes its numbers bold: of hundreds in a list each weighs."""
    return sentence.replace(Markup("<strong>"), "").replace(Markup("</strong>"), "")


def _tell_otherwise(checked: CheckedClaim, words: Words) -> Iterator[str]:
    """In plain words where else the answer is another: on fewer cores, Pythons, other machines."""
    main = choose_check(checked.checks)
    if main is None:
        return
    same = (main.status, "not applicable")
    own = [one for one in checked.checks if one.status not in same]
    for one in own:
        if one.interpreter == main.interpreter:
            cores = words.count("cores_nominative", one.cores)
            yield f"{cores}: {words.term('claim_status', one.status)}"
    others = [one.status for one in own if one.interpreter != main.interpreter]
    away = [one.check.status for one in checked.elsewhere]
    for where, statuses in (("pythons_others", others), ("otherwise", away)):
        counts = ", ".join(
            f"{words.term('claim_status', status)} {count}"
            for status, count in Counter(statuses).items()
        )
        if counts:
            yield f"{words.text(where)}: {counts}"


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
    counts = {one: statuses.count(one) for one in STANDINGS if one in statuses}
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
        "status": {
            one: words.term("claim_status", one)
            for one in STANDINGS
            if one != "not measured" or not all(checked.checks for checked in claims)
        },
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

    The most cores come first, and on as many the oldest version; of many places the first ones.
    """
    every = [check for checked in claims for check in checked.checks]
    places: dict[tuple[int, str, str], list[ClaimStatus]] = {}
    for check in sorted(
        every, key=lambda check: (-check.cores, rank_interpreter(check.interpreter))
    ):
        place = (check.cores, check.interpreter, check.machine)
        places.setdefault(place, []).append(check.status)
    rows = [
        (
            Markup.escape(words.count("cores_nominative", cores))
            + small(f"{interpreter}, {machine}"),
            *(words.number(statuses.count(status), 0) for status in get_args(ClaimStatus)),
        )
        for (cores, interpreter, machine), statuses in islice(places.items(), MOST)
    ]
    head = [words.text("where_measured")]
    head += [words.term("claim_status", status) for status in get_args(ClaimStatus)]
    shown = table(words, words.text("totals_caption"), head, rows, kind="totals")
    return fold_away(words.text("totals_caption"), shown, kind="claim-details")


def show_marks(marks: Sequence[CheckedClaim], words: Words) -> Markup:
    """A row per program: its mark, and on each core count our verdict and whether they agree.

    A mark has the address of its claim in the row of its program.
    """
    programs: dict[str, list[CheckedClaim]] = {}
    for checked in marks:
        if checked.claim.mark:
            programs.setdefault(checked.claim.mark.program.program, []).append(checked)
    counts = sorted({check.cores for one in marks for check in one.checks}, reverse=True)
    head = [words.text("program"), words.term("original", "mark")]
    head += [words.count("cores_nominative", count) for count in counts]
    rows = [
        (
            join(map(_anchor, found)) + link_program(program),
            prose(_name_marks([one.claim for one in found], words)),
            *(cell(_judge(found, count, words), kind="verdict-cell") for count in counts),
        )
        for program, found in programs.items()
    ]
    return table(words, words.text("marks_caption"), head, rows, kind="marks")


def _anchor(checked: CheckedClaim) -> Markup:
    return Markup('<span id="{}"></span>').format(claim_anchor(checked.claim))


def _name_marks(claims: Sequence[Claim], words: Words) -> Markup:
    """The mark, or of several each with where it applies."""
    return join(
        Markup.escape(_name_mark(claim, words))
        + (small(format_scope(claim, words)) if len(claims) > 1 else "")
        for claim in claims
    )


def _name_mark(claim: Claim, words: Words) -> str:
    verdicts = tuple(claim.mark.verdicts) if claim.mark else ()
    _, name = MARKS.get(verdicts, ("", "bad"))
    return words.term("mark", name)


def _judge(found: Sequence[CheckedClaim], cores: int, words: Words) -> Markup:
    """Our verdict on so many cores and, unless it is open, what comes of the mark for them."""
    checks = [check for one in found for check in one.checks if check.cores == cores]
    applied = [check for check in checks if check.status != "not applicable"]
    check = next(iter(applied or checks), None)
    if check is None or check.verdict is None:
        return Markup("—")
    agreement = "" if check.status in UNSETTLED else show_status(check.status, words)
    return show_verdict(check.verdict, words) + small(agreement)
