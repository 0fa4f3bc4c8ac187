"""Lines: how what was measured grows with tasks, cores and workers, and memory over a trial."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from scripts.harness.metrics import find_unit
from scripts.harness.record import Record, Variant
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.laws import FEWEST_POINTS, Points, fit_amdahl, fit_scaling
from scripts.site.judge.rows import Rows, select_family
from scripts.site.judge.verdicts import GAIN_MARGIN
from scripts.site.render.estimates import make_point
from scripts.site.render.html import program_anchor, table
from scripts.site.render.names import (
    describe,
    group_methods,
    name_axis,
    name_family,
    name_place,
    title_program,
)
from scripts.site.render.plot import (
    Curve,
    Plot,
    Row,
    Sign,
    fold,
    is_crushed,
    make_prefix,
    pivot,
    show_key,
    show_note,
    show_nothing,
    show_sign,
)
from scripts.site.render.svg import Pen, find_colour
from scripts.site.render.words import MIB, Words, capitalise

CRAMPED = 10
"""Sizes of which the largest is so many times the next would all stand on one spot but that."""
LONGEST_NAME = 20
"""In characters, at the end of a line; the legend has the longer ones."""


@dataclass(frozen=True, slots=True)
class Series:
    """One program with its points in the order of their numbers of tasks."""

    name: str
    pen: Pen
    points: tuple[Judgement, ...]


def list_series(
    evidence: Evidence,
    words: Words,
    family: str,
    programs: Sequence[str],
    most: float = math.inf,
) -> list[Series]:
    """List series in the order of the programs, each by number of tasks up to the most.

    Of several numbers of workers with as many tasks it is that with most.
    """
    chosen = select_family(evidence, family, programs)
    members = group_methods(evidence, (one for one in chosen if one.tasks <= most), words)
    pens = choose_pens(evidence, (points[0].record.variant for points in members.values()))
    series = []
    for (name, points), pen in zip(members.items(), pens, strict=True):
        points.sort(key=lambda one: (one.tasks, one.workers))
        by_tasks = {one.tasks: one for one in points}
        series.append(Series(name, pen, tuple(by_tasks.values())))
    return series


def choose_pens(evidence: Evidence, variants: Iterable[Variant]) -> list[Pen]:
    """Choose a pen for each: a program has the same in every chart of its experiment.

    The colour goes by its kind of worker, the number by its place among those of the kind. Further
    variants of a program in a chart get pens that are no program's.
    """
    counts: dict[int, int] = defaultdict(int)
    own: dict[str, Pen] = {}
    for program in evidence.experiment.programs:
        colour = find_colour(program.ways[-1])
        own[program.name] = Pen(colour, counts[colour])
        counts[colour] += 1
    pens: list[Pen] = []
    for variant in variants:
        pen = own[variant.program]
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
    most: int | None = None,
    log: bool = False,
    sentence: str = "",
) -> Markup:
    """Draw a line per program through its medians, by number of tasks, on the most cores.

    Args:
        evidence: of the experiment.
        words: of the page's language.
        family: whose programs these are.
        metric: what the lines show.
        programs: the only ones; none for all.
        most: bounds the numbers of tasks.
        log: make both scales logarithmic, as they are without where a line would be crushed.
        sentence: that of the claim which it shows.

    Raises:
        ValueError: the family has no such program.
    """
    found = list_series(evidence, words, family, programs, most or math.inf)
    series = [line for line in found if any(one.estimate(metric) for one in line.points)]
    if not series:
        return show_nothing(words)
    variant = series[0].points[0].record.variant
    place, name = name_place(evidence, variant, words), name_family(evidence, family, words)
    metric_name = capitalise(words.metric(metric))
    title = words.text("lines_title", metric=metric_name, family=name, cores=place)
    rows = [row for line in series for row in _list_rows(line, metric, evidence, words)]
    floors = _list_floors(evidence, family, series) if find_unit(metric) == "s" else []
    signs: list[Sign] = []
    if floors:
        signs.append((show_sign("level"), words.text("floor")))
    chosen = "".join(map(program_anchor, programs))
    parts = (metric, chosen, most, "log" * log)
    return Plot(
        prefix=make_prefix("lines", evidence.experiment.name, family, *parts),
        title=title,
        rows=rows,
        words=words,
        mark="lines",
        axes=(words.text("axis_tasks"), name_axis([metric], words)),
        is_log=log or _is_crushed(rows),
        sentence=sentence,
        signs=signs,
        curves=floors,
        names=[line.name for line in series if len(line.name) <= LONGEST_NAME],
        below=_show_table(rows, title, words),
    ).show()


def _list_rows(line: Series, metric: str, evidence: Evidence, words: Words) -> list[Row]:
    """List the values of a line, in the unit of the axis."""
    return [
        Row(
            series=line.name,
            pen=line.pen,
            x=one.tasks,
            told=describe(evidence, one.variant, words),
        ).fill(one.estimate(metric), metric, words)
        for one in line.points
    ]


def _is_crushed(rows: Sequence[Row]) -> bool:
    """Tell whether a scale from nought would press lines flat against it, or points together."""
    medians: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.value:
            medians[row.series].append(row.value.median)
    sizes = sorted({row.x for row in rows})
    is_cramped = len(sizes) > 2 and sizes[-1] > CRAMPED * sizes[-2]
    is_positive = min(map(min, medians.values())) > 0 and sizes[0] > 0
    return is_positive and (is_cramped or is_crushed(map(max, medians.values())))


def _list_floors(evidence: Evidence, family: str, lines: Sequence[Series]) -> list[Curve]:
    """List what waiting does not let the lines go below, in seconds.

    There is none where the family declares no wait of a task.
    """
    if not evidence.experiment.profiles[evidence.profile].task_wait_s.get(family):
        return []
    floors: set[tuple[tuple[int, float], ...]] = set()
    for line in lines:
        floors.add(tuple((one.tasks, one.floor_s) for one in line.points if one.floor_s))
    return [([x for x, _ in floor], [y for _, y in floor]) for floor in sorted(floors)]


def _show_table(rows: Sequence[Row], title: str, words: Words) -> Markup:
    """Show a row for each number of tasks, a column for each line."""
    columns = list(dict.fromkeys(row.series for row in rows))
    return pivot(
        sorted((row for row in rows if row.value), key=lambda row: row.x),
        words,
        title,
        words.text("axis_tasks"),
        lambda row: words.number(row.x, 0),
        lambda row: row.series,
        lambda row: columns.index(row.series),
    )


# Traces: memory over the time of one trial.


MARKS = 8
"""So many points stand along a line."""

Trace = NDArray[np.float64]
"""Two rows: seconds, and the bytes at each."""


def draw_traces(
    evidence: Evidence,
    words: Words,
    family: str,
    *,
    programs: Sequence[str] = (),
    workers: int | None = None,
) -> Markup:
    """Draw the last traced trial of each program, at the most tasks and workers that were traced.

    It is the memory of the whole process tree. Of programs measured with several numbers of workers
    ``workers`` chooses one.

    Raises:
        ValueError: the family has no such program.
    """
    traces = _list_traces(evidence, family, programs, workers)
    if not traces:
        return show_note(words.text("traces_nothing", profile=evidence.profile))
    variants = list(traces)
    told = None if workers is None else max(one.workers for one in variants)
    name = _name_selection(evidence, words, family, programs, told)
    rows: list[Row] = []
    cells = []
    paths: dict[str, Curve] = {}
    pens = choose_pens(evidence, variants)
    for variant, pen in zip(variants, pens, strict=True):
        series, trace = describe(evidence, variant, words), traces[variant]
        rows += _list_moments(series, pen, trace, words)
        times, used = trace
        paths[series] = times.tolist(), (used / MIB).tolist()
        cells.append((series, words.memory(max(used)), words.seconds(times[-1] - times[0], 2)))
    heads = words.texts("program", "trace_peak", "trace_end")
    numbers = table(words, words.text("traces_table"), heads, cells, kind="sizes")
    parts = ("memory", "".join(map(program_anchor, programs)), workers, "overlay")
    return Plot(
        prefix=make_prefix("traces", evidence.experiment.name, family, *parts),
        title=words.text("traces", family=name, cores=name_place(evidence, variants[0], words)),
        rows=rows,
        words=words,
        mark="lines",
        axes=(words.text("axis_trace_time"), words.text("axis_trace")),
        paths=paths,
        below=show_note(words.text("traces_note")) + fold(numbers, words),
    ).show()


def _name_selection(
    evidence: Evidence, words: Words, family: str, programs: Sequence[str], workers: int | None
) -> str:
    """Name the family, and what a page has chosen of it: it may show several charts of one family.

    ``workers`` are those that were measured, which a small profile has fewer of than were asked for.
    """
    name = name_family(evidence, family, words)
    if programs:
        titles = (title_program(evidence.experiment, one, words) for one in programs)
        name += f" ({' · '.join(titles)})"
    return f"{name}, {words.count('workers', workers)}" if workers else name


def _list_traces(
    evidence: Evidence, family: str, programs: Sequence[str], workers: int | None
) -> dict[Variant, Trace]:
    """List the largest that was traced of each program and start method."""
    largest: dict[Variant, Trace] = {}
    members = select_family(evidence, family, programs).by("program", "start_method")
    for found in members.values():
        several = len({one.workers for one in found}) > 1
        readable = {
            one.record.variant: trace
            for one in found
            if workers is None or not several or one.workers == workers
            if (trace := read_trace(one.record)) is not None
        }
        if readable:
            most = max(readable, key=lambda one: (one.tasks, one.workers))
            largest[most] = readable[most]
    return largest


def _list_moments(name: str, pen: Pen, trace: Trace, words: Words) -> list[Row]:
    """List some points along a line, so that it can be told from others and read, and its peak."""
    times, used = trace
    spread = np.linspace(times[0], times[-1], min(MARKS, len(times)))
    places = {int(np.argmin(np.abs(times - moment))) for moment in spread}
    rows = []
    for place in sorted(places | {int(np.argmax(used))}):
        value = float(used[place])
        moment = words.seconds(times[place], 2)
        told = words.text("trace_point", program=name, time=moment, value=words.memory(value))
        point = make_point(value / MIB)
        rows.append(Row(series=name, pen=pen, value=point, x=float(times[place]), told=told))
    return rows


def read_trace(record: Record) -> Trace | None:
    """Read the last traced trial; ``None`` if it has too few points."""
    points = record.traced[-1].trace if record.traced else ()
    if len(points) < 2:
        return None
    return np.array([(seconds, pss_bytes) for seconds, pss_bytes, _ in points]).T


# Laws: points that were measured, and the law of scaling that comes nearest to them.


Law = Literal["amdahl", "little", "usl"]

FURTHER = 2
"""The curve goes on to so many times the most workers that were measured."""
PREDICTED_CORES = (8, 64)
"""What the law of Amdahl predicts for these is told, and its curve goes to the most of them."""
STEPS = 120


@dataclass(frozen=True, slots=True)
class _Fit:
    """Points as the axes have them, the law's curve, and what it says: a key and what fills it."""

    points: Points
    curve: Curve
    key: str
    places: dict[str, str]


