"""Tables show what was measured at its largest and say sizes that differ; a price is of one more unit."""

from itertools import product

import pytest

from making import make_record, make_variant, replace
from poolwise.record import Record
from scripts.site.render.charts import draw_lines
from scripts.site.render.tables import (
    show_costs,
    show_everywhere,
    show_overview,
    show_readings,
    show_results,
    show_several,
    show_workloads,
)
from scripts.site.render.words import MIB
from tests.declared import DECLARED
from tests.factories import PLAIN, POOL
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


WORKLOADS = DECLARED.experiments["workloads"]


def run_workload(program: str, time_s: float, family: str = "images", **changes: object) -> Record:
    params = WORKLOADS.family(family).params
    sizes = {"family": family, "params": params, "tasks": 20, "workers": 1, **changes}
    return measure(NEW, program, time_s, experiment="workloads", **sizes)


def test_a_workload_has_its_sizes_each_way_and_the_fastest_or_of_equals_the_cheapest() -> None:
    records = [run_workload("01-loop", 4.0), run_workload("03-processes", 1.0)]
    records += [run_workload("02-threads", 2.0, "polling", tasks=500)]
    records += [run_workload("04-asyncio", 2.0, "polling", tasks=500)]
    polling, images = read_rows(show_workloads(make_evidence(records, (NEW,), WORKLOADS), WORDS))
    title = WORKLOADS.family("polling").title["en"]
    assert polling[0] == title
    assert polling[1] == WORKLOADS.program("02-threads").title["en"]
    assert polling[2:7] == ["500", "100 [ms]", "—", "—", "1"]
    assert images[1] == WORKLOADS.program("03-processes").title["en"]
    assert images[2:7] == ["20", "—", "20 [ms]", "1.0 [MiB]", "1"]
    assert [images[7].split()[0], images[8], images[9].split()[0]] == ["3.90", "—", "0.90"]


def test_the_ends_are_those_of_the_trials_and_so_never_more_than_was_asked_for() -> None:
    wrong = {"wrong": [300_000, 500_000, 999_000]}
    record = make_record(make_variant(program=POOL), [1.0] * 3, readings=wrong)
    ((_, told),) = read_rows(show_readings(make_evidence([record]), WORDS, "io", "wrong"))
    assert told == "500,000 300,000–1,000,000"


def make(asked: int, made: int, wall_s: float, mebibytes: float) -> Record:
    return make_record(
        make_variant(program=POOL, tasks=asked),
        [wall_s] * 5,
        peak_pss_bytes=round(mebibytes * MIB),
        readings={"made": [made] * 5},
        printed=f"made <b>{asked}</b>",
    )


LEAST, MOST = make(10, 10, 1.0, 20), make(110, 110, 3.5, 40)
SWEEP = [LEAST, make(60, 60, 9.0, 500), MOST]
"""Ten units, and a hundred more of 25 ms and 0.2 MiB each; halfway something held it up."""


def list_costs(*records: Record) -> list[list[str]]:
    return read_rows(show_costs(make_evidence(records), WORDS, "io"))


def test_the_price_is_the_slope_between_the_fewest_and_the_most() -> None:
    shown = show_costs(make_evidence(SWEEP), WORDS, "io")
    compare("costs", shown)
    assert show_costs(make_evidence(SWEEP[::-1]), WORDS, "io") == shown


@pytest.mark.parametrize(
    ("records", "price"),
    [
        ([make(10, 10, 1, 20), make(100, 10, 1, 20)], "— —"),
        ([make(10, 10, 1, 20)], "— —"),
        ([LEAST, make(110, 110, 0.5, 10)], "— —"),
        ([LEAST, make(110, 110, 3.5, 10)], "25 [ms] —"),
        ([make(n, n, 1 + n / 1e6, 20) for n in (10, 100_010)], "1.00 [µs] 0 [KiB]"),
    ],
    ids=["no more", "one size", "took less", "less memory", "a microsecond"],
)
def test_there_is_a_price_where_more_units_took_more(records: list[Record], price: str) -> None:
    assert " ".join(list_costs(*records)[0][3:5]) == price


def test_a_price_that_was_measured_of_none_has_no_column() -> None:
    ((*_, price, printed),) = list_costs(*(replace(one, traced=()) for one in SWEEP))
    assert (price, printed) == ("25 [ms]", "made <b>110</b>")


@pytest.mark.parametrize(
    "left_out",
    [
        replace(make_record(make_variant(program=POOL, tasks=9000)), timed=(), traced=()),
        replace(make(9000, 9000, 99.0, 900), status="failed"),
        make_record(make_variant(program=POOL, tasks=1)),
    ],
    ids=["never measured", "failed halfway", "did not say what it made"],
)
def test_a_size_that_says_nothing_of_its_units_is_none_of_the_ends(left_out: Record) -> None:
    assert list_costs(left_out, *SWEEP) == list_costs(*SWEEP)


def test_of_several_families_each_has_a_column_and_a_program_a_row_for_its_workers() -> None:
    records = []
    for program, family, workers, mebibytes in (
        (POOL, "io", 100, 30),
        (POOL, "io", 20, 20),
        (POOL, "cpu", 100, 41),
        (PLAIN, "cpu", 1, 9),
    ):
        variant = make_variant(program=program, family=family, workers=workers)
        records.append(make_record(variant, peak_pss_bytes=mebibytes * MIB))
    evidence = make_evidence(records)
    compare("several", show_several(evidence, WORDS, ["io", "cpu", "io+cpu"], ["peak_pss_bytes"]))
    both = show_several(evidence, WORDS, ["io"], ["wall_s", "peak_pss_bytes"])
    assert f">{WORDS.metric('wall_s')}</th>" in both


def test_without_the_reading_there_is_no_table() -> None:
    untraced = make_evidence([replace(make_record(make_variant(program=POOL)), traced=())])
    assert "<table" not in show_several(untraced, WORDS, ["io", "cpu"], ["peak_pss_bytes"])
    assert "<table" not in show_readings(untraced, WORDS, "io", "wrong")


@pytest.mark.filterwarnings("ignore:invalid value encountered")
@pytest.mark.parametrize("trials", [3, 5])
@pytest.mark.parametrize("zero", [(PLAIN,), (POOL,), (PLAIN, POOL)])
def test_times_of_nought_which_a_program_may_tell_are_shown(
    zero: tuple[str, ...], trials: int
) -> None:
    records = []
    for program, tasks, workers, python in product((PLAIN, POOL), (1, 100), (1, 5), (OLD, NEW)):
        wall_s = 2.0 if program == PLAIN else 1.0
        record = measure(python, program, wall_s, tasks=tasks, workers=workers)
        timed = list(record.timed)
        for place in range(trials * (program in zero)):
            timed[place] = replace(timed[place], values=timed[place].values | {"inside_s": 0.0})
        records.append(replace(record, timed=tuple(timed)))
    evidence = make_evidence(records, (NEW, OLD))
    shown = show_overview(evidence, WORDS), draw_lines(evidence, WORDS, "io", log=True)
    assert all(POOL in one for one in shown)
