"""Claims: a sentence with what was measured in its places, and whether it holds here."""

import re
from collections.abc import Sequence
from html import escape

from scripts.declare.claim import Claim, Side
from scripts.declare.sentence import PLACEHOLDER
from scripts.judge.checks import Check, ClaimStatus, Finding
from scripts.judge.evidence import CheckedClaim
from scripts.judge.judgement import Estimate
from scripts.render.conditions import (
    name_side,
    write_condition,
    write_origin,
    write_value,
    write_where,
)
from scripts.render.html import block, slug
from scripts.render.words import NBSP, Words

ICONS: dict[ClaimStatus, str] = {
    "confirmed": "✔",
    "refuted": "✖",
    "inconclusive": "?",
    "not applicable": "–",
}
UNKNOWN = "—"
_UNIT = re.compile(r"\D+$")
_MEASURED = r"\{(?:left|right|ratio|verdict)\}"
_IN_BRACKETS = re.compile(rf"\s\([^()]*{_MEASURED}[^()]*\)")
_AFTER_COLON = re.compile(rf":[^:]*?{_MEASURED}.*?(?=[.!?](?:\s|$))")


def claim_anchor(claim: Claim) -> str:
    """The permanent id of a claim on every page that shows it."""
    return f"claim-{claim.id}"


def show_claim(checked: CheckedClaim, data: str, words: Words, *, home: str = "") -> str:
    """A claim with its status on all cores and, in a line each, everywhere else.

    Args:
        checked: what is said, and what came of it.
        data: where the published data is, relative to the page.
        words: of the page's language.
        home: address of the page where the claim stands in context, if that is another one.
    """
    claim, checks = checked.claim, checked.checks
    main = choose_check(checks)
    status = main.status if main else "not applicable"
    anchor = claim_anchor(claim)
    name = escape(words.text("claim_link"))
    link = (
        f'<a class="claim-anchor" href="#{anchor}" title="{name}" '
        f'aria-label="{name}: {claim.id}">#</a>'
    )
    nothing = [] if checks else [f"<li>{words.text('not_measured')}</li>"]
    others = [check for check in checks if check is not main]
    several = len({check.interpreter for check in checks}) > 1 or claim.where.python is not None
    lines = [_show_check(main, words, with_status=False, named=several)] if main else []
    lines += [_show_check(check, words, with_status=True, named=several) for check in others]
    content = (
        f'<p class="claim-text">{show_status(status, words)} '
        f"{fill_sentence(claim, main, words)}{NBSP}{link}</p>"
        f'<ul class="claim-checks" data-search-exclude>'
        f"{''.join(lines or nothing)}</ul>"
        f"{_show_details(checked, main, data, words, home)}"
    )
    kind = f'class="claim claim-{slug(status)}"'
    filters = f'data-source="{escape(claim.source)}" data-topic="{escape(claim.topic)}"'
    return block(f"<div {kind} {filters}>{content}</div>", kind="claim", id_=anchor)


def choose_check(checks: Sequence[Check]) -> Check | None:
    """The one that a reader meets first: where it applies, on the most cores."""
    return max(
        checks, key=lambda check: (check.status != "not applicable", check.cores), default=None
    )


def fill_sentence(claim: Claim, check: Check | None, words: Words) -> str:
    """The sentence as HTML, its places filled; ``{cores|key}`` takes the plural forms of ``key``.

    Where nothing was measured, the part that would tell it is left out.
    """
    sentence = claim.text[words.language]
    if check is None or not (check.left or check.verdict):
        sentence = _AFTER_COLON.sub("", _IN_BRACKETS.sub("", sentence))
    metric = claim.all[0].metric if claim.all else "wall_s"

    def fill(found: re.Match[str]) -> str:
        name, form = found[1], found[2] or ""
        return f"<strong>{escape(_fill_placeholder(name, form, check, metric, words))}</strong>"

    return PLACEHOLDER.sub(fill, escape(sentence, quote=False))


def show_status(status: ClaimStatus, words: Words) -> str:
    """An icon and a word; what it means on hovering."""
    return (
        f'<span class="claim-status claim-{slug(status)}" title="{escape(words.term("claim_status_help", status))}">'
        f'<span aria-hidden="true">{ICONS[status]}</span> '
        f"{escape(words.term('claim_status', status))}</span>"
    )