def draw_law(
    evidence: Evidence, words: Words, law: Law, family: str, programs: Sequence[str]
) -> Markup:
    """Draw medians of programs by cores (Amdahl) or by workers, and the law's curve through them.

    With the most tasks of each, of the first interpreter that has any. Of too few points there is no law.
    """
    wait_s = evidence.experiment.profiles[evidence.profile].task_wait_s.get(family, 0.0)
    members = evidence.rows.where(family=family).first_python(evidence.interpreters)
    found = {name: members.where(program=name) for name in programs}
    fits = {name: fit for name, own in found.items() if (fit := _FITS[law](own, wait_s, words))}
    if not fits:
        return show_nothing(words)
    titles = {name: title_program(evidence.experiment, name, words) for name in fits}
    pens = choose_pens(evidence, (found[name][0].record.variant for name in fits))
    rows = [
        Row(
            series=titles[name],
            pen=pen,
            value=make_point(y),
            x=x,
            told=f"{titles[name]}: {_write(x, words)}; {_write(y, words)}",
            cell=_write(y, words),
        )
        for (name, fit), pen in zip(fits.items(), pens, strict=True)
        for x, y in fit.points
    ]
    title = words.text(f"law_{law}_title", family=name_family(evidence, family, words))
    axes = words.text(f"law_{law}_x"), words.text(f"law_{law}_y")
    told = [words.text(fit.key, program=titles[name], **fit.places) for name, fit in fits.items()]
    note = show_note(" ".join(f"{one}." for one in told))
    numbers = pivot(
        rows, words, title, axes[0], lambda row: _write(row.x, words), lambda row: row.series
    )
    anchors = "".join(map(program_anchor, fits))
    return Plot(
        prefix=make_prefix(law, evidence.experiment.name, family, anchors),
        title=title,
        rows=rows,
        words=words,
        mark="lines",
        axes=axes,
        signs=[
            (show_key(pen), words.text("law_fitted", program=titles[name]))
            for name, pen in zip(fits, pens, strict=True)
        ],
        paths={titles[name]: fit.curve for name, fit in fits.items()},
        is_model=True,
        below=note + numbers,
    ).show()


