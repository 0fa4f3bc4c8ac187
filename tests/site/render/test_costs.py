"""Costs: a unit's price is what each one more of them took, whatever the program took besides."""

import pytest
from msgspec import structs

from scripts.harness.record import Record
from scripts.harness.texts import list_languages
from scripts.site.render.readings import show_costs
from scripts.site.render.words import MIB, load_words
from tests.factories import make_experiment, make_record, make_variant, replace
from tests.site.render.markup import make_evidence, read_rows

EN = load_words("en")
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"


def measure(
    program: str, asked: int, made: int, *, wall_s: float, mebibytes: float, **changes: object
) -> Record:
    return make_record(
        make_variant(program=program, tasks=asked, **changes),
        [wall_s] * 5,
        peak_pss_bytes=round(mebibytes * MIB),
        readings={"made": [made] * 5},
        printed=f"made all of {asked}",
    )


def show(*records: Record, language: str = "en") -> list[list[str]]:
    evidence = make_evidence(records)
    return read_rows(show_costs(evidence, load_words(language), "io"))


def sweep(program: str = POOL, **changes: object) -> list[Record]:
    """Ten units, and a hundred more of 25 ms and 0.2 MiB each; halfway something held it up."""
    return [
        measure(program, 10, 10, wall_s=1.0, mebibytes=20, **changes),
        measure(program, 60, 60, wall_s=9.0, mebibytes=500, **changes),
        measure(program, 110, 110, wall_s=3.5, mebibytes=40, **changes),
    ]


@pytest.mark.parametrize("language", list_languages())
def test_the_price_is_the_slope_between_the_fewest_and_the_most(language: str) -> None:
    (row,) = show(*sweep(), language=language)
    expected = {
        "en": [POOL, "110", "110", "25 ms", "205 KiB", "made all of 110"],
        "ru": [POOL, "110", "110", "25 мс", "205 КиБ", "made all of 110"],
    }
    assert row == expected[language]


def test_sizes_may_come_in_any_order() -> None:
    assert show(*sweep()[::-1]) == show(*sweep())


def test_what_was_asked_for_and_what_was_made_are_told_apart() -> None:
    few, most = measure(POOL, 10, 10, wall_s=1, mebibytes=20), 1000
    stopped = measure(POOL, most, 60, wall_s=1.5, mebibytes=70)
    ((_, asked, made, time, memory, _),) = show(few, stopped)
    assert (asked, made) == ("1,000", "60")
    assert (time, memory) == ("10 ms", "1.0 MiB")


@pytest.mark.parametrize("made", [10, 4])
def test_without_more_units_there_is_no_price(made: int) -> None:
    records = [measure(POOL, asked, made, wall_s=1.0, mebibytes=20) for asked in (10, 100)]
    assert show(*records)[0][3:5] == ["—", "—"]
    assert show(records[0])[0][3:5] == ["—", "—"]


def test_where_more_units_took_less_there_is_no_price() -> None:
    cheaper = measure(POOL, 110, 110, wall_s=0.5, mebibytes=10)
    assert show(sweep()[0], cheaper)[0][3:5] == ["—", "—"]


def test_a_price_in_time_does_not_depend_on_one_in_memory() -> None:
    smaller = measure(POOL, 110, 110, wall_s=3.5, mebibytes=10)
    assert show(sweep()[0], smaller)[0][3:5] == ["25 ms", "—"]


def test_small_prices_keep_a_decimal() -> None:
    records = [
        measure(POOL, made, made, wall_s=1 + made / 1e6, mebibytes=20) for made in (10, 100_010)
    ]
    assert show(*records)[0][3] == "1.0 µs"


def test_memory_that_was_not_traced_leaves_the_price_in_time() -> None:
    untraced = [replace(record, traced=()) for record in sweep()]
    assert show(*untraced)[0][3:5] == ["25 ms", "—"]


def test_each_start_method_is_a_row_if_there_are_several() -> None:
    experiment = structs.replace(make_experiment(), start_methods=("fork", "spawn"))
    records = [record for method in ("fork", "spawn") for record in sweep(start_method=method)]
    rows = read_rows(show_costs(make_evidence(records, experiment=experiment), EN, "io"))
    assert [row[0] for row in rows] == [f"{POOL} fork", f"{POOL} spawn"]


def test_programs_that_count_nothing_and_those_of_other_families_have_no_row() -> None:
    silent = make_record(make_variant(program=SEQUENTIAL))
    other = sweep("12-cpu-process_pool", family="cpu")
    assert [row[0] for row in show(silent, *sweep(), *other)] == [POOL]


def test_a_size_that_was_never_measured_is_none_of_the_ends() -> None:
    absent = replace(make_record(make_variant(program=POOL, tasks=9000)), timed=(), traced=())
    assert show(*sweep(), absent) == show(*sweep())


def test_a_size_that_failed_halfway_is_none_of_the_ends() -> None:
    failed = measure(POOL, 9000, 9000, wall_s=99.0, mebibytes=900)
    assert show(*sweep(), replace(failed, status="failed")) == show(*sweep())


def test_a_size_that_did_not_say_what_it_made_is_none_of_the_ends() -> None:
    silent = make_record(make_variant(program=POOL, tasks=1))
    assert show(silent, *sweep()) == show(*sweep())


def test_what_a_program_said_cannot_break_out_of_the_page() -> None:
    record = replace(sweep()[0], printed="<b>stopped</b>")
    shown = show_costs(make_evidence([record]), EN, "io")
    assert "<b>" not in shown
    assert "&lt;b&gt;stopped" in shown


def test_programs_lead_to_where_they_are_shown() -> None:
    assert 'href="#p04"' in show_costs(make_evidence(sweep()), EN, "io")
