"""Conditions: what a claim compares, where it applies and where it comes from, in words."""

import re

from markupsafe import Markup

from scripts.declare.claim import Claim, Comparison, Side
from scripts.render.html import code, slug
from scripts.render.words import Words

_ROW = re.compile(r"\d+[a-z]?")
_CONCLUSION = re.compile(r"(\d+)/(\d+)")


def format_condition(comparison: Comparison, words: Words) -> Markup:
    """A comparison in words."""
    metric = words.metric(comparison.metric)
    relation = slug(comparison.relation)
    if isinstance(comparison.right, Side):
        left = name_side(comparison.left, words, beside=comparison.right)
        right = name_side(comparison.right, words, beside=comparison.left)
        if comparison.right_cores == "one":
            right += f" {words.text('on_one_core')}"
        margin = words.plain(comparison.margin)
        return words.markup(
            f"condition_{relation}", metric=metric, left=left, right=right, margin=margin
        )
    left = name_side(comparison.left, words)
    low = words.value(comparison.metric, comparison.right / comparison.margin)
    high = words.value(comparison.metric, comparison.right * comparison.margin)
    return words.markup(f"limit_{relation}", metric=metric, left=left, low=low, high=high)


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
