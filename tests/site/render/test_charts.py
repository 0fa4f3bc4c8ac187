"""Charts of an experiment, as a reader sees and hears them."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from making import alter, make_interpreter, make_record, make_variant, replace
from poolwise.metrics import METRICS
from poolwise.record import Record, Trial
from scripts.site.judge.evidence import Evidence
from scripts.site.render.charts import draw_family, draw_lines, draw_traces, draw_waits
from scripts.site.render.plot import Finding, show_nothing
from scripts.site.render.words import MIB, load_words
from tests.factories import PLAIN, POOL, hide_time, make_experiment
from tests.site.render.markup import (
    SVG,
    make_evidence,
    read,
    read_picture,
    read_texts,
    read_tooltips,
)

EN = load_words("en")


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


def read_legend(chart: str) -> list[str]:
    return [read(item) for item in re.findall(r"<li>(.*?)</li>", chart)]


def test_of_several_interpreters_the_first_is_drawn_and_named() -> None:
    old, new = "cpython-3.13.0", "cpython-3.14.0t"
    records = [*measure((2.0, 1.0)), *measure((2.0, 0.5), interpreter=new)]
    chart = draw(make_evidence(records, [make_interpreter(id=name) for name in (old, new)]))
    assert len(read_tooltips(chart)) == 4
    assert not [text for text in read_tooltips(chart) if "0.50" in text]
    assert f", {old}</p>" in chart


def test_of_several_sizes_the_largest_counts_and_no_two_values_share_a_line() -> None:
    records = [
        make_record(make_variant(program=POOL, tasks=tasks, workers=workers), [1.0 + workers] * 5)
        for tasks, workers in ((10, 1), (30, 1), (30, 2))
    ]
    points = read_picture(draw(make_evidence(records))).findall(".//*[@class='point']")
    assert len(points) == len({one.get("y") for one in points}) == 2


def test_where_nothing_was_measured_nothing_is_drawn() -> None:
    absent = [replace(record, status="unavailable", timed=()) for record in measure((2.0, 1.0))]
    assert read(draw(make_evidence(absent))) == EN.text("not_measured")


@pytest.mark.parametrize(
    ("times_s", "ticks"),
    [((2.0, 0.2), {"0", "1"}), ((2.0, 0.02), {"0.1 s", "1 s"}), ((0.009, 2e-4), {"1 ms", "10 ms"})],
)
def test_times_far_apart_stand_on_a_logarithmic_scale_whose_numbers_have_units(
    times_s: tuple[float, float], ticks: set[str]
) -> None:
    """Others begin at nought, and have bars."""
    chart = draw(make_evidence(measure(times_s, (1, 2, 4))))
    texts = {text.replace("\N{NO-BREAK SPACE}", " ") for text in read_texts(chart)}
    assert ticks <= texts
    assert ("0" in texts) == ("0" in ticks)
    assert chart.count("opacity: 0.35") == 12 * (
        "0" in ticks
    )  # two programs on three core counts in two widths


@pytest.mark.parametrize("metric", [name for name in METRICS if not METRICS[name].optional])
def test_a_chart_of_any_metric_needs_no_words_of_its_own(metric: str) -> None:
    chart = draw(make_evidence(measure((2.0, 1.0), cores=(2,))), metric)
    assert EN.metric(metric).lower() in read(chart).lower() or EN.text("not_measured") in chart


def test_a_point_of_one_trial_is_hollow_and_the_legend_says_so() -> None:
    once = make_record(make_variant(program=POOL), [1.0])
    often = make_record(make_variant(program=PLAIN), [1.9, 2.0, 2.1])
    chart = draw(make_evidence([once, often]))
    points = read_picture(chart).findall(".//*[@class='point']")
    assert ["fill: var(--chart-paper)" in str(one.get("style")) for one in points] == [False, True]
    assert EN.text("single") in read_legend(chart)


def test_dots_of_one_trial_beside_intervals_are_named_but_not_drawn() -> None:
    once = make_record(make_variant(program=POOL), [1.0])
    often = [
        make_record(make_variant(program=PLAIN, cores=cores), [1.9, 2.0, 2.1]) for cores in (1, 2)
    ]
    chart = draw(make_evidence([once, *often]))
    assert len(read_picture(chart).findall(".//*[@class='point']")) == len(often)
    assert f"Measured once, so only in the table: {POOL}." in read(chart)
    assert "1.0 s" in read(chart).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(("cores", "names"), [((2,), []), ((1, 2), [1, 2])])
def test_rows_are_told_apart_by_what_differs_and_no_legend_by_what_does_not(
    cores: Sequence[int], names: Sequence[int]
) -> None:
    chart = draw(make_evidence(measure((2.0, 1.0), cores)))
    told = {text for text in read_texts(chart) if "core" in text}
    assert told == {EN.count("cores_nominative", count) for count in names}
    assert not [item for item in read_legend(chart) if "core" in item]


def test_an_interval_that_is_wide_is_told_in_words() -> None:
    wide = make_record(make_variant(program=POOL), [0.3, 1.0, 1.1, 1.2, 4.0])
    chart = draw(make_evidence([make_record(make_variant(program=PLAIN), [1.9, 2.0, 2.1]), wide]))
    (note,) = re.findall(r'<p class="chart-note">(.*?)</p>', chart)
    assert POOL in note
    assert PLAIN not in note


# Waits.


def test_programs_of_unequal_work_are_compared_by_the_time_of_one_task_at_each_wait() -> None:
    experiment = make_experiment()
    for family, wait_ms in (("io", "5"), ("cpu", "50")):
        params = {"SERVER_WAIT_MS": wait_ms}
        experiment = alter(experiment, "families", family, params=params, baseline=PLAIN)
    records = [
        make_record(make_variant(family=family, params=params, **cell), [wall_s] * 3)
        for family, params, gains in (
            ("io", {"SERVER_WAIT_MS": "5"}, 2),
            ("cpu", {"SERVER_WAIT_MS": "50"}, 10),
        )
        for cell, wall_s in (
            ({"program": PLAIN, "tasks": 10}, 1.0),
            ({"program": POOL, "tasks": 100}, 10.0 / gains),
        )
    ]
    chart = draw_waits(make_evidence(records, experiment=experiment), EN, ["io", "cpu"])
    assert [text.rpartition(": ")[2].split()[0] for text in read_tooltips(chart)] == ["×2.0", "×10"]
    assert draw_waits(make_evidence(records[1:2]), EN, ["io"]) == show_nothing(EN)


# Lines.


def sweep(program: str, tasks: int, workers: int = 1) -> Record:
    variant = make_variant(program=program, tasks=tasks, workers=workers, cores=2)
    walls = [share * tasks / workers + 0.1 for share in (0.9, 1.0, 1.1)]
    return make_record(variant, walls, peak_pss_bytes=workers << 20)


def draw_sweep(records: Iterable[Record], **options: Any) -> str:
    return draw_lines(make_evidence(records), EN, "io", **options)


@pytest.mark.parametrize(
    ("sizes", "others", "is_plain"),
    [
        ((1, 20), (), True),
        ((1, 20), (1, 2000), False),  # a line would lie flat on the axis
        ((50, 100, 400), (), True),
        ((50, 100, 4000), (), False),  # points would stand on one another
    ],
)
def test_lines_and_sizes_far_apart_share_no_scale_from_nought(
    sizes: tuple[int, ...], others: tuple[int, ...], is_plain: bool
) -> None:
    records = [sweep(PLAIN, tasks) for tasks in sizes] + [sweep(POOL, tasks) for tasks in others]
    assert ("0" in read_texts(draw_sweep(records))) == is_plain


def test_of_several_numbers_of_workers_the_most_are_the_line() -> None:
    records = [sweep(POOL, tasks, workers) for tasks in (1, 2) for workers in (20, 1)]
    told = read_tooltips(draw_sweep(records))
    assert [text.split(", ")[2].partition(":")[0] for text in told] == ["20 workers"] * 2


def test_few_dots_begin_at_nought_however_far_apart_they_are() -> None:
    assert "0" in read_texts(draw(make_evidence(measure((2.0, 0.02), (1,)))))


def test_two_points_are_bars_and_no_line() -> None:
    records = [sweep(PLAIN, tasks) for tasks in (1, 2, 3)]
    records += [sweep(POOL, tasks) for tasks in (1, 3)]
    chart = draw_sweep(records)
    assert chart.count('class="key-line') == 1
    assert len(read_tooltips(chart)) == 5
    chart = draw_sweep(record for record in records if record.tasks != 2)
    assert 'class="key-line' not in chart
    assert {EN.count("tasks", tasks) for tasks in (1, 3)} <= set(read_texts(chart))


def test_a_worker_for_each_task_is_one_line() -> None:
    records = [sweep(POOL, tasks, workers=tasks) for tasks in (1, 2, 3)]
    assert draw_sweep(records).count('class="key-line') == 1


def test_the_title_is_the_sentence_of_the_claim_it_shows_or_a_neutral_name() -> None:
    neutral = draw_sweep([sweep(PLAIN, 1)])
    assert "<figcaption>Time of the work by number of tasks" in neutral
    chart = draw_sweep([sweep(PLAIN, 1)], finding=Finding("fast", "Threads are <b>fast</b>."))
    assert "<figcaption>Threads are &lt;b&gt;fast&lt;/b&gt;.</figcaption>" in chart
    assert "Time of the work by number of tasks" in chart


def test_only_the_programs_asked_for_are_drawn() -> None:
    records = [sweep(program, tasks) for program in (PLAIN, POOL) for tasks in range(1, 4)]
    told = read_tooltips(draw_sweep(records, programs=[POOL]))
    assert [text[: len(POOL) + 3] for text in told] == [f"{POOL}, {tasks}" for tasks in (1, 2, 3)]


def count_floors(chart: str) -> int:
    """Dashed lines in the colour of the legend's sign, which is no program's; those are one path."""
    floors = (
        shape.get("d", "")
        for shape in read_picture(chart).iter(f"{SVG}path")
        if "stroke-dasharray" in shape.get("style", "")
        and "--chart-muted" in shape.get("style", "")
    )
    return sum(path.count("M") for path in floors)


def test_a_floor_is_drawn_where_tasks_wait_and_for_each_number_of_workers() -> None:
    """A line for all that share a floor, another for what takes turns; none where nothing waits."""
    records = [sweep(PLAIN, tasks) for tasks in (1, 20, 40)]
    records += [sweep(POOL, 1), sweep(POOL, 20), sweep(POOL, 40, workers=4)]
    assert "key-level" not in draw_sweep(records)
    experiment = alter(make_experiment(), "profiles", "quick", task_wait_s={"io": 0.1})
    waiting = make_evidence(records, experiment=experiment)
    chart = draw_lines(waiting, EN, "io")
    floors = [item for item in read_legend(chart) if item.startswith("waits alone")]
    assert floors == [f"waits alone of: {program}" for program in (PLAIN, POOL)]
    assert count_floors(chart) == 2
    assert count_floors(draw_lines(waiting, EN, "io", programs=[POOL])) == 1


# Traces.


def trace(program: str, *, tasks: int = 30, workers: int = 1) -> Record:
    """A second in which memory rises to 101 MiB, after another trial."""
    record = make_record(make_variant(program=program, tasks=tasks, workers=workers, cores=2))
    first, last = ([(n / 100, (n + more) * MIB, None) for n in range(101)] for more in (900, 1))
    return replace(record, traced=[Trial(status="ok", trace=tuple(one)) for one in (first, last)])


def test_where_nothing_was_sampled_the_profile_that_leaves_it_out_is_named() -> None:
    untraced = make_evidence([replace(make_record(), traced=())])
    assert read(draw_traces(untraced, EN, "io")) == EN.text("traces_nothing", profile="quick")


def test_of_several_sizes_the_largest_is_shown() -> None:
    records = [trace(POOL, tasks=tasks, workers=4) for tasks in (10, 20)]
    records += [trace(POOL, tasks=20, workers=8), trace(PLAIN)]
    tooltips = read_tooltips(draw_traces(make_evidence(records), EN, "io"))
    assert {one.partition(", after")[0] for one in tooltips} == {
        "04-io-thread_pool, 20 tasks, 8 workers",
        "01-io-sequential, 30 tasks, 1 worker",
    }
