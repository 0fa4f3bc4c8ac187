"""Tables show what was measured at its largest, and say the sizes where they differ."""

import re

import pytest

from bench.weight import count_elements
from scripts.harness.record import Record
from scripts.site.render.tables import show_everywhere, show_overview, show_results
from tests.factories import make_interpreter, make_record, make_variant, replace
from tests.site.golden import (
    ASYNC,
    NEW,
    OLD,
    PLAIN,
    POOL,
    WORDS,
    compare,
    measure,
    measure_lab,
)
from tests.site.render.markup import make_evidence, read, read_ids, read_rows

NEAR_FLOOR = -1
"""The place of this column in a row."""


def repeat(*sizes: int, program: str = POOL, **changes: object) -> list[Record]:
    return [make_record(make_variant(program=program, tasks=tasks, **changes)) for tasks in sizes]


def list_programs(table: str) -> list[str]:
    """The first cells of the rows."""
    return [row[0] for row in read_rows(table)]


def test_results_have_a_table_a_core_count_and_a_failed_program_its_stderr() -> None:
    compare("results", show_results(measure_lab(), WORDS))


def test_a_program_has_a_table_a_family_and_a_row_a_place() -> None:
    compare("everywhere", show_everywhere(measure_lab(NEW, OLD), WORDS, POOL))


def test_the_overview_has_a_row_for_each_program_and_the_rows_of_other_pythons_aside() -> None:
    compare("overview", show_overview(measure_lab(NEW, OLD), WORDS))


def test_of_several_sizes_the_largest_is_shown_and_said_where_others_have_another() -> None:
    several = make_evidence([*repeat(10, 300, 50), *repeat(40, program=PLAIN)])
    assert list_programs(show_results(several, WORDS)) == [
        f"{PLAIN} [tasks 40], [workers 1]",
        f"{POOL} [tasks 300], [workers 1]",
    ]
    alike = make_evidence([*repeat(10, 40), *repeat(40, program=PLAIN)])
    assert list_programs(show_results(alike, WORDS)) == [
        f"{PLAIN} [workers 1]",
        f"{POOL} [workers 1]",
    ]


def test_a_table_may_be_of_some_families_only_and_stand_beside_that_of_all() -> None:
    evidence = measure_lab()
    assert read_ids(show_results(evidence, WORDS)) == ["results-2-cores", "results-1-cores"]
    cpu = show_results(evidence, WORDS, families=["cpu"])
    assert read_ids(cpu) == ["results-2-cores-cpu", "results-1-cores-cpu"]


def test_of_one_trial_there_is_no_interval() -> None:
    several, once = (
        read_rows(show_results(make_evidence([make_record(walls=walls)]), WORDS))[0][1]
        for walls in ([2.0, 2.1, 1.9, 2.0, 2.05], [2.0])
    )
    assert several == "2.0 [s] 1.8–2.2"
    assert once == "2.0 [s]"


def test_what_could_not_be_judged_has_a_dash_for_a_verdict() -> None:
    (row,) = read_rows(show_results(make_evidence(repeat(30)), WORDS))
    assert row[2].startswith("—")


def test_a_floor_above_the_measurement_is_shown_as_it_is() -> None:
    below = make_record(make_variant(), [0.25] * 5)  # the experiment declares a wait of 0.5 s
    (row,) = read_rows(show_results(make_evidence([below]), WORDS))
    assert row[NEAR_FLOOR] == "200%"


@pytest.mark.parametrize(("inside_s", "is_shown"), [(1.70, True), (1.90, False)])
def test_the_time_inside_is_shown_where_it_is_a_tenth_less(inside_s: float, is_shown: bool) -> None:
    record = make_record(walls=[2.0] * 5)
    timed = (replace(one, values={**one.values, "inside_s": inside_s}) for one in record.timed)
    shown = read(show_results(make_evidence([replace(record, timed=tuple(timed))]), WORDS))
    assert ("[inside" in shown) is is_shown


