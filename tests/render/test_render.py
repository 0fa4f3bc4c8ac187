"""What generated blocks say, as a reader's program or a screen reader would find it."""

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from msgspec import structs

from scripts.declare.languages import list_languages
from scripts.declare.originals import find_closest
from scripts.host.machine import describe_machine
from scripts.judge.evidence import Evidence
from scripts.judge.judge import judge_records
from scripts.records.record import Trial
from scripts.render.agreement import classify, show_agreement
from scripts.render.html import program_anchor
from scripts.render.published import InvalidData, format_csv, format_traces, make_document, validate
from scripts.render.words import NBSP, load_words
from tests.factories import (
    EXITED,
    alter,
    hide_time,
    make_experiment,
    make_interpreter,
    make_record,
    make_variant,
)
from tests.render.markup import make_evidence, read_rows

FAST = (1.0, 1.01, 1.02, 0.99, 1.0)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    records = []
    for cores in (1, 2):
        records.append(make_record(make_variant(cores=cores)))
        records.append(make_record(make_variant(cores=cores, program="04-io-thread_pool"), FAST))
    broken = make_record(make_variant(cores=2, program="08-cpu-sequential", family="cpu"))
    records.append(
        replace(broken, status="failed", reason=EXITED, stderr="<boom> & bang", timed=())
    )
    experiment = make_experiment()
    return Evidence(
        experiment=experiment,
        profile="quick",
        machine=describe_machine(),
        interpreters=(make_interpreter(),),
        judgements=judge_records(experiment, records),
        generated_at=datetime(2026, 1, 2, tzinfo=UTC),
    )


def test_numbers_follow_the_language() -> None:
    assert load_words("en").seconds(1.7532, 2) == "1.75\N{NO-BREAK SPACE}s"
    assert load_words("ru").seconds(1.7532, 2) == "1,75\N{NO-BREAK SPACE}с"


def test_dates_are_written_as_on_the_pages() -> None:
    day = datetime(2026, 11, 21, tzinfo=UTC)
    assert load_words("en").date(day) == "21 November 2026"
    assert load_words("ru").date(day).startswith("21 ноября 2026")


@pytest.mark.parametrize("language", list_languages())
def test_a_quantity_does_not_break_from_its_unit(language: str) -> None:
    words = load_words(language)
    quantities = [words.text("cpu_seconds", time=words.seconds(0.4, 2)), words.percent(0.4)]
    quantities += [words.count(key, n) for key in ("cores", "tasks", "workers") for n in (1, 2, 5)]
    assert not [written for written in quantities if re.search(r"\d ", written)]


@pytest.mark.parametrize(
    ("count", "said"), [(1, "1 ядро"), (2, "2 ядра"), (5, "5 ядер"), (21, "21 ядро")]
)
def test_russian_nouns_agree_with_their_number(count: int, said: str) -> None:
    assert load_words("ru").count("cores_nominative", count).replace(NBSP, " ") == said


def test_an_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="en, ru"):
        load_words("xx")


def test_published_data_keeps_to_its_schema(evidence: Evidence) -> None:
    validate(make_document([evidence]))


def test_broken_data_is_rejected_and_the_place_is_named(evidence: Evidence) -> None:
    document = make_document([evidence])
    document["rows"][0]["cores"] = "two"
    with pytest.raises(InvalidData, match=r"rows\[0\]\.cores"):
        validate(document)


def test_csv_says_the_same_as_json(evidence: Evidence) -> None:
    rows = make_document([evidence])["rows"]
    read = list(csv.DictReader(io.StringIO(format_csv(rows))))
    assert len(read) == len(rows)
    for row, line in zip(rows, read, strict=True):
        assert [float(value) for value in line["wall_s"].split()] == row["wall_s"]
        assert line["program"] == row["program"]
        assert (line["verdict"] or None) == row["verdict"]


