"""A program may say that it took no time: what divides by that is drawn all the same."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import pytest
from markupsafe import Markup

from scripts.harness.record import Record
from scripts.site.render import charts, gains
from scripts.site.render.tables import show_overview
from scripts.site.render.words import load_words
from tests.factories import make_interpreter, make_record, make_variant, replace
from tests.site.render.markup import make_evidence

PLAIN, POOL = PROGRAMS = "01-io-sequential", "04-io-thread_pool"
PYTHONS = "cpython-3.13.0", "cpython-3.14.0t"
EN = load_words("en")
DRAWN = (
    show_overview,
    partial(gains.show_gains, families=["io"]),
    partial(charts.draw_lines, family="io", log=True),
)


def measure(zero: tuple[str, ...], trials: int) -> Iterator[Record]:
    """Sweeps of two programs, of which some tell no time in their first trials."""
    for program, tasks, workers, python in product(PROGRAMS, (1, 100), (1, 5), PYTHONS):
        variant = make_variant(program=program, tasks=tasks, workers=workers, interpreter=python)
        record = make_record(variant, [2.0, 2.1, 1.9, 2.0, 2.05] if program == PLAIN else [1.0] * 5)
        none = trials if program in zero else 0
        timed = (
            replace(trial, values=trial.values | {"inside_s": 0.0}) for trial in record.timed[:none]
        )
        yield replace(record, timed=(*timed, *record.timed[none:]))


@pytest.mark.filterwarnings("ignore:invalid value encountered")
@pytest.mark.parametrize("trials", [3, 5])
@pytest.mark.parametrize("zero", [(PLAIN,), (POOL,), PROGRAMS])
def test_times_of_nought_are_drawn(zero: tuple[str, ...], trials: int) -> None:
    evidence = make_evidence(measure(zero, trials), [make_interpreter(id=id_) for id_ in PYTHONS])
    draw: Callable[..., Markup]
    for draw in DRAWN:
        assert POOL in draw(evidence, EN)
