"""Charts of wall times and of what pays, as a reader sees and hears them."""

import re
from collections.abc import Sequence

import pytest

from scripts.harness.metrics import METRICS
from scripts.harness.record import Record
from scripts.site.declare.texts import list_languages
from scripts.site.judge.judge import Evidence
from scripts.site.render import comparisons
from scripts.site.render.words import load_words
from tests.factories import (
    alter,
    hide_time,
    make_experiment,
    make_interpreter,
    make_record,
    make_variant,
    replace,
)
from tests.site.render.markup import (
    SVG,
    assert_themed,
    make_evidence,
    read,
    read_ids,
    read_picture,
    read_texts,
    read_tooltips,
    remember,
)

EN = load_words("en")
draw_family = remember(comparisons.draw_family)
PLAIN, POOL = "01-io-sequential", "04-io-thread_pool"
OLD, NEW = "cpython-3.13.0", "cpython-3.14.0t"
INTERPRETERS = [make_interpreter(id=name) for name in (OLD, NEW)]


def measure(
    walls: Sequence[float], cores: Sequence[int] = (1, 2), **changes: object
) -> list[Record]:
    """The plain program, then the pool, on each number of cores."""
    return [
        hide_time(make_record(make_variant(program=program, cores=count, **changes), [wall_s] * 5))
        for count in cores
        for program, wall_s in zip((PLAIN, POOL), walls, strict=True)
    ]


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return make_evidence(measure((2.0, 1.0)))


@pytest.fixture(scope="module")
def several() -> Evidence:
    """Measured on two interpreters, the second of which gains more."""
    records = [*measure((2.0, 1.0)), *measure((2.0, 0.5), interpreter=NEW)]
    return make_evidence(records, INTERPRETERS)


def read_legend(chart: str) -> list[str]:
    return [read(item) for item in re.findall(r"<li>(.*?)</li>", chart)]


def read_title(chart: str) -> str:
    (title,) = re.findall(r"<figcaption>(.*?)</figcaption>", chart)
    return read(title)


def test_charts_can_share_a_page_and_its_theme(evidence: Evidence) -> None:
    charts = [draw_family(evidence, EN, "io"), draw_family(evidence, EN, "io", "cpu_s")]
    for chart in charts:
        assert_themed(chart)
    ids = read_ids("".join(charts))
    assert len(ids) == len(set(ids))


def test_every_program_has_a_point_for_each_core_count(evidence: Evidence) -> None:
    tooltips = read_tooltips(draw_family(evidence, EN, "io"))
    assert [text.partition(":")[0] for text in tooltips] == [
        f"{program}, {cores}" for program in (PLAIN, POOL) for cores in ("2 cores", "1 core")
    ]
    assert f"{POOL}, 2 cores: 1.0 s, ×2.0, recommended" in tooltips


def test_a_tooltip_tells_the_interval_of_several_trials() -> None:
    varied = make_record(make_variant(cores=2), [0.9, 1.0, 1.1])
    (tooltip,) = read_tooltips(draw_family(make_evidence([varied]), EN, "io"))
    assert tooltip.startswith(f"{PLAIN}, 2 cores: 1.0 s (0.6–1.6)")


def test_values_stand_in_a_column_beside_the_rows_and_not_at_the_ends_of_intervals() -> None:
    records = [
        hide_time(
            make_record(
                make_variant(program=program), [wall_s * part for part in (1, 1.4, 1.5, 1.6, 3)]
            )
        )
        for program, wall_s in ((PLAIN, 4.0), (POOL, 1.0))
    ]
    evidence = make_evidence(records)
    values = {"6.0 s", "1.5 s"}
    texts = list(read_picture(draw_family(evidence, EN, "io")).iter(f"{SVG}text"))
    spoken = {read("".join(text.itertext())): float(text.get("x", 0)) for text in texts}
    (column,) = {spoken[value] for value in values}
    assert all(x < column for text, x in spoken.items() if text not in values)


@pytest.mark.parametrize("language", list_languages())
def test_the_legend_explains_every_sign(evidence: Evidence, language: str) -> None:
    words = load_words(language)
    cores = [read(words.count("cores_nominative", count)) for count in (2, 1)]
    floor = words.text("floor")
    kinds = [words.term("kind", kind) for kind in ("sequential", "threads")]
    assert read_legend(draw_family(evidence, words, "io")) == [*cores, *kinds, floor]


def test_of_several_interpreters_the_first_is_drawn_and_named(several: Evidence) -> None:
    chart = draw_family(several, EN, "io")
    assert len(read_tooltips(chart)) == 4
    assert not [text for text in read_tooltips(chart) if "0.50" in text]
    assert read_title(chart).endswith(f", {OLD}")


def test_an_interpreter_that_ran_nothing_is_passed_over() -> None:
    broken = [replace(record, status="failed") for record in measure((2.0, 1.0))]
    records = [*broken, *measure((2.0, 0.5), interpreter=NEW)]
    evidence = make_evidence(records, INTERPRETERS)
    assert read_title(draw_family(evidence, EN, "io")).endswith(f", {NEW}")


