"""Names and signs: what families, places, programs and metrics are called, and how verdicts are marked."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import get_args

from markupsafe import Markup

from poolwise.experiment import Experiment
from poolwise.metrics import find_unit
from poolwise.pythons import Interpreter
from poolwise.record import DISTURBED_SHARE, Variant
from poolwise.statistics import FEWEST
from scripts.site.judge import noise
from scripts.site.judge.claims import STANDINGS, Standing
from scripts.site.judge.evidence import Evidence, Judgement
from scripts.site.judge.verdicts import Verdict
from scripts.site.render.html import Cell, join, link_program, prose, slug, small, table
from scripts.site.render.words import Words, capitalise

_AROUND_UNIT = re.compile(r", | \(")
UNITS = {"s": "s", "CPU s": "s", "bytes": "MiB"}
"""The unit of an axis, by the unit of its metric."""


def name_experiment(experiment: Experiment, words: Words) -> str:
    """The title of its page; without a page of its own, what the catalogue calls it."""
    if experiment.navigation:
        return words.choose(experiment.navigation.title)
    return words.term_if_known("experiment", experiment.name)


def name_family(evidence: Evidence, family: str, words: Words) -> str:
    """The title that the experiment gives a family."""
    return words.choose(evidence.experiment.family(family).title)


def name_place(evidence: Evidence, variant: Variant, words: Words, *, form: str = "cores") -> str:
    """Name a place of measurement: ``2 cores``, with the interpreter where there are several."""
    return add_interpreter(words.count(form, variant.cores), evidence, variant)


def add_interpreter(name: str, evidence: Evidence, variant: Variant) -> str:
    """A name, followed by the interpreter where there are several."""
    mark = "" if name.endswith("?") else ","
    return f"{name}{mark} {variant.interpreter}" if len(evidence.interpreters) > 1 else name


def name_python(python: Interpreter, among: Iterable[Interpreter]) -> str:
    """Name a Python by its minor version, ``3.14t``, if it is the only one of it and a final release."""
    is_final = python.version.replace(".", "").isdecimal() and not python.other
    alike = sum(other.name == python.name for other in among)
    return python.name if is_final and alike == 1 else python.id.removeprefix("cpython-")


def title_program(experiment: Experiment, name: str, words: Words) -> str:
    """What people call a program; its file where it has no name, or is no longer declared."""
    titles = {program.name: program.title for program in experiment.programs}
    return words.choose(titles[name]) if titles.get(name) else name


def link_title(
    evidence: Evidence, program: str, words: Words, details: Iterable[str] = ()
) -> Markup:
    """A program by what people call it, as it names a row, with what the row differs by."""
    title = title_program(evidence.experiment, program, words)
    return link_program(program, title) + small(", ".join(details))


def tell_sizes(
    row: Judgement, among: Sequence[Judgement], words: Words, names: Iterable[str] = ("workers",)
) -> list[str]:
    """Tell the start method and the sizes of a row, as far as others of the table have others."""
    sizes = [
        words.count(name, getattr(row, name))
        for name in names
        if len({getattr(row, name) for row in among}) > 1
    ]
    several = len({row.record.start_method for row in among} - {None}) > 1
    method = row.record.start_method
    return [method, *sizes] if method and several else sizes


def name_method(evidence: Evidence, variant: Variant, words: Words) -> str:
    """What people call the program, with its start method if it is measured with several."""
    experiment = evidence.experiment
    title = title_program(experiment, variant.program, words)
    methods = experiment.program(variant.program).start_methods or experiment.start_methods
    several = variant.start_method and len(methods) > 1
    return f"{title}, {variant.start_method}" if several else title


def group_methods(
    evidence: Evidence, judgements: Iterable[Judgement], words: Words
) -> dict[str, list[Judgement]]:
    """Judgements by the name of their program and start method, in the order in which they come."""
    groups: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        groups[name_method(evidence, judgement.variant, words)].append(judgement)
    return groups


def describe(evidence: Evidence, variant: Variant, words: Words) -> str:
    """A tooltip's beginning: the program with its sizes."""
    tasks, workers = words.count("tasks", variant.tasks), words.count("workers", variant.workers)
    return f"{name_method(evidence, variant, words)}, {tasks}, {workers}"


def name_metrics(metrics: Sequence[str], words: Words) -> str:
    """Name metrics, as a title does: of several each without its unit."""
    names = list(map(words.metric, metrics))
    if len(names) > 1:
        names = [_AROUND_UNIT.split(name)[0] for name in names]
    return capitalise(", ".join(names))


def name_axis(metrics: Sequence[str], words: Words) -> str:
    """Name the scale of metrics that share one: the metric and its unit, of several the unit."""
    name, unit = words.metric(metrics[0]), find_unit(metrics[0])
    if unit in UNITS:
        unit_name = words.term("unit", UNITS[unit])
        return f"{name}, {unit_name}" if len(metrics) == 1 else unit_name
    return name if len(metrics) == 1 else _AROUND_UNIT.split(name)[-1].rstrip(")")


