"""Readings are what programs counted of themselves; a price is what one more unit took."""

import pytest

from scripts.harness.record import Record
from scripts.site.render.tables import show_costs, show_readings, show_several
from scripts.site.render.words import MIB
from tests.factories import PLAIN, POOL, make_record, make_variant, replace
from tests.site.golden import WORDS, compare
from tests.site.render.markup import make_evidence, read_rows

STAGES = ("io", "cpu")
"""Any two families do; the factory's have these names."""


def test_the_ends_are_those_of_the_trials_and_so_never_more_than_was_asked_for() -> None:
    wrong = {"wrong": [300_000, 500_000, 999_000]}
    record = make_record(make_variant(program=POOL), [1.0] * 3, readings=wrong)
    ((_, told),) = read_rows(show_readings(make_evidence([record]), WORDS, "io", "wrong"))
    assert told == "500,000 300,000–1,000,000"


def make(
    asked: int,
    made: int,
    *,
    wall_s: float,
    mebibytes: float,
    program: str = POOL,
    **changes: object,
) -> Record:
    return make_record(
        make_variant(program=program, tasks=asked, **changes),
        [wall_s] * 5,
        peak_pss_bytes=round(mebibytes * MIB),
        readings={"made": [made] * 5},
        printed=f"made <b>{asked}</b>",
    )


def list_costs(*records: Record) -> list[list[str]]:
    return read_rows(show_costs(make_evidence(records), WORDS, "io"))


def sweep(**changes: object) -> list[Record]:
    """Ten units, and a hundred more of 25 ms and 0.2 MiB each; halfway something held it up."""
    return [
        make(10, 10, wall_s=1.0, mebibytes=20, **changes),
        make(60, 60, wall_s=9.0, mebibytes=500, **changes),
        make(110, 110, wall_s=3.5, mebibytes=40, **changes),
    ]


def test_the_price_is_the_slope_between_the_fewest_and_the_most() -> None:
    shown = show_costs(make_evidence(sweep()), WORDS, "io")
    compare("costs", shown)
    assert show_costs(make_evidence(sweep()[::-1]), WORDS, "io") == shown


@pytest.mark.parametrize(
    ("records", "price"),
    [
        ([make(10, 10, wall_s=1, mebibytes=20), make(100, 10, wall_s=1, mebibytes=20)], "— —"),
        ([make(10, 10, wall_s=1, mebibytes=20)], "— —"),
        ([sweep()[0], make(110, 110, wall_s=0.5, mebibytes=10)], "— —"),
        ([sweep()[0], make(110, 110, wall_s=3.5, mebibytes=10)], "25 [ms] —"),
        (
            [make(n, n, wall_s=1 + n / 1e6, mebibytes=20) for n in (10, 100_010)],
            "1.00 [µs] 0 [KiB]",
        ),
    ],
    ids=["no more", "one size", "took less", "less memory", "a microsecond"],
)
def test_there_is_a_price_where_more_units_took_more(records: list[Record], price: str) -> None:
    assert " ".join(list_costs(*records)[0][3:5]) == price


def test_a_price_that_was_measured_of_none_has_no_column() -> None:
    ((*_, price, printed),) = list_costs(*(replace(one, traced=()) for one in sweep()))
    assert (price, printed) == ("25 [ms]", "made <b>110</b>")


@pytest.mark.parametrize(
    "left_out",
    [
        replace(make_record(make_variant(program=POOL, tasks=9000)), timed=(), traced=()),
        replace(make(9000, 9000, wall_s=99.0, mebibytes=900), status="failed"),
        make_record(make_variant(program=POOL, tasks=1)),
    ],
    ids=["never measured", "failed halfway", "did not say what it made"],
)
def test_a_size_that_says_nothing_of_its_units_is_none_of_the_ends(left_out: Record) -> None:
    assert list_costs(left_out, *sweep()) == list_costs(*sweep())


def test_of_several_families_each_has_a_column_and_a_program_a_row_for_its_workers() -> None:
    cells = (
        (POOL, "io", 100, 30),
        (POOL, "io", 20, 20),
        (POOL, "cpu", 100, 41),
        (PLAIN, "cpu", 1, 9),
    )
    records = [
        make_record(
            make_variant(program=program, family=family, workers=workers),
            peak_pss_bytes=mebibytes * MIB,
        )
        for program, family, workers, mebibytes in cells
    ]
    evidence = make_evidence(records)
    shown = show_several(evidence, WORDS, STAGES, ["peak_pss_bytes"])
    compare("several", shown)
    assert show_several(evidence, WORDS, [*STAGES, "io+cpu"], ["peak_pss_bytes"]) == shown
    both = show_several(evidence, WORDS, ["io"], ["wall_s", "peak_pss_bytes"])
    assert f">{WORDS.metric('wall_s')}</th>" in both


def test_without_the_reading_there_is_no_table() -> None:
    untraced = replace(make_record(make_variant(program=POOL)), traced=())
    assert "<table" not in show_several(
        make_evidence([untraced]), WORDS, STAGES, ["peak_pss_bytes"]
    )
