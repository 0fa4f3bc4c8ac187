"""A heat picture has a cell for each program and release, coloured where a difference is sure."""

import pytest

from making import make_build, make_record, make_variant
from scripts.site.judge.evidence import Evidence
from scripts.site.render.heat import show_gains, show_speeds
from scripts.site.render.plot import show_nothing
from tests.factories import PLAIN, POOL
from tests.site.golden import OLD, WORDS
from tests.site.judge.test_rows import FAMILIES, FAST, SLOW
from tests.site.render.markup import make_evidence, read, read_picture, read_texts, read_tooltips

FREE, NEW = make_build("3.14.2", "t"), make_build("3.15.0rc1")


@pytest.fixture
def evidence() -> Evidence:
    """The plain program is slower on the new release, the pool faster than it without the GIL alone."""
    builds = [make_build("3.14.2"), FREE, NEW]
    records = []
    for build in builds:
        place = {"interpreter": build.id, "gil": build.gil, "cores": 2}
        plain = SLOW if build is NEW else FAST
        pool = [wall_s / 2 for wall_s in FAST] if build is FREE else plain
        records.append(make_record(make_variant(program=PLAIN, workers=1, **place), plain))
        records.append(make_record(make_variant(program=POOL, workers=2, **place), pool))
    return make_evidence(records, builds)


def list_colours(figure: str) -> list[str]:
    cells = read_picture(figure).iterfind(".//*[@class='point']")
    return [cell.get("style", "").split("--chart-")[1].split(")")[0] for cell in cells]


def test_releases_stand_in_their_order_with_the_gil_and_without(evidence: Evidence) -> None:
    figure = show_gains(evidence, WORDS, FAMILIES)
    heads = ["[builds_on]", "[builds_off]", "3.14", ".2", "3.15", "rc1"]
    assert {text: read_texts(figure).count(text) for text in heads} == {
        **dict.fromkeys(heads, 1),
        "3.14": 2,
        ".2": 2,
    }
    (tip,) = read_tooltips(figure)
    assert tip.partition(": ")[2].split()[0] == "×2.25"


def test_only_a_sure_difference_has_a_colour(evidence: Evidence) -> None:
    assert list_colours(show_gains(evidence, WORDS, FAMILIES)) == ["series-1"]
    assert list_colours(show_speeds(evidence, WORDS, FAMILIES)) == ["series-2"]


def test_the_title_counts_programs_where_the_newest_release_ran_both_ways(
    evidence: Evidence,
) -> None:
    neutral = "<figcaption>[releases_gain]<"
    assert neutral in show_gains(evidence, WORDS, FAMILIES)
    both = make_evidence(
        [row.record for row in evidence.judgements if row.record.interpreter != NEW.id],
        evidence.interpreters[:2],
    )
    title = read(show_gains(both, WORDS, FAMILIES).partition("</figcaption>")[0])
    assert title == "[releases_gain_newest 3.14.2 [releases_gain_some 1] 1 [releases_gain_none]]"


@pytest.mark.parametrize("show", [show_gains, show_speeds])
def test_what_was_not_measured_is_no_picture_and_a_hostile_version_stays_text(show) -> None:
    assert show_nothing(WORDS) == show(make_evidence([]), WORDS, FAMILIES)
    evil = make_build("3.15.0<script>")
    records = [
        make_record(make_variant(interpreter=build.id, workers=1), walls)
        for build, walls in ((OLD, FAST), (evil, SLOW))
    ]
    assert "<script>" not in show(make_evidence(records, [OLD, evil]), WORDS, FAMILIES)
