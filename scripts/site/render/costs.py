"""Costs: what one more unit costs, and what each family adds to the memory of the one before."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import choose_largest, select_family
from scripts.site.render.chart import show_note, show_nothing
from scripts.site.render.html import Row, code, link_program, prose, small, strong, table
from scripts.site.render.names import group_methods, name_family, name_method, name_place
from scripts.site.render.words import Words

MADE = "made"
"""The reading that counts the units."""
MEMORY = "peak_pss_bytes"
LARGEST, EXACT = 1000, 9.95


def show_costs(evidence: Evidence, words: Words, family: str) -> Markup:
    """A row per program: how many units it made when asked for most, at what price for each.

    The price is the slope between the fewest and the most units made: what the interpreter itself
    takes is in both and so in neither. Where more units took less, there is none: the difference
    is noise.
    """
    made = [one for one in select_family(evidence, family) if one.median(MADE) is not None]
    rows = [
        _list_costs(name, found, words) for name, found in group_methods(evidence, made).items()
    ]
    head = words.texts("program", "asked", "made", "each_time", "each_memory", "printed")
    return table(words, name_family(evidence, family, words), head, rows, kind="costs")


def _list_costs(name: str, members: Sequence[Judgement], words: Words) -> Row:
    ordered = sorted(members, key=lambda one: one.record.variant.tasks)
    least, most = ordered[0], ordered[-1]
    made = most.median(MADE) or 0.0
    more = made - (least.median(MADE) or 0.0)
    time_s, memory_bytes = (
        _find_price(least.median(metric), most.median(metric), more)
        for metric in ("inside_s", MEMORY)
    )
    variant = most.record.variant
    return (
        link_program(variant.program, name),
        words.number(variant.tasks, 0),
        words.number(made, 0),
        None if time_s is None else _format_cost(time_s, words),
        None if memory_bytes is None else words.memory(memory_bytes),
        prose(code(most.record.printed)),
    )


def _find_price(least: float | None, most: float | None, more: float) -> float | None:
    """What each of ``more`` units took; ``None`` where that cannot be told."""
    if least is None or most is None or more <= 0 or most < least:
        return None
    return (most - least) / more


def _format_cost(seconds: float, words: Words) -> str:
    """A time for one unit, in microseconds, or from one on in milliseconds."""
    value, unit = seconds * 1e6, "µs"
    if value >= LARGEST:
        value, unit = value / 1000, "ms"
    return words.measure(words.number(value, 1 if value < EXACT else 0), unit)


def show_stages(evidence: Evidence, words: Words, families: Sequence[str]) -> Markup:
    """A row for each program and number of workers, a column for each family.

    The families stand in the order in which they add to the work: a cell has the median peak, and
    below it what that is above the column before. Of several numbers of tasks the largest counts.
    """
    found: dict[str, dict[int, dict[str, Judgement]]] = {}
    order = {program.name: place for place, program in enumerate(evidence.experiment.programs)}
    members = [
        judgement
        for family in families
        for judgement in choose_largest(select_family(evidence, family))
        if judgement.median(MEMORY)
    ]
    for judgement in sorted(members, key=lambda one: order[one.record.variant.program]):
        variant = judgement.record.variant
        by_workers = found.setdefault(name_method(evidence, variant), defaultdict(dict))
        by_workers[variant.workers][variant.family] = judgement
    if not found:
        return show_nothing(words)
    rows = [
        _list_peaks(name, own[count], families, words)
        for name, own in found.items()
        for count in sorted(own)
    ]
    caption = words.text(
        "stages_caption", cores=name_place(evidence, members[0].record.variant, words)
    )
    head = [words.text("program"), *(name_family(evidence, one, words) for one in families)]
    return table(words, caption, head, rows, kind="stages") + show_note(words.text("stages_note"))


def _list_peaks(
    name: str, found: Mapping[str, Judgement], families: Sequence[str], words: Words
) -> Row:
    """Of one program with one number of workers, whose judgements are by family."""
    variant = next(iter(found.values())).record.variant
    size = small(words.count("workers", variant.workers))
    peaks = [found[family].median(MEMORY) if family in found else None for family in families]
    earlier = [None, *peaks[:-1]]
    cells = (_show_peak(*two, words) for two in zip(peaks, earlier, strict=True))
    return (link_program(variant.program, name) + size, *cells)


def _show_peak(peak: float | None, before: float | None, words: Words) -> Markup | None:
    if peak is None:
        return None
    more = peak - (before or 0)
    sign = "+" if more >= 0 else "\N{MINUS SIGN}"
    return strong(words.memory(peak)) + small(f"{sign}{words.memory(abs(more))}" * bool(before))
