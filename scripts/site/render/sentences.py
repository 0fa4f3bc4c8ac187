"""Sentences of claims: what came of one, in the words that it says itself or made of its parts.

A claim says one sentence, for where it holds. That of any other outcome is made of what its deciding
comparison is about: two programs, a metric, the difference between them and what there is to say of it.
``[made]`` of the catalogues has the shapes, by the kind of the metric, and ``[amount]`` the differences.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite

from poolwise.metrics import METRICS
from poolwise.statistics import Estimate
from scripts.site.declare.claims import Side, Size
from scripts.site.judge.claims import Check, Finding
from scripts.site.judge.decisions import NO_DIFFERENCE
from scripts.site.render.estimates import LEAST_FOLD, READINGS_S
from scripts.site.render.words import Words, capitalise

LEAST_SAID = 0.005
"""A difference below this reads as no per cent."""
_IN_BRACKETS = re.compile(r" \((?:[mµ]s|мк?с)\)$")
_KINDS = {
    "inside_s": "time",
    "wall_s": "time",
    "start_s": "time",
    "wall_per_task_s": "per_task",
    "cpu_s": "cpu",
    "peak_pss_bytes": "memory",
    "lag_max_s": "lag",
}
# Relations whose ratio is above 1 where the left side is less.
_FEWER = ("less", "not less", "falls")


def write_sentence(check: Check, words: Words) -> str:
    """Write the sentence of what a check came to, with places for its values.

    It is empty where nothing was measured, or too little to tell.
    """
    if not check.outcome or check.standing in ("not measured", "not applicable"):
        return ""
    if check.preview:
        return words.text("preview", sentence=write_sentence(check.preview, words))
    finding = check.deciding
    if finding is None:
        return ""
    index = check.findings.index(finding)
    written = check.claim.find_written(check.outcome)
    if written:
        return words.choose(written)
    sentence = _Parts(check, finding, words).make()
    if index:
        for side in ("left", "right"):
            sentence = sentence.replace(f"{{{side}}}", f"{{{side}{index + 1}}}")
    return sentence


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a sentence about the deciding ``finding`` of a check."""

    check: Check
    finding: Finding
    words: Words

    def make(self) -> str:
        """Make the sentence; ``{left}`` and ``{right}`` are where its values go."""
        comparison, words = self.finding.comparison, self.words
        if comparison.limit is not None:
            return self._make_limit()
        shape, amount, aside = self._choose_shape()
        places = {"left": "{left}", "right": "{right}", "amount": amount, "aside": aside}
        places["metric"] = _name_metric(comparison.metric, words)
        kind = _KINDS.get(comparison.metric, "other")
        first = call_side(comparison.left, words, other=comparison.right)
        if comparison.over:
            places |= self._list_ends(comparison.over)
            kind = "step" if self._is_step else "sweep"
        else:
            assert isinstance(comparison.right, Side)
            places["second"] = self._call_right(comparison.right)
        places["first"] = first
        return self._open(words.term("made", f"{kind}_{shape}"), places)

    def _open(self, shape: str, places: Mapping[str, str]) -> str:
        """Fill a shape in, after the phrase that says on which builds and machines it is so."""
        words, where = self.words, self.check.claim.where
        openings = []
        if where.cores == "one":  # several are the rule
            openings.append(words.text("on_one_core"))
        if where.gil:
            openings.append(words.text(f"with_gil_{where.gil}"))
        if openings:
            shape = shape[:1].lower() + shape[1:]
        return _begin("".join(openings) + shape.format(**places))

    @property
    def _is_step(self) -> bool:
        return self.finding.ratio != self.finding.whole

    def _call_right(self, right: Side) -> str:
        comparison, words = self.finding.comparison, self.words
        name = call_side(right, words, other=comparison.left)
        if comparison.right_python == "same":
            return name
        if comparison.right_python == "ordinary":
            build = words.text("on_ordinary_python")
        else:
            build = words.text("on_python", version=comparison.right_python)
        is_alike = right.program == comparison.left.program
        return build if is_alike else f"{name} {build}"

    def _list_ends(self, over: Size) -> dict[str, str]:
        """Name the ends of a sweep, and of the step within it that decides."""
        words, noun = self.words, self.check.claim.at.get(over) or over
        sizes = self.check.at.get(over, (0.0,))
        places = {"least": words.plain(min(sizes)), "most": words.count(noun, max(sizes))}
        for decision in self.finding.decisions:
            if decision.outcome == self.finding.outcome:
                stations = sorted(getattr(side, over) for side in decision.sides)
                places["from"] = words.plain(stations[0])
                places["to"] = words.count(noun, stations[-1])
                break
        return places

    def _make_limit(self) -> str:
        comparison, words = self.finding.comparison, self.words
        shape = {"at-the-margin": "margin", "not-decided": "open"}.get(
            self.finding.outcome, "apart"
        )
        way, value, limit = "more", "{left}", "{right}"
        if comparison.relation in ("less", "not more"):
            way = "less"
        if comparison.every and shape == "apart":  # by a single trial, the worst
            shape, value = "every", words.value(comparison.metric, self._find_worst())
        if comparison.of_cores:
            limit = words.text("of_cores", share=limit)
        is_none = comparison.relation == "less" and comparison.limit == 1
        is_count = comparison.metric not in {*METRICS, *READINGS_S}
        if is_none and is_count and shape in ("apart", "every"):
            way = "none"
        places = {
            "metric": _name_metric(comparison.metric, words),
            "first": call_side(comparison.left, words),
            "left": value,
            "right": limit,
        }
        return self._open(words.term("made", f"limit_{shape}_{way}"), places)

    def _find_worst(self) -> float:
        """Find the value of the trial that is furthest on the wrong side of the number."""
        limit, ratio = self.finding.comparison.limit or 0.0, self.finding.ratio.median
        if self.finding.comparison.relation not in _FEWER:
            return limit * ratio
        return limit / ratio if ratio else inf

    def _choose_shape(self) -> tuple[str, str, str]:
        """Choose the shape of the sentence, and say the difference and what there is to say of it."""
        ratio, comparison, words = self.finding.ratio, self.finding.comparison, self.words
        outcome, margin = self.finding.outcome, comparison.margin
        fewer, more = name_ways(comparison.metric)
        has_way = ratio.is_sure and (ratio.low > 1 or ratio.high < 1)
        if outcome == "no-difference" or (outcome == "equal" and not has_way):
            return "same", "", ""
        if outcome == "at-the-margin" and margin == 1:
            return "same", "", ""
        if outcome == "not-decided" and not has_way:
            return "open", words.term("amount", f"which_{fewer}"), ""
        if outcome == "at-most":
            way = fewer if comparison.relation in _FEWER else more
            highest = replace(ratio, median=ratio.high)
            amount = words.text("at_most", amount=say_amount(highest, way, words))
            return "differ", amount, ""
        turned, way = turn_difference(self.finding)
        if abs(turned.median - 1) < LEAST_SAID:
            return "same", "", ""
        amount, aside = say_amount(turned, way, words), ""
        bare = say_bare(margin, way, words)
        match outcome:
            case "less":
                aside = words.text("less_than_claimed", claimed=bare)
            case "at-the-margin":
                aside = words.text("at_the_margin", margin=bare)
            case "how-much-open":
                amount = say_between(turned, way, words)
            case "not-decided":
                amount = say_between(turned, way, words)
                aside = words.text("within_open", margin=bare)
            case "equal-with-direction" if turned.high <= NO_DIFFERENCE:
                aside = words.text("too_little")
        return "differ", amount, aside


