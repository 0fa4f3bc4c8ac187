"""Tables by release, as a reader sees them."""

import pytest

from scripts.site.judge.judge import Evidence
from scripts.site.render.gains import show_gains, show_speeds
from tests.factories import PLAIN, POOL, make_build, make_record, make_variant
from tests.site.golden import WORDS, compare
from tests.site.render.markup import make_evidence

FAMILIES = ["io"]
FAST, SLOW = [1.0, 1.01, 0.99, 1.0, 1.005], [1.5, 1.51, 1.49, 1.5, 1.505]
BUILDS = [OLD, FREE, NEW] = [make_build("3.14.2"), make_build("3.14.2", "t"), make_build("3.15.0")]
SHOWN = (show_gains, show_speeds)


def gather() -> Evidence:
    """The plain program is slower on the new release, the pool faster than it without the GIL alone."""
    records = []
    for build in BUILDS:
        place = {"interpreter": build.id, "gil": build.gil, "cores": 2}
        plain = SLOW if build is NEW else FAST
        pool = [one / 2 for one in FAST] if build is FREE else plain
        records.append(make_record(make_variant(program=PLAIN, workers=1, **place), plain))
        records.append(make_record(make_variant(program=POOL, workers=2, **place), pool))
    return make_evidence(records, BUILDS)


def test_gains_and_speeds_stand_by_version_with_and_without_the_gil() -> None:
    evidence = gather()
    tables = [show(evidence, WORDS, FAMILIES) for show in SHOWN]
    compare("releases", "".join(tables))


@pytest.mark.parametrize("show", SHOWN)
def test_what_was_not_measured_is_no_table(show) -> None:
    assert WORDS.text("chart_nothing") in show(make_evidence([]), WORDS, FAMILIES)


@pytest.mark.parametrize("show", SHOWN)
def test_a_hostile_version_stays_text(show) -> None:
    evil = make_build("3.15.0<script>")
    records = [
        make_record(make_variant(interpreter=one.id, workers=1), walls)
        for one, walls in ((OLD, FAST), (evil, SLOW))
    ]
    assert "<script>" not in show(make_evidence(records, [OLD, evil]), WORDS, FAMILIES)
