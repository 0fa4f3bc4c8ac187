"""Lines, as a reader sees and hears them."""

import re

import pytest

from scripts.harness.record import Record
from scripts.site.declare.texts import list_languages
from scripts.site.judge.judge import Evidence
from scripts.site.render import growth
from scripts.site.render.growth import LineOptions
from scripts.site.render.words import load_words
from tests.factories import EXITED, alter, make_record, make_variant, replace
from tests.site.render.markup import (
    SVG,
    make_evidence,
    read,
    read_picture,
    read_texts,
    read_tooltips,
    remember,
)

EN = load_words("en")
draw_lines = remember(growth.draw_lines)
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"


def measure(program: str, tasks: int, workers: int = 1) -> Record:
    variant = make_variant(program=program, tasks=tasks, workers=workers, cores=2)
    walls = [share * tasks / workers + 0.1 for share in (0.9, 1.0, 1.1)]
    return make_record(variant, walls, peak_pss_bytes=workers << 20)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    records = [measure(SEQUENTIAL, tasks) for tasks in range(1, 8)]
    return make_evidence(records + [measure(POOL, tasks, workers=4) for tasks in range(1, 8)])


def read_legend(chart: str) -> set[str]:
    """What the signs mean."""
    return {read(item) for item in re.findall(r"<li>(.*?)</li>", chart)}


@pytest.mark.parametrize("language", list_languages())
def test_each_point_tells_its_program_sizes_and_interval(evidence: Evidence, language: str) -> None:
    words = load_words(language)
    tooltips = read_tooltips(draw_lines(evidence, words, "io"))
    assert len(tooltips) == 14
    expected = {
        "en": "04-io-thread_pool, 2 tasks, 4 workers: 0.50 s (0.32–0.79)",
        "ru": "04-io-thread_pool, 2 задачи, 4 воркера: 0,50 с (0,32–0,79)",
    }
    assert expected[language] in tooltips


def test_each_line_has_a_band_and_a_sign_of_its_own(evidence: Evidence) -> None:
    chart = draw_lines(evidence, EN, "io")
    assert chart.count("opacity: 0.2") >= 1
    signs = re.findall(r'class="key-line (dash-\d series-\d).*?key (key-\w+)', chart)
    assert len(set(signs)) == 2


def test_a_line_is_named_at_its_end_where_the_name_fits() -> None:
    several = [measure(POOL, tasks, workers) for tasks in (1, 2) for workers in (1, 20)]
    assert EN.count("workers", 20) in read_texts(draw_lines(make_evidence(several), EN, "io"))
    both = [measure(program, tasks) for program in (SEQUENTIAL, POOL) for tasks in (1, 2)]
    assert {SEQUENTIAL, POOL} <= set(read_texts(draw_lines(make_evidence(both), EN, "io")))


def test_lines_far_apart_share_no_scale_from_nought() -> None:
    """Or one of them would lie flat on the axis."""
    near = [measure(SEQUENTIAL, tasks) for tasks in (1, 20)]
    far = [measure(POOL, tasks) for tasks in (1, 2000)]
    flat = read_texts(draw_lines(make_evidence(near), EN, "io"))
    assert "0" in flat
    assert "0" not in read_texts(draw_lines(make_evidence([*near, *far]), EN, "io"))


@pytest.mark.parametrize(("most", "ticks"), [(400, {"0"}), (4000, {"100", "1,000"})])
def test_sizes_of_which_one_is_far_from_the_others_share_no_scale_from_nought(
    most: int, ticks: set[str]
) -> None:
    records = [measure(SEQUENTIAL, tasks) for tasks in (50, 100, most)]
    assert ticks <= set(read_texts(draw_lines(make_evidence(records), EN, "io")))


def test_each_number_of_workers_is_a_line_if_one_size_has_several() -> None:
    records = [measure(POOL, tasks, workers) for tasks in (1, 2) for workers in (1, 20)]
    chart = draw_lines(make_evidence(records), EN, "io")
    assert {f"{POOL}, 1 worker", f"{POOL}, 20 workers"} <= read_legend(chart)


