"""Charts of an experiment: its programs in rows of dots, lines over tasks, and memory over a trial."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from markupsafe import Markup

from poolwise.metrics import find_unit
from poolwise.record import TracePoint, Variant
from poolwise.statistics import Estimate
from scripts.site.judge.agreement import GAIN, Key, list_values, locate_value
from scripts.site.judge.evidence import Evidence, Judgement, Rows
from scripts.site.judge.noise import find_wait
from scripts.site.judge.rows import select_family
from scripts.site.judge.samples import estimate_ratio
from scripts.site.render.estimates import (
    READINGS_S,
    format_value,
    make_point,
    stack_alike,
    tell_ratio,
)
from scripts.site.render.html import program_anchor, table
from scripts.site.render.names import (
    add_interpreter,
    describe,
    group_methods,
    name_axis,
    name_family,
    name_metrics,
    name_place,
    tell_sizes,
    title_program,
)
from scripts.site.render.plot import (
    FEWEST_JOINED,
    NO_FINDING,
    Finding,
    Plot,
    Row,
    Sign,
    add_unit,
    are_far_apart,
    fold,
    group,
    is_crushed,
    leave_out_single,
    make_prefix,
    pivot,
    show_note,
    show_nothing,
    show_sign,
)
from scripts.site.render.seen import see, see_lines, see_waits
from scripts.site.render.svg import KINDS, Pen, find_colour
from scripts.site.render.words import MIB, Words, capitalise


def draw_family(
    evidence: Evidence,
    words: Words,
    family: str,
    metric: str | Sequence[str] = "inside_s",
    *,
    programs: Sequence[str] = (),
    cores: int | None = None,
    finding: Finding = NO_FINDING,
) -> Markup:
    """Draw a dot per program and core count at its median, the interval through it.

    Of several interpreters it shows the first that ran any program of the family, of several numbers
    of tasks the most. Of several metrics, which are of one unit, each has a line. ``programs`` and
    ``cores`` are the only ones, none for all. ``finding`` is the claim which it shows.
    """
    metrics = [metric] if isinstance(metric, str) else list(metric)
    members = evidence.rows.where(family=family).first_python(evidence.interpreters)
    measured = Rows(
        row
        for row in members.largest().measured
        if row.median(metrics[0])
        and (not programs or row.program in programs)
        and cores in (None, row.cores)
    )
    if not measured:
        return show_nothing(words)
    counts = measured.values("cores")[::-1]
    lines = [(count, name) for count in counts for name in metrics]
    names: list[str] = []
    for count, name in lines:
        parts = [words.metric(name)] if len(metrics) > 1 else []
        if len(counts) > 1 or not parts:
            parts.append(words.count("cores_nominative", count))
        names.append(", ".join(parts))
    rows: list[Row] = []
    claimed = list_values(finding.check)
    for program in evidence.experiment.programs:
        title = title_program(evidence.experiment, program.name, words)
        for place, (count, name) in enumerate(lines):
            pen, what = Pen(find_colour(program.ways[-1]), place), names[place].partition(" (")[0]
            tooltip = f"{title}, {what}"
            judgements = measured.where(cores=count, program=program.name)
            for judged in judgements:
                parts = [what] if len(lines) > 1 else []
                parts += tell_sizes(judged, judgements, words)
                row = Row(series=title, name=", ".join(parts), pen=pen, x=place, tooltip=tooltip)
                value = _find_value(judged, name, claimed)
                rows.append(row.fill(value, name, words, judged.record))
    if set(metrics) <= READINGS_S.keys():
        rows = _round_alike(rows, [name for _, name in lines], words)
    family_name = name_family(evidence, family, words)
    drawn, note = leave_out_single(rows, words)
    if len({row.name for row in drawn}) == 1:
        drawn = [replace(row, name="") for row in drawn]
    only = (metrics[0], "".join(map(program_anchor, programs)), cores)
    what = name_metrics(metrics, words)
    if not any(row.name for row in drawn):
        what += ", " + words.count("cores_nominative", counts[0])
    title = words.text("chart_title", metric=what, family=family_name)
    if not finding.sentence and len(metrics) == 1:
        finding = see([line[0] for line in group(drawn).values()], words)
    return Plot(
        prefix=make_prefix("chart", evidence.experiment.name, family, *only),
        title=add_interpreter(title, evidence, measured[0].variant),
        rows=drawn,
        words=words,
        axes=(name_axis(metrics, words), ""),
        is_log=are_far_apart(drawn),
        finding=finding,
        signs=_list_kinds(drawn, words),
        below=note + pivot(rows, words, title, words.text("program"), names),
    ).show()


def _find_value(judged: Judgement, metric: str, claimed: Mapping[Key, Estimate]) -> Estimate | None:
    """Find what a claim's sentence tells of a cell, or else what its own trials say."""
    return claimed.get(locate_value(metric, judged.record)) or judged.estimate(metric)