def _read(found: Rows, size: Literal["cores", "workers"]) -> list[Judgement]:
    """Those with a time of the work, ascending; of one size that with most workers, then most tasks."""
    timed = [one for one in found if one.median("inside_s")]
    timed.sort(key=lambda one: (one.workers, one.tasks))
    by_size = {getattr(one.record.variant, size): one for one in timed}
    return [by_size[number] for number in sorted(by_size)]


def _fit_amdahl(found: Rows, _wait_s: float, words: Words) -> _Fit | None:
    times_s = [
        (one.cores, one.median("inside_s") or 0.0) for one in _read(found.most("tasks"), "cores")
    ]
    if len(times_s) < 2 or times_s[0][0] != 1:
        return None
    share = fit_amdahl(times_s)
    cores = np.linspace(1, max(PREDICTED_CORES[-1], times_s[-1][0]), STEPS)
    least = [share + (1 - share) / one for one in (*PREDICTED_CORES, math.inf)]
    few, many, most = (words.count("times", 1 / one, 1) if one else "" for one in least)
    key = {0.0: "law_amdahl_all", 1.0: "law_amdahl_none"}.get(share, "law_amdahl_found")
    return _Fit(
        [(cores, times_s[0][1] / time_s) for cores, time_s in times_s],
        (cores.tolist(), (1 / (share + (1 - share) / cores)).tolist()),
        key,
        {"share": words.percent(share), "most": most, "few": few, "many": many},
    )