def test_traces_are_published_a_line_a_sample(evidence: Evidence) -> None:
    lines = list(csv.DictReader(io.StringIO(format_traces(evidence.judgements))))
    assert len(lines) == 2 * len(evidence.judgements)
    assert lines[1] == {
        "program": "01-io-sequential",
        "interpreter": "cpython-3.13.0",
        "start_method": "",
        "cores": "1",
        "workers": "1",
        "tasks": "30",
        "trial": "1",
        "seconds": "0.5",
        "pss_bytes": "2",
        "cpu_s": "0.4",
    }


def test_traces_without_cpu_times_leave_them_open_and_trials_are_told_apart() -> None:
    trial = Trial(status="ok", trace=((0.0, 7, None),))
    record = replace(make_record(), traced=(trial, trial))
    lines = format_traces(make_evidence([record]).judgements).splitlines()[1:]
    assert [line.split(",")[-4:] for line in lines] == [
        ["1", "0.0", "7", ""],
        ["2", "0.0", "7", ""],
    ]


def test_where_nothing_was_traced_there_are_no_traces() -> None:
    untraced = replace(make_record(), traced=(Trial(status="ok"),))
    assert format_traces(make_evidence([untraced]).judgements) == ""
    assert format_traces([]) == ""


def test_the_article_is_compared_with_a_program_s_first_family_alone() -> None:
    originals = tuple(
        {"program": f"{program}.py", "machine": "theirs", "cores": "1", "wall_s": wall_s}
        for program, wall_s in (("01-io-sequential", "2"), ("04-io-thread_pool", "1"))
    )
    experiment = structs.replace(make_experiment(), originals=originals)
    for program in ("01-io-sequential", "04-io-thread_pool"):
        experiment = alter(experiment, "programs", program, families=["io", "cpu"])
    walls = {"io": 0.5, "cpu": 5.0}
    records = [
        hide_time(make_record(make_variant(program=program, family=family), [wall_s] * 5))
        for family, faster in walls.items()
        for program, wall_s in (("01-io-sequential", 1.0), ("04-io-thread_pool", faster))
    ]
    rows = read_rows(
        show_agreement(make_evidence(records, experiment=experiment), load_words("en"))
    )
    assert [row[0] for row in rows] == ["01-io-sequential", "04-io-thread_pool"]
    assert rows[1][1:] == ["×2.0 gain", "×2.0 gain", "= agrees"]


@pytest.mark.parametrize(("time", "ours"), [("wall_s", "×1.8 gain"), ("inside_s", "×2.0 gain")])
def test_the_article_is_compared_by_the_time_that_it_gives(time: str, ours: str) -> None:
    originals = tuple(
        {"program": f"{program}.py", "machine": "theirs", "cores": "1", time: figure}
        for program, figure in (("01-io-sequential", "2"), ("04-io-thread_pool", "1"))
    )
    experiment = structs.replace(make_experiment(), originals=originals)
    programs = (("01-io-sequential", 1.1), ("04-io-thread_pool", 0.6))
    records = [
        make_record(make_variant(program=program), [wall_s] * 5) for program, wall_s in programs
    ]
    evidence = make_evidence(records, experiment=experiment)
    assert read_rows(show_agreement(evidence, load_words("en")))[1][1:3] == ["×2.0 gain", ours]


def test_the_article_s_machine_with_the_closest_core_count_is_compared() -> None:
    rows = [{"machine": name, "cores": cores} for name, cores in (("a", "10"), ("b", "1"))]
    assert find_closest(rows, 8)[0]["machine"] == "a"
    assert find_closest(rows, 2)[0]["machine"] == "b"


def test_a_speedup_counts_only_beyond_the_margin() -> None:
    assert classify(1.2, 1.3) == "gain"
    assert classify(0.95, 1.05) == "tie"
    assert classify(1.05, 1.3) == "open"
    assert classify(0.5, 0.8) == "loss"


def test_anchors_are_ascii() -> None:
    assert program_anchor("06b-io-async-client_per_request") == "p06b"
