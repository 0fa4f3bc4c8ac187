"""Tables show what was measured at its largest, and say the sizes where they differ."""

import re

import pytest

from scripts.harness.record import Record
from scripts.harness.texts import list_languages
from scripts.site.render.tables import show_results
from scripts.site.render.words import load_words
from tests.factories import EXITED, make_interpreter, make_record, make_variant, replace
from tests.site.render.markup import make_evidence, read, read_ids, read_rows

EN = load_words("en")
NEAR_FLOOR = -1
"""The place of this column in a row."""


def measure(*sizes: int, program: str = "04-io-thread_pool", **changes: object) -> list[Record]:
    return [make_record(make_variant(program=program, tasks=tasks, **changes)) for tasks in sizes]


def list_programs(table: str) -> list[str]:
    """The first cells of the rows."""
    return [row[0] for row in read_rows(table)]


def test_of_several_sizes_the_largest_is_shown_and_said() -> None:
    several = make_evidence([*measure(10, 300, 50), *measure(40, program="01-io-sequential")])
    assert list_programs(show_results(several, EN)) == [
        "01-io-sequential 40 tasks, 1 worker",
        "04-io-thread_pool 300 tasks, 1 worker",
    ]


def test_a_size_that_all_have_is_not_said() -> None:
    alike = make_evidence([*measure(10, 40), *measure(40, program="01-io-sequential")])
    assert list_programs(show_results(alike, EN)) == [
        "01-io-sequential 1 worker",
        "04-io-thread_pool 1 worker",
    ]


def test_a_table_may_be_of_some_families_only_and_stand_beside_that_of_all() -> None:
    records = [
        *measure(30, cores=1),
        *measure(30, cores=2),
        *measure(21, cores=2, family="cpu", program="08-cpu-sequential"),
    ]
    evidence = make_evidence(records)
    assert read_ids(show_results(evidence, EN)) == ["results-2-cores", "results-1-cores"]
    cpu = show_results(evidence, EN, families=["cpu"])
    assert read_ids(cpu) == ["results-2-cores-cpu"]
    assert list_programs(cpu) == ["08-cpu-sequential 1 worker"]


def test_of_several_trials_the_interval_is_shown_and_of_one_there_is_none() -> None:
    (several,) = read_rows(show_results(make_evidence(measure(30)), EN))
    assert several[1] == "2.0 s 1.8–2.2"
    (once,) = read_rows(show_results(make_evidence([make_record(walls=[2.0])]), EN))
    assert once[1] == "2.0 s"


@pytest.mark.parametrize("language", list_languages())
def test_a_failed_program_shows_why_and_its_stderr_escaped(language: str) -> None:
    (record,) = measure(30)
    failed = replace(record, status="failed", reason=EXITED, stderr="<boom> & bang", timed=())
    words = load_words(language)
    shown = show_results(make_evidence([failed]), words)
    assert words.term("status", "failed") in shown
    assert words.reason(EXITED) in shown
    assert "&lt;boom&gt; &amp; bang" in shown


@pytest.mark.parametrize("language", list_languages())
def test_a_verdict_is_told_in_words(language: str) -> None:
    records = [make_record(make_variant()), *measure(30)]
    words = load_words(language)
    verdict = words.term("verdict", "recommended")
    assert f"{verdict}</span>" in show_results(make_evidence(records), words)


def test_what_could_not_be_judged_has_a_dash_for_a_verdict() -> None:
    (row,) = read_rows(show_results(make_evidence(measure(30)), EN))
    assert row[2].startswith("—")


def test_a_floor_above_the_measurement_is_shown_as_it_is() -> None:
    below = make_record(make_variant(), [0.25] * 5)  # the experiment declares a wait of 0.5 s
    (row,) = read_rows(show_results(make_evidence([below]), EN))
    assert row[NEAR_FLOOR] == "200%"


@pytest.mark.parametrize(("inside_s", "is_shown"), [(1.70, True), (1.90, False)])
def test_the_time_inside_is_shown_where_it_is_a_tenth_less(inside_s: float, is_shown: bool) -> None:
    record = make_record(walls=[2.0] * 5)
    timed = (replace(one, values={**one.values, "inside_s": inside_s}) for one in record.timed)
    shown = show_results(make_evidence([replace(record, timed=tuple(timed))]), EN)
    assert (f"inside {inside_s:.1f}" in read(shown).replace("\N{NO-BREAK SPACE}", " ")) is is_shown


def list_places(shown: str) -> list[str]:
    """The links to the tables, then their captions."""
    links = re.findall(r'<a href="#results-[^"]*">(.*?)</a>', shown)
    return [read(name) for name in links + re.findall(r"<caption>(.*?)</caption>", shown)]


def test_tables_name_the_cores_and_of_several_interpreters_theirs() -> None:
    names = ("cpython-3.9.20", "cpython-3.13.0", "cpython-3.14.0t")
    records = [record for name in names for record in measure(30, cores=2, interpreter=name)]
    interpreters = [make_interpreter(id=name) for name in names]
    shown = list_places(show_results(make_evidence(records, interpreters), EN))
    assert shown[2:] == [f"Results on 2 cores, {name}" for name in names]
    assert list_places(show_results(make_evidence(records[::-1], interpreters), EN)) == shown
    one = show_results(make_evidence([*measure(30, cores=2), *measure(30, cores=1)]), EN)
    assert list_places(one) == ["2 cores", "1 core", "Results on 2 cores", "Results on 1 core"]


def add_lag(record: Record, *lags_s: float) -> Record:
    values = dict(zip(("lag_p50_s", "lag_p99_s", "lag_max_s"), lags_s, strict=True))
    traced = [replace(trial, values={**trial.values, **values}) for trial in record.traced]
    return replace(record, traced=tuple(traced))


@pytest.mark.parametrize("language", list_languages())
def test_how_late_a_loop_runs_has_a_column_where_a_program_has_one(language: str) -> None:
    words = load_words(language)
    without, with_loop = measure(30), measure(30, program="01-io-sequential")
    heads = show_results(make_evidence(without), words)
    assert words.text("lag_max_s") not in heads
    late = add_lag(with_loop[0], 0.0012, 0.045, 1.5)
    rows = read_rows(show_results(make_evidence([*without, late]), words))
    shown = {row[0].split()[0]: row[-1].replace("\N{NO-BREAK SPACE}", " ") for row in rows}
    ms, s = words.term("unit", "ms"), words.term("unit", "s")
    number = words.number
    usual = words.text("lag_usual", p50=f"{number(1.2, 1)} {ms}", p99=f"{number(45, 0)} {ms}")
    assert shown["01-io-sequential"] == f"{number(1.5, 1)} {s} {usual}"
    assert shown["04-io-thread_pool"] == "—"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "a tie with {program}"), ("ru", "ничья: {program} не хуже")],
)
def test_programs_that_are_recommended_alike_are_said_to_tie(language: str, said: str) -> None:
    walls = {"01-io-sequential": 4.0, "04-io-thread_pool": 1.0, "06-io-async": 1.05}
    records = [make_record(make_variant(program=name), [walls[name]] * 5) for name in walls]
    shown = read_rows(show_results(make_evidence(records), load_words(language)))
    verdicts = {row[0].split()[0]: row[2] for row in shown}
    assert said.format(program="06-io-async") in verdicts["04-io-thread_pool"]
    assert said.format(program="04-io-thread_pool") in verdicts["06-io-async"]
    alone = read_rows(show_results(make_evidence(records[:2]), load_words(language)))
    assert not any(said.partition("{")[0] in row[2] for row in alone)
