"""The feed: every claim that is decided here, an entry for each, in the form of Atom (RFC 4287).

An entry's id names the claim and what came of it. So who follows the feed meets a claim again when
the answer has become another, and not whenever it was measured anew.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from markupsafe import Markup

from scripts.site.judge.margins import DECIDED
from scripts.site.judge.verification import CheckedClaim, choose_check, find_status
from scripts.site.render.claims import claim_anchor, fill_sentence
from scripts.site.render.conditions import format_origin
from scripts.site.render.html import render, slug
from scripts.site.render.words import Words, capitalise


def make_feed(
    claims: Sequence[CheckedClaim], measured: Mapping[str, datetime], home: str, words: Words
) -> Markup:
    """The feed of a language as XML.

    Args:
        claims: of all experiments.
        measured: when the last trial of each experiment was.
        home: the public address of the language.
        words: of the language.
    """
    decided = [one for one in claims if find_status(one.checks) in DECIDED]
    newest = sorted(decided, key=lambda one: measured[one.experiment], reverse=True)
    return render(
        "feed.xml",
        words=words,
        home=home,
        updated=_format(max(measured.values())),
        entries=[_make_entry(one, measured[one.experiment], words) for one in newest],
    )


def _make_entry(checked: CheckedClaim, measured_at: datetime, words: Words) -> dict[str, str]:
    claim, status = checked.claim, find_status(checked.checks)
    sentence = fill_sentence(claim, choose_check(checked.checks), words)
    return {
        "anchor": claim_anchor(claim),
        "kind": slug(status),
        "status": capitalise(words.term("claim_status", status)),
        "sentence": sentence.striptags(),
        "updated": _format(measured_at),
        "topic": words.term("topics", claim.topic),
        "summary": capitalise(format_origin(claim, words)),
    }


def _format(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
