"""Laws: points that were measured, and the law of scaling that comes nearest to them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement
from scripts.judge.laws import FEWEST_POINTS, Points, fit_amdahl, fit_scaling
from scripts.judge.selection import choose_end, choose_interpreter, select_cells
from scripts.render.chart import Chart, fold, make_prefix, show_key, show_note, show_nothing
from scripts.render.curves import FLOOR, HEIGHT_PT, LEFT_PT, RIGHT_PT, TOP_PT
from scripts.render.html import cell, program_anchor, row_header, table
from scripts.render.labels import Curve
from scripts.render.names import name_family
from scripts.render.panel import Figure, add_panel, dress, find_width
from scripts.render.pen import Pen
from scripts.render.series import choose_pens
from scripts.render.svg import MUTED
from scripts.render.words import Words

Law = Literal["amdahl", "little", "usl", "latency"]

BOTTOM_PT = 36
DIGIT_PT = 8
"""What a letter of the highest number at the axis takes, with room beside it."""
FURTHER = 2
"""The curve goes on to so many times the most workers that were measured."""
MOST_CORES = 16
"""To so many at least that of Amdahl does."""
STEPS = 120


@dataclass(frozen=True, slots=True)
class _Fit:
    """Points as the axes have them, the law's curve, and what it says in a sentence."""

    points: Points
    curve: Curve
    told: str


def draw_law(
    evidence: Evidence, words: Words, law: Law, family: str, programs: Sequence[str]
) -> Markup:
    """Medians of programs by cores (Amdahl) or by workers, and the law's curve through them.

    With most tasks, of the first interpreter that has any. Of too few points there is no law.
    """
    wait_s = evidence.experiment.profiles[evidence.profile].task_wait_s.get(family, 0.0)
    members = choose_interpreter(evidence, select_cells(evidence.judgements, family=family))
    fits: dict[str, _Fit] = {}
    shown: list[Judgement] = []
    for program in programs:
        found = choose_end(select_cells(members, program=program), "tasks")
        fit = _FITS[law](found, wait_s, program, words)
        if fit:
            fits[program] = fit
            shown.append(found[0])
    if not fits:
        return show_nothing(words)
    pens = choose_pens(evidence, (one.record.variant for one in shown))
    title = words.text(f"law_{law}_title", family=name_family(evidence, family, words))
    first, *others = [fit.told for fit in fits.values()]
    return Chart(
        prefix=make_prefix(
            law, evidence.experiment.name, family, "".join(map(program_anchor, fits))
        ),
        title=title,
        height_pt=HEIGHT_PT,
        draw=partial(_draw, dict(zip(fits, pens, strict=True)), fits, law, words),
        signs=[
            (show_key(pen), words.text("law_fitted", program=program))
            for program, pen in zip(fits, pens, strict=True)
        ],
        below=show_note(" ".join(f"{told}." for told in others)) * bool(others)
        + fold(_show_table(fits, title, law, words), words),
        found=first,
    ).show()


def _read(found: Sequence[Judgement], size: Literal["cores", "workers"]) -> list[Judgement]:
    """Those with a time of the work, ascending; of one size that with most workers."""
    timed = [one for one in found if one.median("inside_s")]
    timed.sort(key=lambda one: one.record.variant.workers)
    by_size = {getattr(one.record.variant, size): one for one in timed}
    return [by_size[number] for number in sorted(by_size)]


def _fit_amdahl(
    found: Sequence[Judgement], _wait_s: float, program: str, words: Words
) -> _Fit | None:
    times_s = [
        (one.record.variant.cores, one.median("inside_s") or 0.0) for one in _read(found, "cores")
    ]
    if len(times_s) < 2 or times_s[0][0] != 1:
        return None
    share = fit_amdahl(times_s)
    cores = np.linspace(1, max(MOST_CORES, times_s[-1][0]), STEPS)
    most = words.number(1 / share, 1) if share else "∞"
    key = "law_amdahl_none" if share == 1 else "law_amdahl_found"
    return _Fit(
        [(cores, times_s[0][1] / time_s) for cores, time_s in times_s],
        (cores.tolist(), (1 / (share + (1 - share) / cores)).tolist()),
        words.text(key, program=program, share=words.percent(share), most=most),
    )


def _list_throughputs(found: Sequence[Judgement]) -> Points:
    """Tasks a second by number of workers, on the most cores."""
    timed = _read(choose_end(found, "cores"), "workers")
    return [
        (one.record.variant.workers, one.record.variant.tasks / (one.median("inside_s") or 1))
        for one in timed
    ]