def _fill_placeholder(name: str, form: str, check: Check | None, metric: str, words: Words) -> str:
    if check is None:
        return UNKNOWN
    match name:
        case "cores":
            return words.count(form or "cores_nominative", check.cores)
        case "workers":
            return words.count(form or "workers", check.workers)
        case "ratio":
            return words.ratio(check.ratio.median) if check.ratio else UNKNOWN
        case "verdict":
            return words.term("verdict", check.verdict) if check.verdict else UNKNOWN
    estimate = check.left if name == "left" else check.right
    return write_value(metric, estimate.median, words) if estimate else UNKNOWN


def _show_check(check: Check, words: Words, *, with_status: bool, named: bool) -> str:
    """One machine, interpreter and core count in a line; the interpreter by name if asked."""
    place = words.count("cores_nominative", check.cores)
    if named:
        place += f", {escape(check.interpreter)}"
    status = f"{show_status(check.status, words)} " if with_status else ""
    return (
        f'<li class="claim-{slug(check.status)}" data-status="{check.status}" '
        f'data-machine="{escape(check.machine)}" data-interpreter="{escape(check.interpreter)}">'
        f'<span title="{escape(check.machine)}, {escape(check.interpreter)}">{place}</span>: '
        f"{status}{_write_measured(check, words)}</li>"
    )


def _write_measured(check: Check, words: Words) -> str:
    """The ratio with its interval, or why there is none."""
    if check.status == "not applicable":
        return _write_reason(check, words)
    if check.reason:
        return f"{_write_measurement(check, words)}, {_write_reason(check, words)}"
    return _write_measurement(check, words)


def _write_measurement(check: Check, words: Words) -> str:
    if check.claim.mark:
        return words.text("quoted", phrase=words.term("verdict", check.verdict or UNKNOWN))
    comparison = check.claim.all[0]
    if isinstance(comparison.right, Side):
        return _write_ratio(check.ratio, words)
    left, metric = check.left, comparison.metric
    if left is None:
        return UNKNOWN
    value = write_value(metric, left.median, words)
    if left.is_point:
        return value
    low, high = (write_value(metric, end, words) for end in (left.low, left.high))
    unit = _UNIT.search(high)
    low = low.removesuffix(unit[0]) if unit else low
    return f"{value} <small>({low}–{high})</small>"


def _write_ratio(ratio: Estimate | None, words: Words) -> str:
    if ratio is None:
        return UNKNOWN
    shown = words.ratio(ratio.median)
    if not ratio.is_point:
        low, high = (words.ratio(end).lstrip("×") for end in (ratio.low, ratio.high))
        shown += f" <small>({low}–{high})</small>"
    return words.text("measured_ratio", ratio=shown)


def _write_reason(check: Check, words: Words) -> str:
    if not check.reason:
        return words.text("applies_elsewhere", where=write_where(check.claim, words))
    parts = []
    for part in check.reason.split(", "):
        program, separator, why = part.rpartition(": ")
        parts.append(program + separator + words.term("reason", why))
    return escape(", ".join(parts))


def _show_details(
    checked: CheckedClaim, main: Check | None, data: str, words: Words, home: str
) -> str:
    claim = checked.claim
    items = [_show_finding(finding, words) for finding in main.findings] if main else []
    if not items:
        items = [write_condition(comparison, words) for comparison in claim.all]
    if claim.mark:
        verdicts = f" {words.text('or')} ".join(
            words.text("quoted", phrase=words.term("verdict", verdict))
            for verdict in claim.mark.verdicts
        )
        program = name_side(claim.mark.program, words)
        items = [words.text("condition_mark", program=program, verdicts=verdicts)]
    conditions = "".join(f"<li>{item}</li>" for item in items)
    where = write_where(claim, words)
    applies = f"<p>{words.text('applies', where=where)}</p>" if where else ""
    address = f"{escape(home)}#{claim_anchor(claim)}"
    at_home = f'<a href="{address}">{words.text("in_context")}</a> · ' if home else ""
    return (
        f'<details class="claim-details" data-search-exclude>'
        f"<summary>{escape(_capitalise(write_origin(claim, words)))} · {words.text('condition')}</summary><ul>{conditions}</ul>{applies}"
        f'<p class="provenance">{at_home}'
        f'<a href="{data}/{checked.experiment}.csv">{words.text("csv")}</a> · '
        f'<a href="{data}/claims.json">{words.text("claims_data")}</a></p></details>'
    )


def _show_finding(finding: Finding, words: Words) -> str:
    """A comparison with what came of it."""
    condition = write_condition(finding.comparison, words)
    return (
        f"{condition}: {show_status(finding.status, words)}, {_write_ratio(finding.ratio, words)}"
    )


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
