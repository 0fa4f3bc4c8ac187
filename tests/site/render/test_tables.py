"""Tables show what was measured at its largest, and say the sizes where they differ."""

from scripts.harness.record import Record
from scripts.site.render.tables import show_everywhere, show_overview, show_results
from tests.factories import PLAIN, POOL, make_interpreter, make_record, make_variant, replace
from tests.site.golden import ASYNC, NEW, OLD, WORDS, compare, measure, measure_lab
from tests.site.render.markup import make_evidence, read_rows


def repeat(*sizes: int, program: str = POOL, **changes: object) -> list[Record]:
    return [make_record(make_variant(program=program, tasks=tasks, **changes)) for tasks in sizes]


def list_programs(table: str) -> list[str]:
    """The first cells of the rows."""
    return [row[0] for row in read_rows(table)]


def test_results_have_a_table_a_core_count_and_a_failed_program_its_stderr() -> None:
    compare("results", show_results(measure_lab(), WORDS))


def test_a_program_has_a_table_a_family_and_a_row_a_place() -> None:
    compare("everywhere", show_everywhere(measure_lab(NEW, OLD), WORDS, POOL))


def test_the_overview_has_a_row_for_each_program_with_what_one_chooses_by() -> None:
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


def test_how_late_a_loop_runs_has_a_column_where_a_program_has_one() -> None:
    without, (with_loop,) = repeat(30), repeat(30, program=PLAIN)
    assert "[lag_max_s" not in show_results(make_evidence(without), WORDS)
    traced = [replace(one, values={**one.values, "lag_max_s": 1.5}) for one in with_loop.traced]
    late = replace(with_loop, traced=tuple(traced))
    rows = read_rows(show_results(make_evidence([*without, late]), WORDS))
    shown = {row[0].split()[0]: row[4] for row in rows}
    assert shown == {PLAIN: "1.5 [s]", POOL: "—"}


def test_of_programs_that_are_as_good_as_each_other_the_cheapest_is_named() -> None:
    records = [measure(NEW, PLAIN, 4.0), measure(NEW, POOL, 1.0), measure(NEW, ASYNC, 1.05)]
    shown = read_rows(show_results(make_evidence(records), WORDS))
    verdicts = {row[0].split()[0]: row[2] for row in shown}
    assert f"[cheapest {POOL}]" in verdicts[POOL]
    assert f"[cheapest {POOL}]" in verdicts[ASYNC]
    alone = show_results(make_evidence(records[:2]), WORDS)
    assert "[cheapest" not in alone


def test_the_overview_is_of_all_cores_of_the_first_python() -> None:
    pythons = [make_interpreter(id=f"cpython-3.{minor}.0") for minor in (9, 10)]
    records = [
        make_record(make_variant(program=program, cores=cores, interpreter=one.id), [wall_s] * 5)
        for wall_s, cores, one in zip((1.0, 2.0, 3.0), (1, 2, 4), pythons * 2, strict=False)
        for program in (PLAIN, POOL)
    ]
    rows = read_rows(show_overview(make_evidence(records, pythons), WORDS))
    assert [row[0] for row in rows] == [PLAIN, POOL]
    assert rows[0][2].startswith("2.9")
