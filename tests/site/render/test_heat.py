"""Heat, as a reader sees and hears it."""

import re

from scripts.harness.record import Record
from scripts.site.render import growth
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.render.markup import make_evidence, read_texts, read_tooltips, remember

EN = load_words("en")
draw_heat = remember(growth.draw_heat)
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"


def measure(program: str, tasks: int, workers: int) -> Record:
    walls = [share * tasks / workers + 0.1 for share in (0.9, 1.0, 1.1)]
    return make_record(make_variant(program=program, tasks=tasks, workers=workers, cores=2), walls)


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