def _name_metric(metric: str, words: Words) -> str:
    """Name a metric without its unit, which its values have."""
    return _IN_BRACKETS.sub("", words.metric(metric))


def _begin(sentence: str) -> str:
    """Begin a sentence; a Latin name stays as it is among letters of another script."""
    is_foreign = sentence[:1].isascii() and any(
        letter.isalpha() and not letter.isascii() for letter in sentence
    )
    return sentence if is_foreign else capitalise(sentence)


def is_time(metric: str) -> bool:
    """Tell whether less of a metric is faster: a loop that is less late is not, nor is less CPU time."""
    return _KINDS.get(metric) in ("time", "per_task")


def name_ways(metric: str) -> tuple[str, str]:
    """Name what a side is of which less was measured, and of which more."""
    return ("faster", "slower") if is_time(metric) else ("less", "more")


def turn_difference(finding: Finding) -> tuple[Estimate, str]:
    """Turn the ratio of a finding so that it is above 1, and say which way the left side differs."""
    ratio, is_more = finding.ratio, finding.comparison.relation not in _FEWER
    if ratio.median < 1:
        ratio, is_more = ratio.invert(), not is_more
    return ratio, name_ways(finding.comparison.metric)[is_more]


def say_amount(ratio: Estimate, way: str, words: Words) -> str:
    """Say how much faster, slower, less or more a ratio above 1 is: ``12% faster``, ``twice as fast``."""
    if not isfinite(ratio.median):
        return words.term("amount", f"far_{way}")
    return _say(ratio.median, _choose_size(ratio.median), f"_{way}", way, words)


