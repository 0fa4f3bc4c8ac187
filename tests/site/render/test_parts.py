"""The rows of all machines stand in columns: compact, complete, and each related to its own machine."""

from math import inf
from typing import Any

from msgspec import structs

from scripts.harness.experiment import Navigation
from scripts.harness.record import Record
from scripts.site.judge.judge import Evidence
from scripts.site.render.parts import DIMENSIONS, make_index, make_part
from tests.factories import (
    EXITED,
    make_experiment,
    make_machine,
    make_record,
    make_variant,
    replace,
)
from tests.site.render.markup import make_evidence

POOL = "04-io-thread_pool"


def make_pair(machine: str = "box", slower: float = 1.0) -> list[Record]:
    plain = make_variant(machine=machine)
    pool = make_variant(machine=machine, program=POOL, workers=30)
    return [
        make_record(plain, [10.1 * slower, 10.1 * slower]),
        make_record(pool, [2.1 * slower, 2.1 * slower], cpu_s=0.8),
    ]


def place(records: list[Record], machine: str) -> Evidence:
    return replace(make_evidence(records), machine=make_machine(id=machine))


def read_rows(part: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows again, as whoever reads the columns finds them."""
    rows: list[dict[str, Any]] = [{} for _ in range(part["count"])]
    for name, column in part["dimensions"].items():
        codes = column["codes"] or [0] * part["count"]
        for row, code in zip(rows, codes, strict=True):
            row[name] = column["values"][code]
    for name, values in part["measures"].items():
        for row, value in zip(rows, values, strict=True):
            row[name] = value
    return rows


def test_every_judged_record_is_a_row_with_all_that_tells_it_from_others() -> None:
    rows = read_rows(make_part([place(make_pair(), "box")]))
    assert [row["program"] for row in rows] == ["01-io-sequential", POOL]
    assert (
        rows[1]
        | {
            "machine": "box",
            "interpreter": "cpython-3.13.0",
            "cores": "1",
            "tasks": "30",
            "kind": "threads",
            "outdated": "no",
        }
        == rows[1]
    )
    assert set(DIMENSIONS) <= set(rows[0])


def test_what_all_rows_share_stands_once() -> None:
    part = make_part([place(make_pair(), "box")])
    assert part["dimensions"]["machine"] == {"values": ["box"], "codes": []}
    assert part["dimensions"]["program"]["codes"] == [0, 1]


def test_a_row_is_related_to_the_baseline_of_its_own_machine_alone() -> None:
    slow, quick = make_pair("slow", slower=4.0), make_pair("quick")
    rows = read_rows(make_part([place(slow, "slow"), place(quick, "quick")]))
    told = {(row["machine"], row["program"]): row for row in rows}
    assert told["quick", POOL]["speedup"] == 5.0
    # The part of the time that is not inside grows along, so that the ratio is not the same.
    assert told["slow", POOL]["speedup"] == round((10.1 * 4 - 0.1) / (2.1 * 4 - 0.1), 3)
    assert told["slow", POOL]["cpu_ratio"] == 2.0


def test_by_how_much_the_baseline_differs_from_itself_is_not_told() -> None:
    plain, pool = read_rows(make_part([place(make_pair(), "box")]))
    assert (plain["speedup"], plain["speedup_low"], plain["speedup_high"]) == (1, None, None)
    assert pool["speedup_low"] == pool["speedup_high"] == 5


def test_what_did_not_run_is_a_row_without_numbers() -> None:
    failed = replace(make_record(), status="failed", reason=EXITED, timed=(), traced=())
    (row,) = read_rows(make_part([place([failed], "box")]))
    assert row["status"] == "failed"
    assert not {"speedup", "wall_s", "peak_pss_bytes"} & row.keys()


def test_what_json_cannot_say_is_null() -> None:
    evidence = place(make_pair(), "box")
    plain, pool = evidence.judgements
    assert pool.speedup
    endless = replace(pool, speedup=replace(pool.speedup, high=inf))
    rows = read_rows(make_part([replace(evidence, judgements=(plain, endless))]))
    assert "speedup_high" not in rows[1]


def test_outdated_rows_are_told() -> None:
    evidence = place(make_pair(), "box")
    old = frozenset([evidence.judgements[1].record.variant])
    rows = read_rows(make_part([replace(evidence, outdated=old)]))
    assert [row["outdated"] for row in rows] == ["no", "yes"]


def test_nothing_measured_is_a_part_without_rows() -> None:
    part = make_part([replace(place([], "box"), judgements=())])
    assert (part["count"], part["measures"]) == (0, {})


def test_the_index_has_experiments_as_the_navigation_has_them_with_their_baselines() -> None:
    titles = {"en": "Lab", "ru": "Лаборатория"}
    first = structs.replace(
        make_experiment(), name="z", navigation=Navigation(title=titles, place=1)
    )
    second = structs.replace(
        make_experiment(), name="a", navigation=Navigation(title=titles, place=2)
    )
    unplaced = structs.replace(make_experiment(), name="b")
    parts = {name: {"count": 2} for name in "zab"}
    index = make_index(parts, [unplaced, second, first])
    assert list(index["experiments"]) == ["z", "a", "b"]
    assert index["experiments"]["z"]["baselines"]["io"] == "01-io-sequential"
    assert index["experiments"]["z"]["kinds"][POOL] == "threads"
    assert index["count"] == 6