def test_a_worker_for_each_task_is_one_line() -> None:
    records = [measure(POOL, tasks, workers=tasks) for tasks in (1, 2, 3)]
    assert draw_lines(make_evidence(records), EN, "io").count('class="key-line') == 1


def test_stairs_stand_at_the_multiples_of_the_core_count(evidence: Evidence) -> None:
    chart = draw_lines(evidence, EN, "io", LineOptions(stairs=True))
    assert {"2", "4", "6"} <= set(read_texts(chart))
    assert "multiples of 2 cores" in read_legend(chart)
    assert "multiples of 2 cores" not in read_legend(draw_lines(evidence, EN, "io"))


def test_the_title_is_the_sentence_of_the_claim_it_shows_or_a_neutral_name(
    evidence: Evidence,
) -> None:
    neutral = read(draw_lines(evidence, EN, "io").partition("</figcaption>")[0])
    assert neutral.startswith("Time inside by number of tasks")
    chart = draw_lines(evidence, EN, "io", sentence="Threads are <b>fast</b>.")
    assert "<figcaption>Threads are &lt;b&gt;fast&lt;/b&gt;.</figcaption>" in chart
    assert "Time inside by number of tasks" in chart


def test_only_the_programs_and_sizes_asked_for_are_drawn(evidence: Evidence) -> None:
    chart = draw_lines(evidence, EN, "io", LineOptions(programs=[POOL], most=5))
    assert [text.split(", ")[:2] for text in read_tooltips(chart)] == [
        [POOL, EN.count("tasks", tasks).replace("\N{NO-BREAK SPACE}", " ")] for tasks in range(1, 6)
    ]


def test_memory_is_told_in_its_unit(evidence: Evidence) -> None:
    tooltips = read_tooltips(draw_lines(evidence, EN, "io", LineOptions(metric="peak_pss_bytes")))
    assert "04-io-thread_pool, 2 tasks, 4 workers: 4.0 MiB" in tooltips


def test_what_failed_is_no_point_but_the_rest_is() -> None:
    broken = replace(measure(POOL, 2), status="failed", reason=EXITED, timed=())
    chart = draw_lines(make_evidence([measure(POOL, 1), broken, measure(POOL, 3)]), EN, "io")
    assert len(read_tooltips(chart)) == 2
    assert draw_lines(make_evidence([broken]), EN, "io").count("<svg") == 0


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
    records = [measure(program, tasks) for program in (POOL, SEQUENTIAL) for tasks in (1, 40)]
    evidence = make_evidence(records)
    assert "key-level" not in draw_lines(evidence, EN, "io")
    waiting = replace(
        evidence,
        experiment=alter(evidence.experiment, "profiles", "quick", task_wait_s={"io": 0.1}),
    )
    chart = draw_lines(waiting, EN, "io")
    assert "key-level" in chart
    assert count_floors(chart) == 2
    alone = draw_lines(waiting, EN, "io", LineOptions(programs=[POOL]))
    assert count_floors(alone) == 1


def test_what_takes_less_than_a_millisecond_does_not_read_as_nought() -> None:
    variants = [make_variant(program=POOL, tasks=tasks) for tasks in (1, 9)]
    records = [
        make_record(one, [wall_s] * 3) for one, wall_s in zip(variants, (2e-5, 0.03), strict=True)
    ]
    options = LineOptions(log=True, metric="wall_s")
    texts = read_texts(draw_lines(make_evidence(records), EN, "io", options))
    assert {"0.0001", "0.001", "0.01"} <= set(texts)
    assert "0" not in texts


def test_the_numbers_under_a_chart_are_thinned_but_keep_both_ends() -> None:
    records = [measure(POOL, tasks) for tasks in range(1, 41)]
    chart = draw_lines(make_evidence(records), EN, "io")
    sizes = [int(size) for size in re.findall(r'<th scope="row">(\d+)</th>', chart)]
    assert len(sizes) == 12
    assert (sizes[0], sizes[-1]) == (1, 40)
