"""Lines, as a reader sees and hears them."""

import re

import pytest

from scripts.harness.record import Record
from scripts.site.judge.judge import Evidence
from scripts.site.render.charts import draw_lines
from scripts.site.render.words import load_words
from tests.factories import alter, make_record, make_variant
from tests.site.render.markup import (
    SVG,
    make_evidence,
    read,
    read_picture,
    read_texts,
    read_tooltips,
)

EN = load_words("en")
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


def test_of_several_numbers_of_workers_the_most_are_the_line() -> None:
    records = [measure(POOL, tasks, workers) for tasks in (1, 2) for workers in (20, 1)]
    told = read_tooltips(draw_lines(make_evidence(records), EN, "io"))
    assert [text.split(", ")[2].partition(":")[0] for text in told] == ["20 workers"] * 2


def test_a_worker_for_each_task_is_one_line() -> None:
    records = [measure(POOL, tasks, workers=tasks) for tasks in (1, 2, 3)]
    assert draw_lines(make_evidence(records), EN, "io").count('class="key-line') == 1


def test_the_title_is_the_sentence_of_the_claim_it_shows_or_a_neutral_name(
    evidence: Evidence,
) -> None:
    neutral = read(draw_lines(evidence, EN, "io").partition("</figcaption>")[0])
    assert neutral.startswith("Time of the work by number of tasks")
    chart = draw_lines(evidence, EN, "io", sentence="Threads are <b>fast</b>.")
    assert "<figcaption>Threads are &lt;b&gt;fast&lt;/b&gt;.</figcaption>" in chart
    assert "Time of the work by number of tasks" in chart


def test_only_the_programs_and_sizes_asked_for_are_drawn(evidence: Evidence) -> None:
    chart = draw_lines(evidence, EN, "io", programs=[POOL], most=5)
    assert [text.split(", ")[:2] for text in read_tooltips(chart)] == [
        [POOL, EN.count("tasks", tasks).replace("\N{NO-BREAK SPACE}", " ")] for tasks in range(1, 6)
    ]


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
    records = [measure(SEQUENTIAL, tasks) for tasks in (1, 40)]
    records += [measure(POOL, 1), measure(POOL, 40, workers=4)]
    evidence = make_evidence(records)
    assert "key-level" not in draw_lines(evidence, EN, "io")
    experiment = alter(evidence.experiment, "profiles", "quick", task_wait_s={"io": 0.1})
    waiting = make_evidence(records, experiment=experiment)
    chart = draw_lines(waiting, EN, "io")
    assert "key-level" in chart
    assert count_floors(chart) == 2
    alone = draw_lines(waiting, EN, "io", programs=[POOL])
    assert count_floors(alone) == 1