def _list_kinds(rows: Sequence[Row], words: Words) -> list[Sign]:
    """List the colours of kinds of workers, where a colour groups some series and another does others."""
    colours = sorted({row.pen.colour for row in rows})
    if not 1 < len(colours) < len(group(rows)):
        return []
    return [
        (show_sign(f"swatch series-{colour + 1}"), words.term("kind", KINDS[colour]))
        for colour in colours
    ]


def _round_alike(rows: Sequence[Row], metrics: Sequence[str], words: Words) -> list[Row]:
    """Round the times of a program alike, so that percentiles keep their order."""
    rounded: list[Row] = []
    for series in group(rows).values():
        values = [row.value for row in series]
        cells = stack_alike(values, [metrics[int(row.x)] for row in series], words)
        for row, cell in zip(series, cells, strict=True):
            if cell is not None:
                label = add_unit(str(cell).partition("<")[0], row.metric, words)
                rounded.append(replace(row, cell=cell, label=label))
    return rounded


# Lines: how what was measured grows with tasks.


# Sizes of which the largest is so many times the next would all stand on one spot but that.
CRAMPED = 10


def choose_pens(evidence: Evidence, variants: Iterable[Variant]) -> list[Pen]:
    """Choose a pen for each: a program has the same in every chart of its experiment.

    The colour goes by its kind of worker, the number by its place among those of the kind. Further
    variants of a program in a chart get pens that are no program's.
    """
    counts: dict[int, int] = defaultdict(int)
    usual: dict[str, Pen] = {}
    for program in evidence.experiment.programs:
        colour = find_colour(program.ways[-1])
        usual[program.name] = Pen(colour, counts[colour])
        counts[colour] += 1
    pens: list[Pen] = []
    for variant in variants:
        pen = usual[variant.program]
        if pen in pens:
            pen = Pen(pen.colour, counts[pen.colour])
            counts[pen.colour] += 1
        pens.append(pen)
    return pens


def draw_lines(
    evidence: Evidence,
    words: Words,
    family: str,
    *,
    metric: str = "inside_s",
    programs: Sequence[str] = (),
    log: bool = False,
    finding: Finding = NO_FINDING,
) -> Markup:
    """Draw a line per program through its medians, by number of tasks, on the most cores.

    Of several numbers of workers with as many tasks it is that with most. ``programs`` are the only
    ones of the family, none for all. ``log`` makes both scales logarithmic, as they are without where
    a line would be crushed. ``finding`` is the claim which it shows.

    Raises:
        ValueError: the family has no such program.
    """
    chosen = select_family(evidence, family, programs)
    methods = group_methods(evidence, chosen, words)
    pens = choose_pens(evidence, (points[0].record.variant for points in methods.values()))
    profile = evidence.experiment.profiles[evidence.find_profile(family)]
    has_floor = family in profile.task_wait_s and find_unit(metric) == "s"
    claimed = list_values(finding.check)
    rows: list[Row] = []
    for (name, points), pen in zip(methods.items(), pens, strict=True):
        if not any(point.estimate(metric) for point in points):
            continue
        points.sort(key=lambda point: (point.tasks, point.workers))
        # Of as many tasks the point with most workers comes last, and stays.
        for point in {point.tasks: point for point in points}.values():
            floor = find_wait(profile, point.variant) if has_floor else 0.0
            tooltip = describe(evidence, point.variant, words)
            row = Row(series=name, pen=pen, x=point.tasks, floor=floor, tooltip=tooltip)
            value = _find_value(point, metric, claimed)
            rows.append(row.fill(value, metric, words, point.record))
    if not rows:
        return show_nothing(words)
    if not finding.sentence:
        finding = see_lines([row for row in rows if row.value], words)
    title = words.text(
        "lines_title",
        metric=capitalise(words.metric(metric)),
        family=name_family(evidence, family, words),
        cores=name_place(evidence, chosen[0].record.variant, words),
    )
    parts = (metric, "".join(map(program_anchor, programs)), "log" * log)
    plot = Plot(
        prefix=make_prefix("lines", evidence.experiment.name, family, *parts),
        title=title,
        rows=rows,
        words=words,
        mark="lines",
        axes=(words.text("axis_tasks"), name_axis([metric], words)),
        is_log=log or _is_crushed(rows),
        finding=finding,
        below=pivot(rows, words, title, words.text("axis_tasks")),
    )
    if len({row.x for row in plot.drawn}) < FEWEST_JOINED:
        counted = [replace(row, name=words.count("tasks", row.x)) for row in plot.drawn]
        is_log = are_far_apart(counted)
        axes, signs = (plot.axes[1], ""), _list_kinds(counted, words)
        plot = replace(plot, rows=counted, mark="dots", axes=axes, is_log=is_log, signs=signs)
    return plot.show()


def _is_crushed(rows: Sequence[Row]) -> bool:
    """Tell whether a scale from nought would press lines flat against it, or points together."""
    highest: dict[str, float] = defaultdict(float)
    for row in rows:
        if row.value:
            highest[row.series] = max(highest[row.series], row.value.median)
    sizes = sorted({row.x for row in rows})
    is_cramped = len(sizes) > 2 and sizes[-1] > CRAMPED * sizes[-2]
    return is_cramped or is_crushed(highest.values())


