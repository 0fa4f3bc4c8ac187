"""What strangers sent: a table of their machines, and folded what each gave, with what differs named first."""

from collections.abc import Mapping, Sequence
from statistics import median

from markupsafe import Markup

from poolwise.experiment import Experiment
from poolwise.record import Record
from scripts.site.render.estimates import format_ratio, format_value, make_point
from scripts.site.render.facts import describe, name_machine, show_machine, stack
from scripts.site.render.html import Row, cell, fold_away, join, prose, small, table
from scripts.site.render.names import name_experiment, title_program
from scripts.site.render.words import Words
from scripts.site.study.contributed import LARGEST_RATIO, Contributed, Contribution

MOST_DIFFERENCES = 50
"""The differences of a machine that are listed."""


def show_contributed(
    contributions: Sequence[Contribution],
    experiments: Mapping[str, Experiment],
    words: Words,
    data: str,
) -> Markup:
    """Show each machine that strangers sent records of; ``data`` is the way to their files."""
    if not contributions:
        return Markup("<p>{}</p>").format(words.text("contributed_none"))
    rows, folds = [], Markup()
    for sent in contributions:
        machine, pythons = sent.machine, [one.interpreter for one in sent.results]
        records = [row.record for row in sent.rows]
        shape = Markup('<span id="contributed-{0}" title="{0}">{1}</span>')
        name = shape.format(machine.id, name_machine(machine, words))
        rows.append((name, *map(stack, describe(machine, pythons, records, words))))
        content = _tell_differences(sent, words) + _show_rows(sent, experiments, words)
        content += _list_files(sent, words, data)
        content += show_machine(machine, pythons, words, is_other=True)
        folds += fold_away(words.text("contributed_fold", id=machine.id), content)
    heads = words.texts("machine", "machine_is", "machine_measured", "noise")
    caption = words.text("contributed_caption")
    return table(words, caption, heads, rows, kind="machines") + folds


def _tell_differences(sent: Contribution, words: Words) -> Markup:
    if not sent.compared:
        return Markup("<p>{}</p>").format(words.text("contributed_alone"))
    count = len(sent.differences)
    told = words.text(
        "contributed_differs" if count else "contributed_alike",
        count=words.plain(count),
        compared=words.count("gains_of", sent.compared),
        ratio=words.plain(LARGEST_RATIO),
    )
    return Markup("<p>{}</p>").format(told)


def _show_rows(sent: Contribution, experiments: Mapping[str, Experiment], words: Words) -> Markup:
    """Show what differs, then what each program gave with the first Python at its largest."""
    groups: dict[str, list[Row]] = {}
    differing = sent.differences[:MOST_DIFFERENCES]
    python = sent.results[0].interpreter.id
    largest: dict[tuple[str, str, str], Contributed] = {}
    for row in sorted(sent.rows, key=lambda row: _rank_size(row.record)):
        if row.record.interpreter == python:
            record = row.record
            largest[record.experiment, record.family, record.program] = row
    if differing:
        groups[words.text("contributed_far", ratio=words.plain(LARGEST_RATIO))] = [
            _show_row(row, experiments, words, is_far=True) for row in differing
        ]
    for key, row in sorted(largest.items()):
        heading = name_experiment(experiments[key[0]], words)
        groups.setdefault(heading, []).append(_show_row(row, experiments, words))
    heads = words.texts("program", "speedup", "contributed_elsewhere", "time", "memory", "place")
    caption = f"{words.text('contributed_caption')}: {sent.machine.id}"
    return table(words, caption, heads, groups, kind="contributed")


def _rank_size(record: Record) -> tuple[bool, int, int, int]:
    return record.profile == "full", record.cores, record.tasks, record.workers


def _show_row(
    row: Contributed, experiments: Mapping[str, Experiment], words: Words, *, is_far: bool = False
) -> Row:
    """Show a record; what stands far from its experiment says of which it is."""
    record, experiment = row.record, experiments[row.record.experiment]
    family = words.choose(experiment.family(record.family).title)
    sizes = [words.count(name, getattr(record, name)) for name in ("tasks", "workers")]
    place = [record.interpreter, words.count("cores_nominative", record.cores), *sizes]
    peaks = record.list_values("peak_pss_bytes")
    name = Markup.escape(title_program(experiment, record.program, words))
    return (
        name + small(name_experiment(experiment, words) if is_far else family),
        cell(None if row.gain is None else _format(row.gain, words)),
        cell("–".join(dict.fromkeys(_format(end, words) for end in row.ends)) or None),
        format_value(median(record.wall_s), "wall_s", words),
        cell(format_value(median(peaks), "peak_pss_bytes", words) if peaks else None),
        prose(", ".join(place)),
    )


def _format(gain: float, words: Words) -> str:
    return format_ratio(make_point(gain), words)[0]


def _list_files(sent: Contribution, words: Words, data: str) -> Markup:
    """Link what was sent as it is, a file for each Python."""
    link = Markup('<li><a href="{}/contributed/{}/{}.json">{}</a></li>')
    files = (
        link.format(data, sent.machine.id, one.interpreter.id, one.interpreter.title)
        for one in sent.results
    )
    lead = Markup("<p>{}</p>").format(words.text("contributed_files"))
    return lead + Markup("<ul>{}</ul>").format(join(files))
