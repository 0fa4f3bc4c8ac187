"""Heat, as a reader sees and hears it."""

import re

import pytest

from scripts.harness.record import Record
from scripts.site.declare.texts import list_languages
from scripts.site.judge.judge import Evidence
from scripts.site.render import growth
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.render.markup import (
    SVG,
    make_evidence,
    read_picture,
    read_texts,
    read_tooltips,
    remember,
)

EN = load_words("en")
draw_heat = remember(growth.draw_heat)
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"


def measure(program: str, tasks: int, workers: int) -> Record:
    walls = [share * tasks / workers + 0.1 for share in (0.9, 1.0, 1.1)]
    return make_record(make_variant(program=program, tasks=tasks, workers=workers, cores=2), walls)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    sizes = [(tasks, workers) for tasks in (1, 10, 100) for workers in (5, 20)]
    return make_evidence(
        measure(program, *size) for program in (SEQUENTIAL, POOL) for size in sizes
    )


def read_opacities(chart: str) -> list[float]:
    cells = read_picture(chart).iterfind(f".//{SVG}path[@class='point']")
    styles = [cell.get("style", "") for cell in cells]
    return [
        float(found[1]) for style in styles if (found := re.search(r"opacity: ([\d.]+)", style))
    ]


@pytest.mark.parametrize("language", list_languages())
def test_each_cell_tells_its_sizes_and_interval(evidence: Evidence, language: str) -> None:
    tooltips = read_tooltips(draw_heat(evidence, load_words(language), "io"))
    assert len(tooltips) == 12
    expected = {
        "en": "04-io-thread_pool, 100 tasks, 20 workers: 5.0 s (3.8–6.7)",
        "ru": "04-io-thread_pool, 100 задач, 20 воркеров: 5,0 с (3,8–6,7)",
    }
    assert expected[language] in tooltips


def test_each_program_has_a_panel_under_its_name(evidence: Evidence) -> None:
    texts = read_texts(draw_heat(evidence, EN, "io"))
    assert [text for text in texts if text in (SEQUENTIAL, POOL)] == [SEQUENTIAL, POOL]


def test_the_longer_a_cell_took_the_stronger_its_shade() -> None:
    sizes = (1, 10, 100)
    chart = draw_heat(make_evidence(measure(POOL, tasks, 1) for tasks in sizes), EN, "io")
    faint, middle, strong = read_opacities(chart)
    assert faint < middle < strong
    assert middle - faint == pytest.approx(strong - middle, abs=0.02)


def test_cells_without_a_queue_are_framed_and_say_so() -> None:
    sizes = [(tasks, workers) for tasks in (1, 10, 100) for workers in (5, 20)]
    chart = draw_heat(make_evidence(measure(POOL, *size) for size in sizes), EN, "io")
    free = [text for text in read_tooltips(chart) if text.endswith("no task waits for its turn")]
    found = [re.findall(r"\d+(?= tasks?| workers)", text) for text in free]
    assert sorted(found) == [["1", "20"], ["1", "5"], ["10", "20"]]
    assert len(re.findall(r"stroke: var\(--chart-ink\)", chart)) == 3
    assert "key-cell" in chart
    queues = draw_heat(make_evidence([measure(POOL, 10, 1)]), EN, "io")
    assert "key-cell" not in queues


def test_many_sizes_go_into_bands_and_none_is_lost() -> None:
    records = [measure(POOL, tasks, 1) for tasks in range(1000, 1031)]
    chart = draw_heat(make_evidence(records), EN, "io")
    assert len(read_tooltips(chart)) == 31
    texts = read_texts(chart)
    assert {f"1,0{number:02}" for number in range(31)} <= set(texts)
    assert texts.count("tasks") > 1


def test_a_table_has_the_same_numbers(evidence: Evidence) -> None:
    table = draw_heat(evidence, EN, "io").partition("<details")[2]
    assert table.count("<td") == 12
    assert "5.0\N{NO-BREAK SPACE}s<small>3.8–6.7</small>" in table
