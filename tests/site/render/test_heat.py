"""A heat picture has a cell for each program and release, coloured where it is faster or slower for sure."""

from collections.abc import Sequence

import pytest

from making import make_build, make_record, make_variant
from poolwise.pythons import Interpreter
from poolwise.record import Record
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.releases import count_ratios, tabulate
from scripts.site.render.heat import show_releases
from scripts.site.render.plot import show_nothing
from tests.factories import PLAIN
from tests.site.golden import WORDS
from tests.site.render.markup import make_evidence, read, read_picture, read_texts, read_tooltips

OLD, NEW, FREE = make_build("3.14.2"), make_build("3.15.0rc1"), make_build("3.14.2", "t")
FAST, SLOW, WILD = [1.0, 1.01] * 3, [2.0, 2.02] * 3, [1.0, 3.0] * 3


def run(build: Interpreter, walls: Sequence[float], workers: int = 1) -> Record:
    place = {"interpreter": build.id, "gil": build.gil, "cores": 2, "workers": workers}
    return make_record(make_variant(program=PLAIN, **place), walls)


def compare(*records: Record) -> Evidence:
    return make_evidence(records, [NEW, FREE, OLD])


def list_colours(figure: str) -> list[str]:
    cells = read_picture(figure).iterfind(".//*[@class='point']")
    return [cell.get("style", "").split("--chart-")[1].split(")")[0] for cell in cells]


def test_releases_stand_beside_two_threads_and_the_decided_are_counted() -> None:
    evidence = compare(run(OLD, FAST), run(NEW, SLOW), run(FREE, SLOW), run(FREE, FAST, 2))
    figure = show_releases(evidence, WORDS)
    heads = ["[releases_on]", "[releases_gain]", "3.14", ".2", "3.15", ".0rc1"]
    assert [read_texts(figure).count(text) for text in heads] == [1] * len(heads)
    assert list_colours(figure) == ["series-2", "series-1"]
    caption = read(figure.partition("</figcaption>")[0])
    assert caption == "[releases_found 2 2 1 1 0]"


@pytest.mark.parametrize(("walls", "sign", "decided"), [(FAST, "=", 1), (WILD, "?", 0)])
def test_what_is_the_same_or_open_is_pale(walls: list[float], sign: str, decided: int) -> None:
    figure = show_releases(compare(run(OLD, FAST), run(NEW, walls)), WORDS)
    assert sign in read_texts(figure)
    assert f"[releases_found {decided} " in figure
    assert len(read_tooltips(figure)) == 1


def test_few_pairs_and_other_builds_are_no_picture_and_a_hostile_version_stays_text() -> None:
    few = compare(run(OLD, FAST[:4]), run(NEW, FAST[:4]))
    assert (show_releases(few, WORDS), count_ratios(tabulate(few))) == (show_nothing(WORDS), 0)
    tuned, evil = make_build("3.15.0", pgo=True), make_build("3.15.0<script>")
    apart = make_evidence([run(OLD, FAST), run(tuned, FAST)], [OLD, tuned])
    assert show_releases(apart, WORDS) == show_nothing(WORDS)
    hostile = make_evidence([run(OLD, FAST), run(evil, FAST)], [OLD, evil])
    assert "<script>" not in show_releases(hostile, WORDS)