def _list_throughputs(found: Rows) -> Points:
    """Tasks a second by number of workers, on the most cores."""
    timed = _read(found.most("cores"), "workers")
    return [(one.workers, one.tasks / (one.median("inside_s") or 1)) for one in timed]


def _fit_little(found: Rows, wait_s: float, words: Words) -> _Fit | None:
    done = _list_throughputs(found)
    if len(done) < 2 or not wait_s:
        return None
    workers, most = done[-1]
    sizes = [one for one, _ in done]
    places = {
        "workers": words.count("workers", workers),
        "done": words.number(most, 0),
        "ideal": words.number(workers / wait_s, 0),
        "wait": words.measure(words.number(1000 * workers / most, 1), "ms"),
    }
    return _Fit(done, (sizes, [one / wait_s for one in sizes]), "law_little_found", places)


def _fit_usl(found: Rows, _wait_s: float, words: Words) -> _Fit | None:
    """Where the law has no peak near by, it says whether twice as many workers would still gain."""
    done = _list_throughputs(found)
    if len(done) < FEWEST_POINTS:
        return None
    scaling, tried = fit_scaling(done), done[-1][0]
    most = FURTHER * tried
    workers = np.linspace(1, most, STEPS).tolist()
    more = scaling.find_throughput(most) / scaling.find_throughput(tried)
    key = "law_usl_found" if more >= GAIN_MARGIN else "law_usl_flat"
    key = "law_usl_peak" if scaling.peak <= most else key
    places = {
        "contention": words.plain(float(f"{100 * scaling.contention:.2g}")),
        "coherency": words.plain(float(f"{100 * scaling.coherency:.2g}")),
        "peak": words.number(min(scaling.peak, most), 0),
        "workers": words.count("workers", most),
    }
    return _Fit(done, (workers, [scaling.find_throughput(one) for one in workers]), key, places)


_FITS: dict[Law, Callable[[Rows, float, Words], _Fit | None]] = {
    "amdahl": _fit_amdahl,
    "little": _fit_little,
    "usl": _fit_usl,
}


def _write(value: float, words: Words) -> str:
    """A number with three significant digits, or whole."""
    return words.number(value, max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0)
