"""Laws of scaling, fitted to measured times and drawn as a prediction.

- Amdahl: the serial part takes a share of the time on one core, and no cores shorten it
  (Amdahl, "Validity of the single processor approach to achieving large scale computing
  capabilities", AFIPS Spring Joint Computer Conference, 1967).
- The Universal Scalability Law adds the time that workers spend on one another, which grows with
  the square of their number (Gunther, "Guerrilla Capacity Planning", 2007, chapters 4 to 6).

Both are fitted by least squares, of relative deviations.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from markupsafe import Markup

from scripts.site.judge.evidence import Evidence, Rows
from scripts.site.judge.verdicts import GAIN_MARGIN
from scripts.site.render.charts import choose_pens
from scripts.site.render.estimates import make_point
from scripts.site.render.html import program_anchor
from scripts.site.render.names import name_family, title_program
from scripts.site.render.plot import (
    Plot,
    Row,
    Sign,
    make_prefix,
    pivot,
    show_key,
    show_note,
    show_nothing,
    show_sign,
)
from scripts.site.render.words import Words

Law = Literal["amdahl", "usl"]

PREDICTED_CORES = (8, 64)
"""What Amdahl's law predicts for these is told, and its curve goes to the most of them."""
FURTHER = 2
"""The Universal Scalability Law's curve goes to so many times the most workers that were measured."""
STEPS = 120

