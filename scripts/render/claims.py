"""Claims: a sentence with what was measured in its places, and whether it holds here."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from scripts.judge.checks import Check, ClaimStatus, Finding
from scripts.judge.claim import PLACE, Claim, Comparison, Side
from scripts.judge.judgement import Estimate
from scripts.render.html import block, slug
from scripts.render.words import Words

ICONS: dict[ClaimStatus, str] = {
    "confirmed": "✔",
    "refuted": "✖",
    "inconclusive": "?",
    "not applicable": "–",
}
UNKNOWN = "—"
FORM = re.compile(r"\{\w+\|([^{}]*)\}")
"""The plural forms that a place asks for: ``cores`` of ``{cores|cores}``."""
_ROW = re.compile(r"\d+[a-z]?")
_UNIT = re.compile(r"\D+$")
_CONCLUSION = re.compile(r"(\d+)/(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim of an experiment with its checks; none if nothing at all was measured."""

    experiment: str
    claim: Claim
    checks: tuple[Check, ...] = ()


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
        f"{fill_sentence(claim, main, words)} {link}</p>"
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
    """The sentence as HTML, its places filled; ``{cores|key}`` takes the plural forms of ``key``."""
    metric = claim.all[0].metric if claim.all else "wall_s"

    def fill(found: re.Match[str]) -> str:
        form = found[0].strip("{}").partition("|")[2]
        return f"<strong>{escape(_fill_place(found[1], form, check, metric, words))}</strong>"

    return PLACE.sub(fill, escape(claim.text[words.language], quote=False))


def show_status(status: ClaimStatus, words: Words) -> str:
    """An icon and a word; what it means on hovering."""
    return (
        f'<span class="claim-status claim-{slug(status)}" title="{escape(words.term("claim_status_help", status))}">'
        f'<span aria-hidden="true">{ICONS[status]}</span> '
        f"{escape(words.term('claim_status', status))}</span>"
    )


def write_value(metric: str, value: float, words: Words) -> str:
    """A value of a metric in its unit; of a reading, the number alone."""
    return _WRITE.get(metric, _write_number)(value, words)


def name_side(side: Side, words: Words, *, family: bool = False) -> str:
    """A program as HTML, with what its cell differs by from the ordinary; its family if asked."""
    sizes = [
        (key, value)
        for key, value in (("tasks", side.tasks), ("workers", side.workers))
        if value != "most"
    ]
    parts = [
        words.term("size", f"{key} {value}") if isinstance(value, str) else words.count(key, value)
        for key, value in sizes
    ]
    if side.start_method:
        parts.append(side.start_method)
    if family:
        parts.append(side.family)
    detail = f" ({', '.join(parts)})" if parts else ""
    return f"<code>{escape(side.program)}</code>{escape(detail)}"


def write_condition(comparison: Comparison, words: Words) -> str:
    """A comparison in words, as HTML."""
    metric = words.term("metric", comparison.metric)
    right_family = comparison.right.family if isinstance(comparison.right, Side) else ""
    differ = right_family not in ("", comparison.left.family)
    left = name_side(comparison.left, words, family=differ)
    relation = slug(comparison.relation)
    if isinstance(comparison.right, Side):
        right = name_side(comparison.right, words, family=differ)
        if comparison.right_cores == "one":
            right += f" {words.text('on_one_core')}"
        margin = words.plain(comparison.margin)
        return words.text(
            f"condition_{relation}", metric=metric, left=left, right=right, margin=margin
        )
    low = write_value(comparison.metric, comparison.right / comparison.margin, words)
    high = write_value(comparison.metric, comparison.right * comparison.margin, words)
    return words.text(f"limit_{relation}", metric=metric, left=left, low=low, high=high)


def write_where(claim: Claim, words: Words) -> str:
    """Where a claim applies, in words; empty if everywhere."""
    where = claim.where
    wanted = [
        ("cores", where.cores),
        ("gil", where.gil),
        ("start_method", where.start_method),
        ("system", where.system),
    ]
    parts = [words.term("where", f"{key} {value}") for key, value in wanted if value]
    if where.python:
        parts.append(words.text("on_python", version=where.python))
    return ", ".join(parts)


def write_origin(claim: Claim, words: Words) -> str:
    """The source and the place in it."""
    source: str = words.term("source", claim.source)
    if not claim.origin:
        return source
    if _ROW.fullmatch(claim.origin):
        return f"{source}, {words.text('origin_row', row=claim.origin)}"
    if conclusion := _CONCLUSION.fullmatch(claim.origin):
        place = words.text("origin_conclusion", number=conclusion[1], count=conclusion[2])
        return f"{source}, {place}"
    return f"{source}, {words.term('origin', claim.origin)}"


def _fill_place(place: str, form: str, check: Check | None, metric: str, words: Words) -> str:
    if check is None:
        return UNKNOWN
    match place:
        case "cores":
            return words.count(form or "cores_nominative", check.cores)
        case "workers":
            return words.count(form or "workers", check.workers)
        case "ratio":
            return words.ratio(check.ratio.median) if check.ratio else UNKNOWN
        case "verdict":
            return words.term("verdict", check.verdict) if check.verdict else UNKNOWN
    estimate = check.left if place == "left" else check.right
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
    low, high = (write_value(metric, end, words) for end in (left.low, left.high))
    unit = _UNIT.search(high)
    low = low.removesuffix(unit[0]) if unit else low
    return f"{write_value(metric, left.median, words)} <small>({low}–{high})</small>"


def _write_ratio(ratio: Estimate | None, words: Words) -> str:
    if ratio is None:
        return UNKNOWN
    low, high = (words.ratio(end).lstrip("×") for end in (ratio.low, ratio.high))
    shown = f"{words.ratio(ratio.median)} <small>({low}–{high})</small>"
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


def _write_seconds(value: float, words: Words) -> str:
    return words.seconds(value, 2)


def _write_cpu_seconds(value: float, words: Words) -> str:
    return words.text("cpu_seconds", time=words.seconds(value, 2))


def _write_share(value: float, words: Words) -> str:
    return words.percent(value)


def _write_memory(value: float, words: Words) -> str:
    return words.memory(value)


def _write_number(value: float, words: Words) -> str:
    return words.plain(value)


_WRITE: Mapping[str, Callable[[float, Words], str]] = {
    "wall_s": _write_seconds,
    "inside_s": _write_seconds,
    "cpu_s": _write_cpu_seconds,
    "system_s": _write_cpu_seconds,
    "cpu_share": _write_share,
    "peak_pss_bytes": _write_memory,
    "max_rss_bytes": _write_memory,
}
