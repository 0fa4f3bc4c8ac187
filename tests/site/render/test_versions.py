"""Versions, as a reader sees and hears them."""

from collections.abc import Sequence

import pytest

from scripts.harness.record import Record
from scripts.site.judge.judge import Evidence
from scripts.site.render import comparisons
from scripts.site.render.words import load_words
from tests.factories import EXITED, make_interpreter, make_record, make_variant, replace
from tests.site.render.markup import (
    make_evidence,
    read,
    read_rows,
    read_tooltips,
    remember,
)

EN = load_words("en")
draw_versions = remember(comparisons.draw_versions)
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"
INTERPRETERS = [
    make_interpreter(id=f"cpython-{version}", version=version)
    for version in ("3.13.0", "3.6.15", "3.9.20", "3.12.7")
]


def measure(program: str, version: str, inside_s: float, tasks: int = 30) -> Record:
    variant = make_variant(
        program=program, interpreter=f"cpython-{version}", tasks=tasks, workers=tasks, cores=2
    )
    return make_record(variant, [inside_s + 0.1] * 3)


def compare(ratios: Sequence[float]) -> Evidence:
    records = []
    for interpreter, ratio in zip(INTERPRETERS, ratios, strict=True):
        records.append(measure(SEQUENTIAL, interpreter.version, 1.0))
        records.append(measure(POOL, interpreter.version, ratio))
    return make_evidence(records, INTERPRETERS)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return compare((1.0, 2.0, 1.5, 0.5))


def test_each_interpreter_has_its_ratio_the_oldest_first(evidence: Evidence) -> None:
    assert read_tooltips(draw_versions(evidence, EN, "io", POOL)) == [
        "04-io-thread_pool, 3.6: ×2.0",
        "04-io-thread_pool, 3.9: ×1.5",
        "04-io-thread_pool, 3.12: ×0.50",
        "04-io-thread_pool, 3.13: ×1.0",
    ]


def test_an_interval_is_told_of_several_trials_and_of_one_there_is_none() -> None:
    records = [measure(SEQUENTIAL, "3.13.0", 1.0), measure(POOL, "3.13.0", 1.0)]
    several = replace(records[1], timed=make_record(walls=[0.9, 1.1, 1.3]).timed)
    chart = draw_versions(make_evidence([records[0], several], INTERPRETERS[:1]), EN, "io", POOL)
    assert read_tooltips(chart) == ["04-io-thread_pool, 3.13: ×1.0 (0.4–2.5)"]
    assert read_rows(chart) == [["3.13", "1.0 s 0.4–2.5", "1.0 s", "×1.0 0.4–2.5"]]
    once = [replace(record, timed=record.timed[:1]) for record in records]
    (row,) = read_rows(draw_versions(make_evidence(once, INTERPRETERS[:1]), EN, "io", POOL))
    assert row == ["3.13", "1.0 s", "1.0 s", "×1.0"]


def test_only_the_largest_comparable_size_counts() -> None:
    version = INTERPRETERS[0].version
    records = [
        measure(SEQUENTIAL, version, 1.0, tasks=10),
        measure(POOL, version, 9.0, tasks=10),
        measure(SEQUENTIAL, version, 1.0, tasks=20),
        measure(POOL, version, 3.0, tasks=20),
        measure(POOL, version, 7.0, tasks=40),
    ]
    chart = draw_versions(make_evidence(records, INTERPRETERS[:1]), EN, "io", POOL)
    assert read_tooltips(chart) == ["04-io-thread_pool, 3.13: ×3.0"]
    assert "Time inside the program on 2 cores, 20 tasks" in read(chart)


def test_an_interpreter_on_which_it_failed_is_in_the_table_only() -> None:
    records = [measure(program, "3.13.0", 1.0) for program in (SEQUENTIAL, POOL)]
    records.append(measure(SEQUENTIAL, "3.6.15", 1.0))
    broken = measure(POOL, "3.6.15", 1.0)
    records.append(replace(broken, status="failed", reason=EXITED, timed=()))
    chart = draw_versions(make_evidence(records, INTERPRETERS[:2]), EN, "io", POOL)
    assert len(read_tooltips(chart)) == 1
    row = chart[chart.index('<th scope="row">3.6</th>') :].partition("</tr>")[0]
    assert ">failed</td>" in row
    assert row.endswith('<td class="number">—</td>')