Points = Sequence[tuple[float, float]]
"""Numbers of workers or cores, ascending, each with a measured value."""
FEWEST_POINTS = 4
"""The Universal Scalability Law needs so many: its three parameters go through any three points."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """The Universal Scalability Law of a program.

    ``rate`` is what one worker does a second, ``contention`` the share that is done in order,
    ``coherency`` the share that each pair of workers costs.
    """

    rate: float
    contention: float
    coherency: float

    def find_throughput(self, workers: float) -> float:
        """The work that so many workers do a second."""
        delay = self.contention * (workers - 1) + self.coherency * workers * (workers - 1)
        return self.rate * workers / (1 + delay)

    @property
    def peak(self) -> float:
        """The number of workers that do most; infinite if more are always better."""
        if not self.coherency:
            return math.inf
        return math.sqrt(max(1 - self.contention, 0) / self.coherency)


@dataclass(frozen=True, slots=True)
class Fit:
    """Measured points, the curve of the law through them, and what it says: a key and what fills it."""

    points: Points
    curve: Points
    key: str
    places: dict[str, str]


def draw_law(
    evidence: Evidence, words: Words, law: Law, family: str, programs: Sequence[str]
) -> Markup:
    """Draw programs by cores (Amdahl) or by workers, and the law's curve beyond what was measured.

    With the most tasks of each, of the first interpreter that has any. Of too few points there is no law.
    """
    members = evidence.rows.where(family=family).first_python(evidence.interpreters)
    found = {name: members.where(program=name) for name in programs}
    fits = {name: fit for name, own in found.items() if (fit := _FITS[law](own, words))}
    if not fits:
        return show_nothing(words)
    pens = choose_pens(evidence, (found[name][0].record.variant for name in fits))
    rows: list[Row] = []
    curve: list[Row] = []
    signs: list[Sign] = []
    sentences: list[str] = []
    for (name, fit), pen in zip(fits.items(), pens, strict=True):
        series = title_program(evidence.experiment, name, words)
        signs.append((show_key(pen), series))
        sentences.append(words.text(fit.key, program=series, **fit.places) + ".")
        curve += [Row(series=series, pen=pen, value=make_point(y), x=x) for x, y in fit.curve]
        for x, y in fit.points:
            # Three significant digits, or whole.
            cell = words.number(y, max(0, 2 - math.floor(math.log10(y))) if y > 0 else 0)
            told = f"{series}: {x}; {cell}"
            value = make_point(y)
            rows.append(Row(series=series, pen=pen, value=value, x=x, told=told, cell=cell))
    title = words.text(f"law_{law}_title", family=name_family(evidence, family, words))
    axes = words.text(f"law_{law}_x"), words.text(f"law_{law}_y")
    return Plot(
        prefix=make_prefix(law, evidence.experiment.name, family, *map(program_anchor, fits)),
        title=title,
        rows=curve + rows,
        words=words,
        mark="model",
        axes=axes,
        signs=[*signs, (show_sign("level"), words.text("law_fitted"))],
        below=show_note(" ".join(sentences)) + pivot(rows, words, title, axes[0]),
    ).show()


def fit_amdahl(times_s: Points) -> float:
    """Fit the share of the time on one core that is serial, from 0 to 1, to seconds on one and others."""
    single_s = times_s[0][1]
    shrinking = [1 - 1 / cores for cores, _ in times_s]
    excess = [time_s / single_s - 1 / cores for cores, time_s in times_s]
    share = np.dot(shrinking, excess) / np.dot(shrinking, shrinking)
    return float(np.clip(share, 0, 1))


def fit_scaling(throughputs: Points) -> Scaling:
    """Fit the law to what ``FEWEST_POINTS`` or more did a second; no parameter is below zero."""
    workers, done = np.array(throughputs).T
    # N/X is linear in what is looked for; divided by what was measured, each point counts alike.
    terms = np.column_stack([np.ones_like(workers), workers - 1, workers * (workers - 1)])
    terms *= (done / workers)[:, None]
    fits = []
    for used in ([0, *more] for count in range(3) for more in combinations((1, 2), count)):
        found, *_ = np.linalg.lstsq(terms[:, used], np.ones_like(workers))
        if min(found) >= 0:
            whole = np.zeros(3)
            whole[used] = found
            fits.append((float(np.sum((terms @ whole - 1) ** 2)), whole))
    _, (base, contention, coherency) = min(fits, key=lambda fit: fit[0])
    return Scaling(float(1 / base), float(contention / base), float(coherency / base))


def _read_times(found: Rows, size: Literal["cores", "workers"]) -> dict[int, tuple[int, float]]:
    """Read tasks and seconds by a size, ascending; of one size those of most workers, then tasks."""
    timed = [one for one in found if one.median("inside_s")]
    timed.sort(key=lambda one: (getattr(one, size), one.workers, one.tasks))
    return {getattr(one, size): (one.tasks, one.median("inside_s") or 0.0) for one in timed}


def _fit_amdahl(found: Rows, words: Words) -> Fit | None:
    times = _read_times(found.most("tasks"), "cores")
    times_s = [(cores, time_s) for cores, (_, time_s) in times.items()]
    if len(times_s) < 2 or times_s[0][0] != 1:
        return None
    share = fit_amdahl(times_s)
    cores = np.linspace(1, max(PREDICTED_CORES[-1], times_s[-1][0]), STEPS).tolist()
    least = [share + (1 - share) / one for one in (*PREDICTED_CORES, math.inf)]
    few, many, most = (words.count("times", 1 / one, 1) if one else "" for one in least)
    return Fit(
        points=[(cores, times_s[0][1] / time_s) for cores, time_s in times_s],
        curve=[(one, 1 / (share + (1 - share) / one)) for one in cores],
        key={0.0: "law_amdahl_all", 1.0: "law_amdahl_none"}.get(share, "law_amdahl_found"),
        places={"share": words.percent(share), "most": most, "few": few, "many": many},
    )


def _fit_usl(found: Rows, words: Words) -> Fit | None:
    """Fit the law; where it has no peak near by, say whether twice as many workers would still gain."""
    times = _read_times(found.most("cores"), "workers")
    done = [(workers, tasks / time_s) for workers, (tasks, time_s) in times.items()]
    if len(done) < FEWEST_POINTS:
        return None
    scaling, tried = fit_scaling(done), done[-1][0]
    most = FURTHER * tried
    more = scaling.find_throughput(most) / scaling.find_throughput(tried)
    key = "law_usl_found" if more >= GAIN_MARGIN else "law_usl_flat"
    return Fit(
        points=done,
        curve=[(one, scaling.find_throughput(one)) for one in np.linspace(1, most, STEPS).tolist()],
        key="law_usl_peak" if scaling.peak <= most else key,
        places={
            "contention": words.plain(float(f"{100 * scaling.contention:.2g}")),
            "coherency": words.plain(float(f"{100 * scaling.coherency:.2g}")),
            "peak": words.number(min(scaling.peak, most), 0),
            "workers": words.count("workers", most),
        },
    )


_FITS: dict[Law, Callable[[Rows, Words], Fit | None]] = {"amdahl": _fit_amdahl, "usl": _fit_usl}
