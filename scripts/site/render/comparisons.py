"""Comparisons: what was measured of a family, a row of dots for each program."""

from collections.abc import Sequence

from markupsafe import Markup

from scripts.site.judge.judge import Evidence
from scripts.site.judge.rows import Rows
from scripts.site.render.names import (
    add_interpreter,
    name_axis,
    name_family,
    name_metrics,
    title_program,
)
from scripts.site.render.plot import (
    Plot,
    Row,
    is_crushed,
    make_prefix,
    pivot,
    show_key,
    show_nothing,
    show_sign,
)
from scripts.site.render.svg import KINDS, Pen, find_colour
from scripts.site.render.words import Words

OF_ONE_ORDER = ("wall_s", "inside_s")
"""Metrics whose scale begins at nought where no value is far from another; others differ by orders."""


def draw_family(
    evidence: Evidence,
    words: Words,
    family: str,
    metric: str | Sequence[str] = "inside_s",
    sentence: str = "",
) -> Markup:
    """Draw a dot per program and core count at its median, the interval through it.

    Of several interpreters it shows the first that ran any program of the family, of several numbers
    of tasks the most. Of several metrics, which are of one unit, each has a line. ``sentence`` is
    that of the claim which it shows.
    """
    metrics = [metric] if isinstance(metric, str) else list(metric)
    members = evidence.rows.where(family=family).first_python(evidence.interpreters)
    shown = Rows(one for one in members.largest().measured if one.median(metrics[0]))
    if not shown:
        return show_nothing(words)
    counts = shown.values("cores")[::-1]
    lines = [(count, name) for count in counts for name in metrics]
    names = [_name_line(line, lines, words) for line in lines]
    rows: list[Row] = []
    for program in evidence.experiment.programs:
        if family not in program.families:
            continue
        line, title = 0, title_program(evidence.experiment, program.name, words)
        for place, (cores, name) in enumerate(lines):
            for one in shown.where(cores=cores, program=program.name):
                row = Row(
                    series=title,
                    panel=title,
                    pen=Pen(find_colour(program.ways[-1]), place),
                    line=line,
                    x=place,
                    told=f"{title}, {names[place]}",
                )
                rows.append(row.fill(one.estimate(name), name, words))
                line += 1
    title = words.text(
        "chart_title",
        metric=name_metrics(metrics, words),
        family=name_family(evidence, family, words),
    )
    signs = [
        (show_key(Pen(number=number), is_muted=True), name) for number, name in enumerate(names)
    ]
    colours = sorted({row.pen.colour for row in rows})
    if len(colours) > 1:
        signs += [
            (show_sign(f"swatch series-{one + 1}"), words.term("kind", KINDS[one]))
            for one in colours
        ]
    medians = [row.value.median for row in rows if row.value]
    return Plot(
        prefix=make_prefix("chart", evidence.experiment.name, family, metrics[0]),
        title=add_interpreter(title, evidence, shown[0].variant),
        rows=rows,
        words=words,
        axes=(name_axis(metrics, words), ""),
        is_log=not set(metrics) <= set(OF_ONE_ORDER) or is_crushed(medians),
        sentence=sentence,
        signs=signs,
        below=pivot(
            rows,
            words,
            title,
            words.text("program"),
            lambda row: row.series,
            lambda row: names[int(row.x)],
        ),
    ).show()


def _name_line(line: tuple[int, str], lines: Sequence[tuple[int, str]], words: Words) -> str:
    """Name a line by its cores, or where there are several metrics by its metric, and what differs."""
    count, metric = line
    cores = words.count("cores_nominative", count)
    if len({name for _, name in lines}) == 1:
        return cores
    name = words.metric(metric)
    return f"{name}, {cores}" if len({other for other, _ in lines}) > 1 else name