def test_how_late_a_loop_runs_has_a_column_where_a_program_has_one() -> None:
    without, (with_loop,) = repeat(30), repeat(30, program=PLAIN)
    assert "[lag_max_s" not in show_results(make_evidence(without), WORDS)
    lags = {"lag_p50_s": 0.0012, "lag_p99_s": 0.045, "lag_max_s": 1.5}
    traced = [replace(one, values={**one.values, **lags}) for one in with_loop.traced]
    late = replace(with_loop, traced=tuple(traced))
    rows = read_rows(show_results(make_evidence([*without, late]), WORDS))
    shown = {row[0].split()[0]: row[-1] for row in rows}
    assert shown == {PLAIN: "1.5 [s] [lag_usual 1.2 [ms] 45 [ms]]", POOL: "—"}


def test_of_programs_that_are_as_good_as_each_other_the_cheapest_is_named() -> None:
    records = [measure(NEW, PLAIN, 4.0), measure(NEW, POOL, 1.0), measure(NEW, ASYNC, 1.05)]
    shown = read_rows(show_results(make_evidence(records), WORDS))
    verdicts = {row[0].split()[0]: row[2] for row in shown}
    assert f"[cheapest {POOL}]" in verdicts[POOL]
    assert f"[cheapest {POOL}]" in verdicts[ASYNC]
    alone = show_results(make_evidence(records[:2]), WORDS)
    assert "[cheapest" not in alone


def test_tables_of_several_pythons_name_theirs_and_keep_their_order() -> None:
    names = ("cpython-3.9.20", "cpython-3.13.0", "cpython-3.14.0t")
    records = [record for name in names for record in repeat(30, cores=2, interpreter=name)]
    pythons = [make_interpreter(id=name) for name in names]
    shown = show_results(make_evidence(records, pythons), WORDS)
    captions = re.findall(r"<caption>(\[results_caption .*?)</caption>", shown)
    assert [read(one).rstrip("]").split()[-1] for one in captions] == list(names)
    reverse = show_results(make_evidence(records[::-1], pythons), WORDS)
    assert re.findall(r"<caption>(\[results_caption .*?)</caption>", reverse) == captions


def test_rows_of_several_start_methods_name_them_and_others_do_not() -> None:
    def show(*methods: str) -> str:
        records = [make_record(make_variant(start_method=method)) for method in methods]
        return read(show_everywhere(make_evidence(records), WORDS, PLAIN))

    assert "[workers 1], fork" in show("fork", "spawn")
    assert "[workers 1], spawn" in show("fork", "spawn")
    assert ", fork" not in show("fork")


def test_more_cores_make_the_overview_no_longer_and_a_python_adds_what_chooses_it() -> None:
    """An option and a script, from which the script takes its rows."""

    def show(cores: tuple[int, ...], pythons: int) -> str:
        names = [f"cpython-3.{minor}.0" for minor in range(9, 9 + pythons)]
        records = [
            make_record(make_variant(program=program, cores=count, interpreter=name), [1.0] * 5)
            for program in (PLAIN, POOL)
            for count in cores
            for name in names
        ]
        return show_overview(make_evidence(records, map(find_id, names)), WORDS)

    def find_id(name: str):  # type: ignore[no-untyped-def]
        return make_interpreter(id=name)

    many, plain = show((1, 2, 4, 8, 16, 32, 64), 7), show((1, 2), 1)
    assert count_elements(many) <= count_elements(plain) + 2 * 7 + 2
    assert count_elements(show((1, 2, 4, 8), 1)) == count_elements(plain)
    rows = re.findall(r'<tr [^>]*data-cores="(\d+)".*?<a [^>]*>([^<]+)', show((1, 2, 4, 8), 1))
    assert rows == [(cores, program) for cores in "81" for program in (PLAIN, POOL)]