# Waits: what waiting side by side gains, by how long the server waits.


def draw_waits(evidence: Evidence, words: Words, families: Sequence[str]) -> Markup:
    """Draw how many times the tasks of the baseline each program does meanwhile, by the server's wait.

    Each of ``families`` has another ``SERVER_WAIT_MS``; programs of different numbers of tasks are
    compared by the time of one.
    """
    metric = "wall_per_task_s"
    baseline = evidence.experiment.family(families[0]).baseline
    rows: list[Row] = []
    for family in families:
        members = evidence.rows.where(family=family).first_python(evidence.interpreters).measured
        plain = next(iter(members.where(program=baseline)), None)
        if plain is None:
            continue
        others = [row for row in members if row.variant.program != baseline]
        pens = choose_pens(evidence, (row.variant for row in others))
        for other, pen in zip(others, pens, strict=True):
            ratio = estimate_ratio(plain.sample(metric), other.sample(metric))
            wait_ms = float(other.variant.params["SERVER_WAIT_MS"])
            series = title_program(evidence.experiment, other.variant.program, words)
            gain = tell_ratio(ratio, words)
            wait = format_value(wait_ms / 1000, "wall_s", words)
            row = Row(series=series, pen=pen, value=ratio, x=wait_ms, cell=gain, metric=GAIN)
            tooltip = f"{series}, {wait}: {gain}"
            rows.append(replace(row, tooltip=tooltip, record=other.record))
    if not rows:
        return show_nothing(words)
    plainest = title_program(evidence.experiment, baseline, words)
    title = words.text("waits_title", baseline=plainest)
    return Plot(
        prefix=make_prefix("lines", evidence.experiment.name, families[0], metric),
        title=title,
        rows=rows,
        words=words,
        mark="lines",
        axes=(words.text("axis_wait"), words.text("axis_gain")),
        is_log=True,
        finding=see_waits(rows, words),
        below=pivot(rows, words, title, words.text("axis_wait")),
    ).show()


# Traces: memory over the time of one trial.


MARKS = 8  # along a line, so that it can be read


def draw_traces(
    evidence: Evidence, words: Words, family: str, *, programs: Sequence[str] = ()
) -> Markup:
    """Draw the last traced trial of each program, at the most tasks and workers that were traced.

    It is the memory of the whole process tree.

    Raises:
        ValueError: the family has no such program.
    """
    traces = _list_traces(evidence, family, programs)
    if not traces:
        return show_note(words.text("traces_nothing", profile=evidence.find_profile(family)))
    rows: list[Row] = []
    peaks: list[Row] = []
    cells = []
    pens = choose_pens(evidence, traces)
    for (variant, trace), pen in zip(traces.items(), pens, strict=True):
        series = describe(evidence, variant, words)
        peak = max(trace, key=itemgetter(1))
        # Some points have a tooltip, so that the line can be read, and its peak.
        marked = {*trace[:: -(-len(trace) // MARKS)], peak, trace[-1]}
        for point in trace:
            time_s, size_bytes = point[:2]
            size = make_point(size_bytes / MIB)
            row = Row(series=series, pen=pen, value=size, x=time_s, metric="pss_bytes")
            if point in marked:
                time, value = words.seconds(time_s, 2), words.memory(size_bytes)
                tooltip = words.text("trace_point", program=series, time=time, value=value)
                row = replace(row, tooltip=tooltip)
            rows.append(row)
        name = title_program(evidence.experiment, variant.program, words)
        highest = replace(make_point(peak[1] / MIB), is_sure=False)
        peaks.append(Row(series=name, value=highest, metric="peak_pss_bytes"))
        took = words.seconds(trace[-1][0] - trace[0][0], 2)
        cells.append((series, words.memory(peak[1]), took))
    heads = words.texts("program", "trace_peak", "trace_end")
    numbers = table(words, words.text("traces_table"), heads, cells, kind="sizes")
    parts = ("memory", "".join(map(program_anchor, programs)), "overlay")
    place = name_place(evidence, next(iter(traces)), words)
    return Plot(
        prefix=make_prefix("traces", evidence.experiment.name, family, *parts),
        title=words.text("traces", family=name_family(evidence, family, words), cores=place),
        rows=rows,
        words=words,
        mark="lines",
        axes=(words.text("axis_trace_time"), words.text("axis_trace")),
        finding=see(peaks, words),
        below=show_note(words.text("traces_note")) + fold(numbers, words),
    ).show()


def _list_traces(
    evidence: Evidence, family: str, programs: Sequence[str]
) -> dict[Variant, Sequence[TracePoint]]:
    """List the largest that was traced of each program and start method."""
    largest: dict[Variant, Sequence[TracePoint]] = {}
    members = select_family(evidence, family, programs).by("program", "start_method")
    for rows in members.values():
        traces = {row.variant: row.record.traced[-1].trace for row in rows if row.record.traced}
        readable = [variant for variant, trace in traces.items() if len(trace) > 1]
        if readable:
            most = max(readable, key=lambda variant: (variant.tasks, variant.workers))
            largest[most] = traces[most]
    return largest
