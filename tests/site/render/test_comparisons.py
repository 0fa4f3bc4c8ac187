"""Charts of wall times, and the article next to this machine, as a reader sees and hears them."""

import re
from collections.abc import Sequence

import pytest
from msgspec import structs

from scripts.harness.metrics import METRICS
from scripts.harness.record import Record
from scripts.harness.statistics import Estimate
from scripts.site.judge.judge import Evidence
from scripts.site.render.charts import draw_family
from scripts.site.render.originals import classify, find_closest, read_figure, show_agreement
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
    make_evidence,
    read,
    read_picture,
    read_rows,
    read_texts,
    read_tooltips,
)

EN = load_words("en")
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


def draw(evidence: Evidence, metric: str = "wall_s") -> str:
    return draw_family(evidence, EN, "io", metric)


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


def test_of_several_interpreters_the_first_is_drawn_and_named(several: Evidence) -> None:
    chart = draw(several)
    assert len(read_tooltips(chart)) == 4
    assert not [text for text in read_tooltips(chart) if "0.50" in text]
    assert read_title(chart).endswith(f", {OLD}")


def read_heights(chart: str) -> list[float]:
    """Of the values, which stand in a column at the right of the rows."""
    texts = list(read_picture(chart).iter(f"{SVG}text"))
    right = max(float(text.get("x", 0)) for text in texts)
    return [float(text.get("y", 0)) for text in texts if float(text.get("x", 0)) == right]


def test_of_several_sizes_the_largest_counts_and_no_two_values_share_a_line() -> None:
    records = [
        make_record(make_variant(program=POOL, tasks=tasks, workers=workers), [1.0 + workers] * 5)
        for tasks, workers in ((10, 1), (30, 1), (30, 2))
    ]
    chart = draw(make_evidence(records))
    heights = read_heights(chart)
    assert len(heights) == len(set(heights)) == 2


def test_where_nothing_was_measured_nothing_is_drawn() -> None:
    absent = [replace(record, status="unavailable", timed=()) for record in measure((2.0, 1.0))]
    assert read(draw(make_evidence(absent))) == EN.text("chart_nothing")


@pytest.mark.parametrize(
    ("times_s", "ticks"),
    [((2.0, 0.2), {"0", "1"}), ((2.0, 0.02), {"0.1", "1"}), ((0.009, 0.0002), {"0.001", "0.01"})],
)
def test_times_far_apart_stand_on_a_logarithmic_scale(
    times_s: tuple[float, float], ticks: set[str]
) -> None:
    records = [
        hide_time(make_record(make_variant(program=program), [wall_s] * 5))
        for program, wall_s in zip((PLAIN, POOL), times_s, strict=True)
    ]
    texts = read_texts(draw(make_evidence(records)))
    assert ticks <= set(texts)
    assert ("0" in texts) == ("0" in ticks)


@pytest.mark.parametrize("metric", [name for name in METRICS if not METRICS[name].optional])
def test_a_chart_of_any_metric_needs_no_words_of_its_own(metric: str) -> None:
    chart = draw(make_evidence(measure((2.0, 1.0), cores=(2,))), metric)
    assert EN.metric(metric).lower() in read(chart).lower() or EN.text("chart_nothing") in chart


def test_a_point_of_one_trial_is_hollow_and_the_legend_says_so() -> None:
    once = make_record(make_variant(program=POOL), [1.0])
    often = make_record(make_variant(program=PLAIN), [1.9, 2.0, 2.1])
    chart = draw(make_evidence([once, often]))
    points = read_picture(chart).findall(".//*[@class='point']")
    assert ["fill: var(--chart-paper)" in str(one.get("style")) for one in points] == [False, True]
    assert EN.text("single") in read_legend(chart)


def test_an_interval_of_which_nothing_is_known_is_neither_drawn_nor_told() -> None:
    wild = make_record(make_variant(program=PLAIN), [0.01, 1.0, 90.0])
    chart = draw(make_evidence([wild]))
    (told,) = read_tooltips(chart)
    assert EN.text("interval_unknown") in told
    assert "opacity: 0.45" not in chart
    assert EN.text("band") not in read_legend(chart)


def list_agreement(
    records: Sequence[Record], *families: str, time: str = "wall_s"
) -> list[list[str]]:
    """The rows of the table; in the article, which gives that time, the pool is twice as fast."""
    originals = tuple(
        {"program": f"{program}.py", "machine": "theirs", "cores": "1", time: figure}
        for program, figure in ((PLAIN, "2"), (POOL, "1"))
    )
    experiment = structs.replace(make_experiment(), originals=originals)
    for program in (PLAIN, POOL):
        experiment = alter(experiment, "programs", program, families=families)
    return read_rows(show_agreement(make_evidence(records, experiment=experiment), EN))


def test_the_article_is_compared_with_a_program_s_first_family_alone() -> None:
    records = [*measure((1.0, 0.5), (1,)), *measure((1.0, 5.0), (1,), family="cpu")]
    plain, pool = list_agreement(records, "io", "cpu")
    assert plain[0] == PLAIN
    assert pool == [POOL, "×2.0 gain", "×2.0 gain", "= agrees"]


@pytest.mark.parametrize(("time", "ours"), [("wall_s", "×1.8 gain"), ("inside_s", "×2.0 gain")])
def test_the_article_is_compared_by_the_time_that_it_gives(time: str, ours: str) -> None:
    walls = ((PLAIN, 1.1), (POOL, 0.6))
    records = [make_record(make_variant(program=name), [wall_s] * 5) for name, wall_s in walls]
    assert list_agreement(records, "io", time=time)[1][1:3] == ["×2.0 gain", ours]


def test_a_speedup_counts_only_beyond_the_margin() -> None:
    told = [
        classify(Estimate(median=1.0, low=low, high=high))
        for low, high in ((1.2, 1.3), (0.95, 1.05), (1.05, 1.3), (0.5, 0.8))
    ]
    assert told == ["gain", "tie", "open", "loss"]


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("29 456", 29456),
        ("8%", 8),
        ("1,75", 1.75),
        ("-", None),
        ("nan", None),
        ("1e5", None),
        ("1_0", None),
        ("\u0661\u0662", None),  # 12 in Arabic digits
    ],
)
def test_figures_are_read_as_articles_print_them(printed: str, value: float | None) -> None:
    assert read_figure(printed) == value


def test_the_article_s_machine_with_the_closest_core_count_is_compared() -> None:
    rows = [{"machine": name, "cores": cores} for name, cores in (("a", "10"), ("b", "1"))]
    assert find_closest(rows, 8)[0]["machine"] == "a"
    assert find_closest(rows, 2)[0]["machine"] == "b"
