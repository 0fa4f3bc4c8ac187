"""Tables by release, as a reader sees them."""

import re

import pytest
from markupsafe import Markup

from scripts.site.judge.judge import Evidence
from scripts.site.render.gains import show_gains, show_speeds, show_steps
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.judge.test_releases import FAMILIES, FAST, FREE, NEW, OLD, SLOW, make_build
from tests.site.render.markup import make_evidence, read

EN = load_words("en")
PLAIN, POOL = "01-io-sequential", "04-io-thread_pool"
BUILDS = [OLD, FREE, NEW]
SHOWN = (show_gains, show_speeds, show_steps)


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


def read_cells(shown: Markup) -> list[list[str]]:
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", shown)
    return [[read(Markup(one)) for one in re.findall(r"<td.*?</td>", row)] for row in rows]


def test_gains_stand_by_version_with_the_gil_beside_without() -> None:
    shown = show_gains(gather(), EN, FAMILIES)
    gains = [cell.split()[0] for cell in read_cells(shown)[-1]]
    assert gains == ["×1.00", "×2.25", "×1.00"]
    assert re.findall(r'<th scope="col">(.*?)</th>', shown) == ["Program", "GIL", "no GIL", "GIL"]
    assert shown.count('better"') == 1


def test_the_speed_of_one_thread_is_against_the_oldest_with_the_gil() -> None:
    shown = show_speeds(gather(), EN, FAMILIES)
    assert [[cell[:4] for cell in row] for row in read_cells(shown)] == [["×1.0", "×1.0", "×0.6"]]
    assert shown.count('worse"') == 1


def test_steps_name_program_threads_and_releases() -> None:
    first, *_ = read_cells(show_steps(gather(), EN, FAMILIES))
    assert first[:4] == ["1", "with the GIL", "3.14.2", "3.15.0"]


@pytest.mark.parametrize("show", SHOWN)
def test_what_was_not_measured_is_no_table(show) -> None:
    assert EN.text("chart_nothing") in show(make_evidence([]), EN, FAMILIES)


@pytest.mark.parametrize("show", SHOWN)
def test_a_hostile_version_stays_text(show) -> None:
    evil = make_build("3.15.0<script>")
    records = [
        make_record(make_variant(interpreter=one.id, workers=1), walls)
        for one, walls in ((OLD, FAST), (evil, SLOW))
    ]
    assert "<script>" not in show(make_evidence(records, [OLD, evil]), EN, FAMILIES)
