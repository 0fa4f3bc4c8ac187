"""Versions, as a reader sees and hears them."""

from scripts.harness.record import Record
from scripts.site.render import comparisons
from scripts.site.render.words import load_words
from tests.factories import EXITED, make_interpreter, make_record, make_variant, replace
from tests.site.render.markup import make_evidence, read, read_tooltips, remember

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
    assert "Time of the work on 2 cores, 20 tasks" in read(chart)


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
