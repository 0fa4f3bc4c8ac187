"""Traces, as a reader sees and hears them."""

import re
from typing import Literal

import pytest

from scripts.harness.record import Record, Trial
from scripts.harness.samplers import thin
from scripts.site.declare.texts import list_languages
from scripts.site.judge.judge import Evidence
from scripts.site.render import traces
from scripts.site.render.words import MIB, load_words
from tests.factories import make_record, make_variant, replace
from tests.site.render.markup import (
    make_evidence,
    read,
    read_texts,
    read_tooltips,
    remember,
)

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


@pytest.mark.parametrize("language", list_languages())
def test_points_tell_when_and_how_much_and_the_peak_is_one(
    evidence: Evidence, language: str
) -> None:
    tooltips = read_tooltips(draw_traces(evidence, load_words(language), "io"))
    expected = {
        "en": "04-io-thread_pool, 30 tasks, 4 workers, after 1.00 s: 101 MiB",
        "ru": "04-io-thread_pool, 30 задач, 4 воркера, через 1,00 с: 101 МиБ",
    }
    assert expected[language] in tooltips
    for program in (SEQUENTIAL, POOL):
        assert sum(text.startswith(program) for text in tooltips) >= 8


def test_cores_are_the_cpu_time_used_in_each_span_of_time(evidence: Evidence) -> None:
    tooltips = read_tooltips(draw_traces(evidence, EN, "io", of="cpu"))
    values = {tuple(re.findall(r"^(\S+),.*: (.*)$", text)[0]) for text in tooltips}
    assert values == {(SEQUENTIAL, "1.00 cores"), (POOL, "2.00 cores")}


def test_one_core_and_all_cores_are_marked_in_charts_of_cpu_only(evidence: Evidence) -> None:
    assert "key-level" in draw_traces(evidence, EN, "io", of="cpu")
    assert "key-level" not in draw_traces(evidence, EN, "io")


def test_each_program_has_a_panel_and_all_have_the_same_axes(evidence: Evidence) -> None:
    texts = read_texts(draw_traces(evidence, EN, "io"))
    assert sum(text.startswith((SEQUENTIAL, POOL)) for text in texts) == 2
    assert texts.count("100") == 2
    assert texts.count(EN.text("axis_trace_time")) == 1


def test_overlaid_programs_are_told_apart_by_the_legend(evidence: Evidence) -> None:
    chart = draw_traces(evidence, EN, "io", overlay=True)
    assert chart.count('class="key-line') == 2
    assert read_texts(chart).count("100") == 1
    assert len(read_tooltips(chart)) == len(read_tooltips(draw_traces(evidence, EN, "io")))


def read_title(chart: str) -> str:
    return read(re.findall(r"<figcaption>(.*?)</figcaption>", chart)[0])


@pytest.mark.parametrize(
    ("language", "ending"), [("en", "on 2 cores, all in one"), ("ru", "на 2 ядрах, все вместе")]
)
def test_a_title_tells_what_a_page_has_chosen(
    evidence: Evidence, language: str, ending: str
) -> None:
    words = load_words(language)
    whole = read_title(draw_traces(evidence, words, "io"))
    place = ending.partition(",")[0]
    assert whole.endswith(place)
    chosen = draw_traces(evidence, words, "io", programs=[POOL], workers=4, overlay=True)
    several = read(words.count("workers", 4))
    assert read_title(chosen) == whole.replace(
        f", {place}", f" (04-io-thread_pool), {several}, {ending}"
    )


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


def test_a_point_stands_at_the_peak_however_short_it_was() -> None:
    record = make_record(make_variant(cores=2))
    points = [(place / 10, (99 if place == 71 else 5) * MIB, 0.0) for place in range(200)]
    spiky = replace(record, traced=(Trial(status="ok", trace=tuple(points)),))
    chart = draw_traces(make_evidence([spiky]), EN, "io")
    assert any(text.endswith("after 7.10 s: 99 MiB") for text in read_tooltips(chart))


def test_a_table_has_peak_and_length_and_of_cpu_the_mean() -> None:
    """Of memory it has none: of 2000 samples a trace keeps the 200 highest, here all spikes."""
    samples = [
        (place / 1000, (100 if place % 10 == 9 else 50) * MIB, max(0.0, place / 1000 - 1))
        for place in range(2001)
    ]
    record = replace(make_record(), traced=(Trial(status="ok", trace=thin(samples)),))
    evidence = make_evidence([record])

    def read_cells(of: Literal["memory", "cpu"]) -> list[str]:
        table = draw_traces(evidence, EN, "io", of=of).partition("<details")[2]
        found = re.findall(r">([^<]+)</td>", table)
        return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]

    assert read_cells("memory") == ["100 MiB", "1.99 s"]
    assert read_cells("cpu") == ["1.00 cores", "0.50 cores", "1.99 s"]
