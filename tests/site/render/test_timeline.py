"""A timeline as a picture of its own, with its figures, in every language and theme."""

import re
from html import unescape

import pytest

from making import make_lane
from scripts.site.render.timeline import MOST_LANES, Watched, list_ticks, show_timelines
from scripts.site.render.words import load_words
from scripts.site.study.timeline import Timeline
from tests.factories import make_timeline

EN = load_words("en")
NAME = "thread pool"
NBSP = "\N{NO-BREAK SPACE}"


def show(*timelines: Timeline) -> str:
    runs = [Watched(timeline=run, name=NAME, colour=1, data="t.json") for run in timelines]
    return show_timelines(runs, EN)


def list_names(shown: str) -> list[str]:
    names = shown.partition('timeline-names" aria-hidden="true">')[2].partition("</div>")[0]
    return re.findall("<span>(.*?)</span>", names)[1:]


def test_runs_are_aligned_where_the_work_begins_and_the_start_is_shaded() -> None:
    lane = make_lane(spans=[(0, 40_000, 1), (60_000, 80_000, 2)])
    shown = show(make_timeline(work_us=60_000, lanes=[lane]), make_timeline(work_us=30_000))
    first, second = re.findall(r"<svg [^>]*viewBox=.*?</svg>", shown)
    axis = 60_000 + 70_000  # from the earliest start to the latest end
    zero = f"{1000 * 60_000 / axis:.1f}"
    assert f'data-zero="{zero}"' in shown
    assert re.search(f'd="M{zero} [^"]*" class="c2" />', first)
    assert re.search(f'd="M0 [^"]*L{zero} [^"]*" class="u" />', first)
    assert re.search(f'd="M{1000 * 30_000 / axis:.1f} [^"]*L{zero} [^"]*" class="u" />', second)
    assert f"1{NBSP}process, 40{NBSP}ms. Start-up before that: 60{NBSP}ms." in shown


def test_the_start_of_a_pool_is_no_work_where_the_program_times_itself() -> None:
    shown = show(make_timeline(work_us=20_000, inside_us=(50_000, 90_000)))
    assert f"40{NBSP}ms. Start-up before that: 50{NBSP}ms." in shown
    assert len(re.findall('class="u"', shown)) == 2


def test_two_runs_stand_on_one_axis() -> None:
    shown = show(make_timeline(), make_timeline(wall_us=200_000))
    assert shown.count(' viewBox="0 0 1000 ') == 2
    assert shown.count("timeline-axis") == 1
    assert re.search(r'L500 [\d.]+" class="s" />', shown)


def test_of_a_thousand_threads_the_busiest_are_shown_and_the_others_counted() -> None:
    lanes = [make_lane(thread=number, running_us=number) for number in range(1, 65)]
    names = list_names(show(make_timeline(threads=1000, lanes=lanes)))
    assert "thread 64" in names
    assert "thread 1" not in names
    assert "985 more" in names
    assert len(names) == MOST_LANES


@pytest.mark.parametrize(
    ("us", "labels"),
    [
        (70, ["0", "0.02", "0.04", f"0.06{NBSP}ms"]),
        (354_000, ["0", "100", "200", f"300{NBSP}ms"]),
        (1_060_000, ["0", "0.5", f"1{NBSP}s"]),
    ],
)
def test_the_axis_has_a_few_round_moments(us: int, labels: list[str]) -> None:
    ticks = list_ticks(0, us, EN)
    assert [label for _, label in ticks] == labels
    assert all(0 <= place <= 100 for place, _ in ticks)


def test_the_figures_stand_above_the_picture_and_coverage_is_told() -> None:
    shown = unescape(show(make_timeline(lag_us=12_300)))
    for told in (EN.number(0.6, 2), EN.percent(60 / 64), f"12{NBSP}"):
        assert told in shown
    assert 'href="t.json"' in shown


def test_none_of_a_thing_is_said_in_words() -> None:
    assert "Almost all the time no thread was running." in show(make_timeline(busy=[0, 0, 10]))


@pytest.mark.parametrize("wall_us", [1, 10])
def test_a_run_that_lasted_hardly_any_time_is_drawn_as_well(wall_us: int) -> None:
    assert "<svg" in show(make_timeline(wall_us=wall_us, lanes=[], threads=0, seen_us=0))
