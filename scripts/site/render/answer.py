"""The answer: one picture of what pays, for which kind of work, on one core and on all."""

import math
from collections.abc import Mapping, Sequence
from typing import get_args

from markupsafe import Markup

from scripts.harness.experiment import Way
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import choose_interpreter, find_best, find_kind, list_sizes
from scripts.site.judge.verdicts import GAIN_MARGIN
from scripts.site.render.chart import Chart, fold, make_prefix, show_nothing
from scripts.site.render.dots import Dot, Dots, Group, describe_dot, list_signs
from scripts.site.render.estimates import format_ratio
from scripts.site.render.headlines import count_times, tell_place
from scripts.site.render.html import small, strong, table
from scripts.site.render.names import add_interpreter, name_family
from scripts.site.render.pen import Pen
from scripts.site.render.signs import ICONS
from scripts.site.render.words import Words

KINDS = get_args(Way)

Kinds = Mapping[str, Sequence[Judgement | None]]
"""By kind of worker: the best on each of some core counts."""
Groups = Mapping[str, Kinds]
"""By family."""


def draw_answer(evidence: Evidence, words: Words, families: Sequence[str] = ()) -> Markup:
    """For each family and kind of worker, the best speed-up on one core and on all.

    Of several interpreters it shows the first that ran any program.
    """
    judged = [
        judgement
        for judgement in choose_interpreter(evidence, evidence.judgements)
        if judgement.speedup and (not families or judgement.record.variant.family in families)
    ]
    if not judged:
        return show_nothing(words)
    counts = list_sizes(judged, "cores")[::-1]
    counts = counts[:: len(counts) - 1] if len(counts) > 1 else counts
    cores = [words.count("cores_nominative", count) for count in counts]
    groups = _list_groups(evidence, judged, counts)
    title = words.text("answer_title")
    numbers = {
        name_family(evidence, family, words): [
            (words.term("kind", kind), *(_show_gain(one, words) for one in own))
            for kind, own in kinds.items()
        ]
        for family, kinds in groups.items()
    }
    dots = [
        _list_dots(name_family(evidence, family, words), kinds, words)
        for family, kinds in groups.items()
    ]
    head = [words.text("answer_kind"), *cores]
    mark = Markup('<span aria-hidden="true">{}</span>').format(ICONS["recommended"])
    return Chart(
        found=_tell_found(groups, evidence, words),
        below=fold(table(words, title, head, numbers, kind="sizes"), words),
        prefix=make_prefix("answer", evidence.experiment.name),
        title=add_interpreter(title, evidence, judged[0].record.variant),
        picture=Dots(dots, words.text("axis_speedup"), words),
        signs=[*list_signs(cores, words), (mark, words.term("verdict", "recommended"))],
    ).show()


def _list_groups(evidence: Evidence, judged: Sequence[Judgement], counts: Sequence[int]) -> Groups:
    """In the order of the families, and in each of the kinds."""
    present = {(one.record.variant.family, find_kind(evidence, one)) for one in judged}
    groups = {
        family.name: {
            kind: [find_best(evidence, judged, family.name, kind, count) for count in counts]
            for kind in KINDS
            if (family.name, kind) in present
        }
        for family in evidence.experiment.families
    }
    return {family: kinds for family, kinds in groups.items() if kinds}


def _tell_found(groups: Groups, evidence: Evidence, words: Words) -> str:
    """What gains most for sure, in which family, on the most cores."""
    sure = [
        (gain.low, family, kind, best)
        for family, kinds in groups.items()
        for kind, (best, *_) in kinds.items()
        if best and (gain := best.speedup) and gain.is_sure and GAIN_MARGIN <= gain.low < math.inf
    ]
    if not sure:
        return ""
    low, family, kind, best = max(sure, key=lambda one: one[0])
    found = words.text(
        "found_answer",
        family=name_family(evidence, family, words),
        kind=words.term("kind", kind),
        times=count_times(low, words),
    )
    return tell_place(found, evidence, best.record.variant, words)


def _show_gain(best: Judgement | None, words: Words) -> Markup | None:
    if not best or not best.speedup:
        return None
    gain, ends = format_ratio(best.speedup, words)
    return strong(gain) + small(ends)


def _list_dots(title: str, kinds: Kinds, words: Words) -> Group:
    rows: dict[str, list[list[Dot]]] = {}
    for kind, own in kinds.items():
        lines = rows[words.term("kind", kind)] = []
        for line, best in enumerate(own):
            lines.append([])
            if best and best.speedup:
                is_best = best.verdict == "recommended"
                label = format_ratio(best.speedup, words)[0] + f" {ICONS['recommended']}" * is_best
                told = describe_dot(best, words)
                lines[-1].append(Dot(best.speedup, Pen(line), told, label, is_best))
    return Group(title, rows)
