"""Traces, as a reader sees and hears them."""

import re

import pytest

from scripts.harness.record import Record, Trial
from scripts.site.judge.judge import Evidence
from scripts.site.render import traces
from scripts.site.render.words import MIB, load_words
from tests.factories import make_record, make_variant, replace
from tests.site.render.markup import make_evidence, read, read_texts, read_tooltips, remember

EN = load_words("en")
draw_traces = remember(traces.draw_traces)
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"


def trace(program: str, *, cores: float | None, tasks: int = 30, workers: int = 1) -> Record:
    """A second in which memory rises to 101 MiB and so many cores are busy, after another trial."""
    record = make_record(make_variant(program=program, tasks=tasks, workers=workers, cores=2))
    trials = [
        Trial(
            status="ok",
            trace=tuple(
                (
                    place / 100,
                    (place + offset) * MIB,
                    None if cores is None else cores * place / 100,
                )
                for place in range(101)
            ),
        )
        for offset in (900, 1)
    ]
    return replace(record, traced=tuple(trials))


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return make_evidence([trace(SEQUENTIAL, cores=1), trace(POOL, cores=2, workers=4)])


def test_cores_are_the_cpu_time_used_in_each_span_of_time(evidence: Evidence) -> None:
    tooltips = read_tooltips(draw_traces(evidence, EN, "io", of="cpu"))
    values = {tuple(re.findall(r"^(\S+),.*: (.*)$", text)[0]) for text in tooltips}
    assert values == {(SEQUENTIAL, "1.00 cores"), (POOL, "2.00 cores")}


def test_where_nothing_was_sampled_the_profile_that_leaves_it_out_is_named() -> None:
    untraced = make_evidence([replace(trace(SEQUENTIAL, cores=1), traced=())])
    said = read(traces.draw_traces(untraced, EN, "io"))
    assert said == EN.text("traces_nothing", profile=untraced.profile)


def test_a_program_without_cpu_times_has_memory_only() -> None:
    evidence = make_evidence([trace(SEQUENTIAL, cores=None), trace(POOL, cores=1)])
    cpu = read_tooltips(draw_traces(evidence, EN, "io", of="cpu"))
    assert not any(text.startswith(SEQUENTIAL) for text in cpu)
    assert any(
        text.startswith(SEQUENTIAL) for text in read_tooltips(draw_traces(evidence, EN, "io"))
    )
    nothing = draw_traces(evidence, EN, "io", of="cpu", programs=[SEQUENTIAL])
    assert "<svg" not in nothing
    assert EN.text("chart_nothing") in nothing


def test_of_several_sizes_the_largest_is_shown_or_the_workers_asked_for() -> None:
    records = [trace(POOL, cores=1, tasks=tasks, workers=4) for tasks in (10, 20)]
    records += [trace(POOL, cores=1, tasks=20, workers=8), trace(SEQUENTIAL, cores=1)]
    evidence = make_evidence(records)

    def list_subjects(workers: int | None) -> set[str]:
        texts = read_texts(draw_traces(evidence, EN, "io", workers=workers))
        return {text.replace("\N{NO-BREAK SPACE}", " ") for text in texts if "worker" in text}

    assert list_subjects(None) == {
        "04-io-thread_pool, 20 tasks, 8 workers",
        "01-io-sequential, 30 tasks, 1 worker",
    }
    assert list_subjects(4) == {
        "04-io-thread_pool, 20 tasks, 4 workers",
        "01-io-sequential, 30 tasks, 1 worker",
    }
