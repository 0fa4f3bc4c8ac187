"""Laws: points that were measured, and the law of scaling that comes nearest to them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from markupsafe import Markup

from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.laws import FEWEST_POINTS, Points, fit_amdahl, fit_scaling
from scripts.site.judge.rows import Rows
from scripts.site.judge.verdicts import GAIN_MARGIN
from scripts.site.render.estimates import make_point
from scripts.site.render.growth import choose_pens
from scripts.site.render.html import program_anchor, table
from scripts.site.render.names import name_family, title_program
from scripts.site.render.plot import (
    Curve,
    Plot,
    Row,
    fold,
    make_prefix,
    show_key,
    show_note,
    show_nothing,
)
from scripts.site.render.words import Words

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
        )
        for (name, fit), pen in zip(fits.items(), pens, strict=True)
        for x, y in fit.points
    ]
    title = words.text(f"law_{law}_title", family=name_family(evidence, family, words))
    axes = words.text(f"law_{law}_x"), words.text(f"law_{law}_y")
    told = [words.text(fit.key, program=titles[name], **fit.places) for name, fit in fits.items()]
    note = show_note(" ".join(f"{one}." for one in told))
    cells = [
        (titles[name], _write(x, words), _write(y, words))
        for name, fit in fits.items()
        for x, y in fit.points
    ]
    numbers = table(words, title, [words.text("program"), *axes], cells, kind="sizes")
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
        below=note + fold(numbers, words),
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