def read_heights(chart: str) -> list[float]:
    """Of the values, which stand in a column at the right of the rows."""
    texts = list(read_picture(chart).iter(f"{SVG}text"))
    right = max(float(text.get("x", 0)) for text in texts)
    return [float(text.get("y", 0)) for text in texts if float(text.get("x", 0)) == right]


def test_a_program_without_values_has_no_room_in_a_chart() -> None:
    measured, absent = measure((2.0, 1.0), cores=(2,))
    absent = replace(absent, status="unavailable", timed=())
    assert POOL not in read_texts(draw_family(make_evidence([measured, absent]), EN, "io"))


def test_of_several_sizes_the_largest_counts_and_no_two_values_share_a_line() -> None:
    records = [
        make_record(make_variant(program=POOL, tasks=tasks, workers=workers), [1.0 + workers] * 5)
        for tasks, workers in ((10, 1), (30, 1), (30, 2))
    ]
    chart = draw_family(make_evidence(records), EN, "io")
    heights = read_heights(chart)
    assert len(heights) == len(set(heights)) == 2


def test_where_nothing_was_measured_nothing_is_drawn() -> None:
    absent = [replace(record, status="unavailable", timed=()) for record in measure((2.0, 1.0))]
    assert read(draw_family(make_evidence(absent), EN, "io")) == EN.text("chart_nothing")


def test_of_several_metrics_each_program_has_a_row_for_each_and_the_legend_names_them() -> None:
    record = make_record(
        make_variant(program="01-io-sequential", cores=2),
        [1.0] * 5,
        readings={"p50": [2.0] * 5, "p99": [80.0] * 5},
    )
    chart = draw_family(make_evidence([record]), EN, "io", metric=["p50", "p99"])
    assert read_title(chart) == "P50, p99. Waiting (I/O)"
    assert read_legend(chart)[:2] == ["p50, ms", "p99, ms"]
    assert read_tooltips(chart) == [f"{PLAIN}, p50, ms: 2", f"{PLAIN}, p99, ms: 80"]


@pytest.mark.parametrize(
    ("times_s", "ticks"),
    [((2.0, 0.2), {"0", "0.5"}), ((2.0, 0.02), {"0.1", "1"}), ((0.009, 0.0002), {"0.001", "0.01"})],
)
def test_times_far_apart_stand_on_a_logarithmic_scale(
    times_s: tuple[float, float], ticks: set[str]
) -> None:
    records = [
        hide_time(make_record(make_variant(program=program), [wall_s] * 5))
        for program, wall_s in zip((PLAIN, POOL), times_s, strict=True)
    ]
    texts = read_texts(draw_family(make_evidence(records), EN, "io"))
    assert ticks <= set(texts)
    assert ("0" in texts) == ("0" in ticks)


@pytest.mark.parametrize("metric", [name for name in METRICS if not METRICS[name].optional])
def test_a_chart_of_any_metric_needs_no_words_of_its_own(metric: str) -> None:
    chart = draw_family(make_evidence(measure((2.0, 1.0), cores=(2,))), EN, "io", metric)
    assert EN.metric(metric).lower() in read(chart).lower() or EN.text("chart_nothing") in chart


def test_a_point_of_one_trial_is_hollow_and_the_legend_says_so() -> None:
    once = make_record(make_variant(program=POOL), [1.0])
    often = make_record(make_variant(program=PLAIN), [1.9, 2.0, 2.1])
    chart = draw_family(make_evidence([once, often]), EN, "io")
    points = read_picture(chart).findall(".//*[@class='point']")
    assert ["fill: var(--chart-paper)" in str(one.get("style")) for one in points] == [False, True]
    assert EN.text("single") in read_legend(chart)


def test_an_interval_of_which_nothing_is_known_is_neither_drawn_nor_told() -> None:
    wild = make_record(make_variant(program=PLAIN), [0.01, 1.0, 90.0])
    chart = draw_family(make_evidence([wild]), EN, "io")
    (told,) = read_tooltips(chart)
    assert EN.text("interval_unknown") in told
    assert "opacity: 0.45" not in chart
    assert EN.text("band") not in read_legend(chart)


def test_colours_go_by_kind_of_worker_whatever_the_program() -> None:
    chart = draw_family(make_evidence(measure((2.0, 1.0))), EN, "io")
    points = read_picture(chart).findall(".//*[@class='point']")
    colours = [
        re.findall(r"fill: var\(--chart-(series-\d)", str(one.get("style"))) for one in points
    ]
    assert colours == [["series-1"], ["series-1"], ["series-2"], ["series-2"]]


def test_programs_are_called_by_their_names_for_people() -> None:
    names = {"en": "thread pool", "ru": "пул потоков"}
    experiment = alter(make_experiment(), "programs", POOL, title=names)
    chart = comparisons.draw_family(
        make_evidence(measure((4.0, 2.0)), experiment=experiment), EN, "io"
    )
    assert any(tip.startswith("thread pool, 1") for tip in read_tooltips(chart))
    assert POOL not in chart