# The signs of verdicts, claims and noise, and what they mean.

ICONS: dict[Verdict | Standing, str] = {
    "confirmed": "✔",
    "refuted": "✖",
    "not applicable": "–",
    "not measured": "–",
    "recommended": "✔",
    "as good": "=",
    "costs more": "◐",
    "gains nothing": "○",
    "disqualified": "✖",
    "borderline": "≈",
    "open": "?",
}


def show_verdict(verdict: Verdict | None, words: Words) -> Markup:
    """An icon and a word; what it means on hovering."""
    return _show(verdict, "verdict", "verdict verdict", words) if verdict else Markup("—")


def show_status(status: Standing, words: Words) -> Markup:
    """An icon and a word; what it means on hovering."""
    return _show(status, "claim_status", "claim-status claim", words)


def show_sign(status: Standing, words: Words) -> Markup:
    """The icon alone, before a sentence that says what came of it; its word and meaning on hovering."""
    word, meaning = words.term("claim_status", status), words.term("claim_status_help", status)
    return Markup('<span class="claim-status claim-{}" role="img" title="{}: {}">{}</span>').format(
        slug(status), word, meaning, ICONS[status]
    )


def name_status(status: Standing, words: Words) -> str:
    """The same as plain text, for lines below a claim that has its own in full."""
    return f"{ICONS[status]}\N{NO-BREAK SPACE}{words.term('claim_status', status)}"


def _show(name: Verdict | Standing, group: str, kind: str, words: Words) -> Markup:
    word, meaning = words.term(group, name), words.term(f"{group}_help", name)
    return Markup(
        '<span class="{}-{}" title="{}"><span aria-hidden="true">{}</span>\N{NO-BREAK SPACE}{}</span>'
    ).format(kind, slug(name), meaning, ICONS[name], word)


def cell_gain(
    verdict: Verdict | None, gain: tuple[str, str], words: Words, *, kind: str = ""
) -> Cell:
    """A cell with a gain and its ends, after the icon of its verdict; what that means on hovering."""
    middle, ends = gain
    classes, title = ["number", "gain", kind], Markup()
    if verdict:
        middle = f"{ICONS[verdict]} {middle}"
        classes += ["verdict", f"verdict-{slug(verdict)}"]
        name, meaning = words.term("verdict", verdict), words.term("verdict_help", verdict)
        title = Markup(' title="{}: {}"').format(name, meaning)
    return Cell('<td class="{}"{}>{}{}</td>').format(
        " ".join(filter(None, classes)), title, middle, small(ends)
    )


def show_flags(flags: Sequence[str], words: Words) -> Markup:
    """Noise flags in a line; what they mean on hovering."""
    shape = Markup('<abbr title="{}">{}</abbr>')
    marks = [shape.format(explain_flag(flag, words), words.term("noise", flag)) for flag in flags]
    marked = Markup('<small class="noise">{}</small>').format(join(marks, ", "))
    return marked if marks else Markup()


def explain_flag(flag: str, words: Words) -> str:
    """Explain a noise flag, with the real thresholds in it."""
    explanation: str = words.term("noise_help", flag)
    return explanation.format(
        few=words.number(FEWEST, 0),
        spread=words.percent(noise.WIDE_SPREAD),
        maximum=words.plain(noise.FAR_MAXIMUM),
        outlier=words.plain(noise.OUTLIER_SCORE),
        server=words.percent(noise.BUSY_SERVER),
        disturbed=words.percent(DISTURBED_SHARE),
        slowed=words.percent(noise.SLOWED),
    )


def explain_signs(content: Markup, words: Words, method: str) -> Markup:
    """Lead from a block with signs or flags to the legend on the page *Method*; or nothing."""
    is_signed = "verdict verdict-" in content or "claim-status claim-" in content
    if not is_signed and 'class="noise"' not in content:
        return Markup()
    link = Markup('<p class="explore-link"><a href="{}#{}">{}</a></p>')
    return link.format(method, "verdicts" if is_signed else "statistics", words.text("signs_mean"))


def show_noise_legend(words: Words) -> Markup:
    """Show every noise flag with its meaning."""
    rows = [(words.term("noise", flag), prose(explain_flag(flag, words))) for flag in noise.FLAGS]
    head = words.texts("noise", "meaning")
    return table(words, words.text("noise_caption"), head, rows, kind="legend")


def show_verdict_legend(words: Words) -> Markup:
    """Show every verdict and every status of a claim with its meaning."""
    rows = [
        (show_verdict(verdict, words), words.term("verdict_help", verdict))
        for verdict in get_args(Verdict)
    ]
    rows += [
        (show_status(status, words), words.term("claim_status_help", status))
        for status in STANDINGS
    ]
    legend = [(sign, prose(meaning)) for sign, meaning in rows]
    head = words.texts("verdict", "meaning")
    return table(words, words.text("verdict_legend"), head, legend, kind="legend")