def _fit_little(
    found: Sequence[Judgement], wait_s: float, program: str, words: Words
) -> _Fit | None:
    done = _list_throughputs(found)
    if len(done) < 2 or not wait_s:
        return None
    workers, most = done[-1]
    sizes = [one for one, _ in done]
    told = words.text(
        "law_little_found",
        program=program,
        workers=words.count("workers", workers),
        done=words.number(most, 0),
        ideal=words.number(workers / wait_s, 0),
        wait=words.measure(words.number(1000 * workers / most, 1), "ms"),
    )
    return _Fit(done, (sizes, [one / wait_s for one in sizes]), told)


def _fit_usl(found: Sequence[Judgement], _wait_s: float, program: str, words: Words) -> _Fit | None:
    done = _list_throughputs(found)
    if len(done) < FEWEST_POINTS:
        return None
    scaling = fit_scaling(done)
    workers = np.linspace(1, FURTHER * done[-1][0], STEPS).tolist()
    is_near = scaling.peak <= FURTHER * done[-1][0]
    told = words.text(
        "law_usl_peak" if is_near else "law_usl_found",
        program=program,
        contention=words.plain(float(f"{100 * scaling.contention:.2g}")),
        coherency=words.plain(float(f"{100 * scaling.coherency:.2g}")),
        peak=words.number(scaling.peak if is_near else 0, 0),
    )
    return _Fit(done, (workers, [scaling.find_throughput(one) for one in workers]), told)


def _fit_latency(
    found: Sequence[Judgement], _wait_s: float, program: str, words: Words
) -> _Fit | None:
    done = _list_throughputs(found)
    if len(done) < FEWEST_POINTS:
        return None
    scaling = fit_scaling(done)
    workers = np.linspace(1, done[-1][0], STEPS).tolist()
    rates = [scaling.find_throughput(one) for one in workers]
    points = [(rate, 1000 * one / rate) for one, rate in done]
    told = words.text(
        "law_latency_found",
        program=program,
        few=words.measure(words.number(points[0][1], 1), "ms"),
        many=words.measure(words.number(points[-1][1], 1), "ms"),
        slow=words.number(points[0][0], 0),
        fast=words.number(points[-1][0], 0),
    )
    waits = [1000 * one / rate for one, rate in zip(workers, rates, strict=True)]
    return _Fit(points, (rates, waits), told)


_FITS: dict[Law, Callable[[Sequence[Judgement], float, str, Words], _Fit | None]] = {
    "amdahl": _fit_amdahl,
    "little": _fit_little,
    "usl": _fit_usl,
    "latency": _fit_latency,
}


def _draw(
    pens: Mapping[str, Pen], fits: Mapping[str, _Fit], law: Law, words: Words, figure: Figure
) -> dict[str, str]:
    """The points over the dashed curve of their law; returns their tooltips."""
    from matplotlib.ticker import MaxNLocator

    figure.text(0.01, 1 - 12 / HEIGHT_PT, words.text(f"law_{law}_y"), color=MUTED)
    highest = max(y for fit in fits.values() for _, y in fit.points)
    left_pt = max(LEFT_PT, DIGIT_PT * len(words.number(highest, 0)))
    width_pt = find_width(figure) - left_pt - RIGHT_PT
    height_pt = HEIGHT_PT - TOP_PT - BOTTOM_PT
    axes = add_panel(figure, left_pt, TOP_PT, width_pt, height_pt)
    dress(axes, words.text(f"law_{law}_x"))
    tooltips = {}
    for program, fit in fits.items():
        pen = pens[program]
        axes.plot(*fit.curve, color=pen.colour, linestyle=FLOOR, linewidth=1.4)
        for place, (x, y) in enumerate(fit.points):
            key = f"w{pen.number}-{place}"
            tooltips[key] = f"{program}: {_write(x, words)}; {_write(y, words)}"
            pen.mark(axes, x, y, key)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(lambda value, _: words.plain(value))
    return tooltips


def _write(value: float, words: Words) -> str:
    """A number with three significant digits, or whole."""
    return words.number(value, max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0)


def _show_table(fits: Mapping[str, _Fit], title: str, law: Law, words: Words) -> Markup:
    """A row for each point of each program."""
    rows = [
        row_header(program) + cell(_write(x, words)) + cell(_write(y, words))
        for program, fit in fits.items()
        for x, y in fit.points
    ]
    head = [words.text("program"), words.text(f"law_{law}_x"), words.text(f"law_{law}_y")]
    return table(words, title, head, rows, kind="sizes")