def say_bare(ratio: float, way: str, words: Words) -> str:
    """Say the size of a difference alone: ``12%``, ``twice``."""
    ending = "_bare_less" if way == "less" else "_bare"
    return _say(ratio, _choose_size(ratio), ending, way, words)


def _choose_size(ratio: float) -> str:
    return "percent" if ratio < LEAST_FOLD else "fold"


def _say(ratio: float, size: str, ending: str, way: str, words: Words) -> str:
    rounded = float(f"{ratio:.2g}")
    phrase = words.term("amount", size + ending)
    return phrase.format(
        percent=words.percent(_find_share(ratio, way)),
        fold=words.fold(rounded),
        factor=words.plain(rounded),
    )


def _find_share(ratio: float, way: str) -> float:
    """Find the share by which something differs, of what it differs from."""
    if way == "less":
        return 1 - 1 / ratio
    return ratio - 1


def say_between(ratio: Estimate, way: str, words: Words) -> str:
    """Say a difference and between which sizes it lies; that it is open, where its interval says nothing."""
    low, high = max(ratio.low, 1.0), ratio.high
    amount = say_amount(ratio, way, words)
    if ratio.is_unknown or high == inf:
        return amount + words.text("how_much_open")
    if high < LEAST_FOLD or way == "less":
        least, most = (words.percent(_find_share(end, way)) for end in (low, high))
        return amount + words.text("between", low=least, high=most)
    least, most = (words.plain(float(f"{end:.2g}")) for end in (low, high))
    amount = _say(ratio.median, "fold", f"_{way}", way, words)  # in what its ends are
    return amount + words.text("between_times", low=least, high=most)


def call_side(side: Side, words: Words, *, other: object = None) -> str:
    """Call a program as a sentence does, with the sizes by which it differs from the other side."""
    names = side.called or side.names.get("called") or side.names.get("program")
    name = words.choose(names) if names else side.program
    if side.called or not isinstance(other, Side):
        return name
    theirs = list_sizes(other, words, side)  # what both have, the end of the sentence says
    parts = [part for part in list_sizes(side, words, other) if part not in theirs]
    if side.program == other.program and side.family != other.family:
        family = side.names.get("family")
        parts.append(words.choose(family) if family else side.family)
    if parts:
        name += f" ({', '.join(parts)})"
    return name


def list_sizes(side: Side, words: Words, beside: Side | None) -> list[str]:
    """List the sizes by which a side differs from the ordinary and from ``beside``."""
    other = beside or side
    parts = []
    for key in ("tasks", "workers"):
        value: str | int = getattr(side, key)
        if isinstance(value, int):
            parts.append(words.count(key, value))
        elif value != "most" or (side.program == other.program and value != getattr(other, key)):
            parts.append(words.term("size", f"{key} {value}"))
    if side.start_method:
        parts.append(side.start_method)
    return parts
