"""Conditions: what a claim compares, where it applies and where it comes from, in words."""

import re

from markupsafe import Markup

from scripts.harness.metrics import METRICS
from scripts.site.declare.claims import Claim, Comparison, MarginForm, Side
from scripts.site.judge.verification import STEP
from scripts.site.render.html import code, slug
from scripts.site.render.words import Words

_ROW = re.compile(r"\d+[a-z]?")
_CONCLUSION = re.compile(r"(\d+)/(\d+)")


def format_condition(comparison: Comparison, words: Words) -> Markup:
    """A comparison in words: what is measured, then how the sides of it are to stand."""
    kind, places = _choose_wording(comparison, words)
    relation = slug(comparison.relation) + ("" if comparison.margin > 1 else "-at-all")
    condition = words.markup(f"condition_{kind}_{relation}", **places)
    if comparison.every:
        condition = words.markup("condition_every", condition=condition)
    return Markup("{}: {}").format(words.metric(comparison.metric), condition)


def format_margin(comparison: Comparison, form: MarginForm, words: Words) -> str:
    """The margin in one of the forms that a sentence may ask for."""
    margin = comparison.margin
    match form:
        case "number":
            return words.plain(margin)
        case "percent":
            return words.percent(margin - 1)
        case "times":
            return words.count("times", margin)
        case "fold":
            return words.fold(margin)


def format_limit(value: float, comparison: Comparison, words: Words) -> str:
    """A number that a side is held against, in the unit of the metric or as a share of the cores."""
    return words.percent(value) if comparison.of_cores else words.value(comparison.metric, value)


def _choose_wording(comparison: Comparison, words: Words) -> tuple[str, dict[str, str]]:
    """The kind of wording, and what fills its places."""
    metric, margin = comparison.metric, comparison.margin
    forms: tuple[MarginForm, ...] = ("times", "fold", "percent")
    places: dict[str, str] = {form: format_margin(comparison, form, words) for form in forms}
    if comparison.over:
        swept = words.term("swept", comparison.over)
        places |= {"over": swept, "step": words.percent(STEP - 1)}
        return "sweep", places | {"left": name_side(comparison.left, words)}
    if comparison.limit is not None:
        ends = {"low": comparison.limit / margin, "high": comparison.limit * margin}
        for name, value in ends.items():
            written = format_limit(value, comparison, words)
            places[name] = words.text("of_cores", share=written) if comparison.of_cores else written
        return "limit", places | {"left": name_side(comparison.left, words)}
    assert isinstance(comparison.right, Side)
    places["left"] = name_side(comparison.left, words, beside=comparison.right)
    places["right"] = name_side(comparison.right, words, beside=comparison.left)
    if comparison.right_python == "ordinary":
        places["right"] += f" {words.text('on_ordinary_python')}"
    return ("time" if is_time(metric) else "amount"), places


def is_time(metric: str) -> bool:
    """Whether less of it is faster: a loop that is less late is not."""
    return metric in METRICS and METRICS[metric].unit == "s" and not METRICS[metric].traced


def format_scope(claim: Claim, words: Words) -> str:
    """Where a claim applies, in words; empty if everywhere."""
    scope = claim.where
    wanted = [("cores", scope.cores), ("gil", scope.gil), ("system", scope.system)]
    parts = [words.term("where", f"{key} {value}") for key, value in wanted if value]
    if scope.python:
        parts.append(words.text("on_python", version=scope.python))
    return ", ".join(parts)


def format_origin(claim: Claim, words: Words) -> str:
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


def name_side(side: Side, words: Words, *, beside: Side | None = None) -> Markup:
    """A program, with what its cell differs by from the ordinary and from ``beside``."""
    other = beside or side
    same = side.program == other.program
    parts = []
    for key in ("tasks", "workers"):
        value: str | int = getattr(side, key)
        if value != "most" or (same and value != getattr(other, key)):
            counted = words.count(key, value) if isinstance(value, int) else None
            parts.append(counted or words.term("size", f"{key} {value}"))
    if side.start_method:
        parts.append(side.start_method)
    if side.family != other.family:
        parts.append(side.family)
    detail = f" ({', '.join(parts)})" if parts else ""
    return code(side.program) + detail
