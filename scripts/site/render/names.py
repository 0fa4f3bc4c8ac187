"""Names: what a chart or a table calls a family, a place, a program, a metric."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from scripts.harness.experiment import Experiment
from scripts.harness.metrics import find_unit
from scripts.harness.record import Variant
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.render.html import link_program, small
from scripts.site.render.words import Words, capitalise

_AROUND_UNIT = re.compile(r", | \(")
UNITS = {"s": "s", "CPU s": "s", "bytes": "MiB"}
"""The unit of an axis, by the unit of its metric."""


def name_experiment(experiment: Experiment, words: Words) -> str:
    """The title of its page, or its name if it has none of its own."""
    return words.choose(experiment.navigation.title) if experiment.navigation else experiment.name


def name_family(evidence: Evidence, family: str, words: Words) -> str:
    """The title that the experiment gives a family."""
    return words.choose(evidence.experiment.family(family).title)


def name_place(evidence: Evidence, variant: Variant, words: Words, *, form: str = "cores") -> str:
    """Name a place of measurement: ``2 cores``, with the interpreter where there are several.

    ``form`` names the plural forms of cores that the sentence wants.
    """
    return add_interpreter(words.count(form, variant.cores), evidence, variant)


def add_interpreter(name: str, evidence: Evidence, variant: Variant) -> str:
    """A name, followed by the interpreter where there are several."""
    mark = "" if name.endswith("?") else ","
    return f"{name}{mark} {variant.interpreter}" if len(evidence.interpreters) > 1 else name


def title_program(experiment: Experiment, name: str, words: Words) -> str:
    """What people call a program; its file where it has no name, or is no longer declared."""
    titles = {one.name: one.title for one in experiment.programs}
    return words.choose(titles[name]) if titles.get(name) else name


def link_title(
    evidence: Evidence, program: str, words: Words, details: Iterable[str] = ()
) -> Markup:
    """A program by what people call it, as it names a row, with what the row differs by."""
    title = title_program(evidence.experiment, program, words)
    return link_program(program, title) + small(", ".join(details))


def tell_sizes(
    row: Judgement, among: Iterable[Judgement], words: Words, names: Iterable[str] = ("workers",)
) -> list[str]:
    """Tell the start method and the sizes of a row, as far as others of the table have others."""
    among = list(among)
    sizes = [
        words.count(name, getattr(row, name))
        for name in names
        if len({getattr(one, name) for one in among}) > 1
    ]
    several = len({one.start_method for one in among} - {None}) > 1
    return [row.start_method, *sizes] if row.start_method and several else sizes


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
    names = [words.metric(one) for one in metrics]
    if len(names) > 1:
        names = [_AROUND_UNIT.split(one)[0] for one in names]
    return capitalise(", ".join(names))


def name_axis(metrics: Sequence[str], words: Words) -> str:
    """Name the scale of metrics that share one: the metric and its unit, of several the unit."""
    name, unit = words.metric(metrics[0]), find_unit(metrics[0])
    if unit in UNITS:
        unit_name = words.term("unit", UNITS[unit])
        return f"{name}, {unit_name}" if len(metrics) == 1 else unit_name
    return name if len(metrics) == 1 else _AROUND_UNIT.split(name)[-1].rstrip(")")
