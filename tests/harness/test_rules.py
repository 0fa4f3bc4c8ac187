"""What cannot have been measured is not read, and what is read can be judged and shown."""

import functools
import json
import operator
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from scripts.harness import rules
from scripts.harness.metrics import AFTERWARDS_S, ROUNDING_S, Room
from scripts.harness.record import (
    LONGEST_TEXT,
    UNKNOWN_SESSION,
    Results,
)
from scripts.harness.store import (
    DamagedRecords,
    locate,
    make_schema,
    read_results,
    write_results,
)
from tests.factories import (
    EXITED,
    make_interpreter,
    make_machine,
    make_record,
    make_variant,
    replace,
)

ID = "cpython-3.13.0"
RECORDS = (
    make_record(),
    replace(
        make_record(make_variant(program="04-io-thread_pool", workers=5), [0.9, 1.0, 1.1]),
        printed="30 pages\n\tdone",
        status="failed",
        reason=EXITED,
        stderr="ValueError: no",
    ),
    make_record(make_variant(tasks=40), [2.0, 2.1], readings={"made": [3, 4]}),
)
ROOM = Room(cores=2, all_cores=4, memory_bytes=10)
Json = Any
Change = Callable[[Json], object]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = locate(tmp_path, "box", ID)
    records = Results(machine=make_machine(), interpreter=make_interpreter(), records=RECORDS)
    write_results(path, records)
    return path


def change_row(name: str, value: Json) -> Change:
    return lambda file: file["rows"][0].update({name: value})


def change(part: str, name: str, value: Json) -> Change:
    return lambda file: file[part].update({name: value})


def at(name: str, value: Json) -> Change:
    return lambda file: file["rows"][0][name].__setitem__(0, value)


def disturb(**values: float) -> Change:
    """A trial that was disturbed."""
    return lambda file: file["rows"][0].update(
        disturbed=[values], disturbed_session=[UNKNOWN_SESSION]
    )


def explain(**reason: Json) -> Change:
    """The reason of the row that failed."""
    return lambda file: file["rows"][1].update(reason=reason)


def add_row(file: Json) -> None:
    file["rows"].append(dict(file["rows"][1], seed=8))


def date(**distance: float) -> str:
    return (datetime.now(UTC) + timedelta(**distance)).isoformat()


# Each is told with the row and its program, or with the part of the file; then come words of it.
IMPOSSIBLE: dict[str, tuple[Change, str]] = {
    "wall of nought": (at("wall_s", 0), "row 1: Expected `float` >= 0.0001"),
    "next to nothing": (at("inside_s", 5e-324), r"\): inside_s has 5e-324, but 1e-12 at least"),
    "disturbed by next to nothing": (
        disturb(wall_s=1.0, others_share=1e-300),
        r"\): disturbed 1 has 1e-300",
    ),
    "pair of next to nothing": (
        change(
            "machine",
            "pair",
            {"first_s": [1.0] * 5, "second_s": [1e-300] * 5, "measured_at": "2026-02-01T00:00:00Z"},
        ),
        "a time of the pair is shorter",
    ),
    "reason of a time without end": (
        explain(code="timed-out", params={"after_s": 1e308}),
        r"\): after_s of the reason is 1e\+308, but",
    ),
    "column of nothing": (change_row("more", [1]), "row 1: Object contains unknown field `more`"),
    "no tasks": (change_row("tasks", 0), "row 1: Expected `int` >= 1"),
    "countless tasks": (change_row("tasks", 10**12), "row 1: Expected `int` <= 10000000"),
    "date without a zone": (change_row("measured_at", "2026-02-01T00:00:00"), "timezone"),
    "date to come": (change_row("measured_at", date(days=2)), "measured at .* cannot be"),
    "date too early": (change_row("measured_at", "2025-12-31T23:59:59Z"), "measured at 2025-12-31"),
    "long inside": (
        at("inside_s", 2.02),
        r"01-io-sequential\): inside_s is 2.02, but 2.01 at most",
    ),
    "CPU of more cores": (at("user_s", 3.6), r"\): cpu_s is 3.7, but 3.5 at most"),
    "trials without a session": (change_row("session", []), r"\): session has 0 values"),
    "no session": (at("session", "monday"), r"\): 'monday' is no name of a session"),
    "session to come": (at("session", "20260201T000000000Z-0a1b2c"), "began after the trials"),
    "more sessions than are kept": (
        change_row("session", [f"20260101T00000{second}000Z-0a1b2c" for second in range(5)]),
        r"\): has trials of 6 sessions, but 3 at most",
    ),
    "disturbed for ever": (
        disturb(wall_s=1.0, others_share=9.0),
        r"\): others_share is 9.0, but 5.0 at most",
    ),
    "disturbed without a time": (
        disturb(others_share=0.5),
        r"\): a disturbed trial has others_share, and not what a timed one has",
    ),
    "trace backwards": (at("traces", [[1, 1, 0], [0.5, 1, 0]]), r"\): trace 1 goes back in time"),
    "more cores than there are": (change_row("cores", 3), r"\): ran on 3 cores of 2"),
    "another machine": (change_row("machine", "far"), r"\): measured on far, but .* of box"),
    "another Python": (
        change_row("interpreter", "cpython-3.9.1"),
        r"\): measured with cpython-3.9",
    ),
    "another GIL": (change_row("gil", "off"), r"\): the GIL is off, but on"),
    "columns of two lengths": (
        change_row("user_s", [0.1]),
        r"\): user_s has 1 values, wall_s has 5",
    ),
    "no wall beside what others took": (
        change_row("wall_s", []),
        r"\): inside_s has 5 values, wall_s has 0",
    ),
    "traces without peaks": (
        change_row("peak_pss_bytes", []),
        r"\): traces has 1 values, peak_pss_b",
    ),
    "ok with a reason": (
        change_row("reason", {"code": "exited", "params": {"code": "1"}}),
        r"\): is ok with a reason",
    ),
    "failed without": (change_row("status", "failed"), r"\): is failed without a reason"),
    "markup for a method": (change_row("start_method", "<b>"), "row 1: Invalid enum value"),
    "path for a program": (change_row("program", "../../etc"), "row 1: Expected `str` matching"),
    "code in what was printed": (
        change_row("printed", "a\x1b[2J"),
        r"\): printed holds the control",
    ),
    "endless output": (
        change_row("printed", "x" * (LONGEST_TEXT + 1)),
        "row 1: Expected `str` of length",
    ),
    "unknown reason": (explain(code="oh"), "row 2: Invalid enum value 'oh'"),
    "reason without its place": (explain(code="killed"), "row 2: .*'killed' has other parameters"),
    "reason with a place of none": (
        explain(code="needs-gil", params={"a": "b"}),
        "row 2: .*'needs-gil' has other parameters",
    ),
    "huge reading": (change_row("readings", {"made": [1e16] * 5}), "row 1: Expected `float` <="),
    "same cell twice": (add_row, r"row 4 \(lab/04-io-thread_pool\): recorded already in row 2"),
    "machine of another folder": (
        change("machine", "id", "far"),
        "the machine far does not belong",
    ),
    "Python of another file": (
        change("interpreter", "id", "x"),
        "the interpreter x does not belong",
    ),
    "line and fence": (
        change("machine", "os", "Linux\n```python"),
        "os: a character that cannot be seen",
    ),
    "heap of marks": (change("machine", "os", "L" + "\u0301" * 5), "os: more than 4 marks on"),
    "version of another Python": (
        change("interpreter", "version", "3.99.0"),
        "the interpreter cpython-3.13.0 says of itself what cpython-3.99.0 would",
    ),
    "GIL off in any build": (change("interpreter", "gil", "off"), "the GIL is off in"),
    "no name of a machine": (change("machine", "id", 0), "machine: Expected `str`"),
    "no version": (change("interpreter", "version", "new"), "interpreter: Expected `str` matching"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_is_refused_in_a_sentence_with_file_and_place(path: Path, name: str) -> None:
    spoil, message = IMPOSSIBLE[name]
    file = json.loads(path.read_text())
    spoil(file)
    path.write_text(json.dumps(file))
    with pytest.raises(DamagedRecords, match=message) as told:
        read_results(path)
    assert all(fault.startswith(f"{path}: ") for fault in told.value.faults)


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_no_rule_is_there_for_nothing(
    path: Path, rule: rules.RowRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "RULES", [one for one in rules.RULES if one is not rule])
    valid = path.read_text()

    def passes(spoil: Change) -> bool:
        file = json.loads(valid)
        spoil(file)
        path.write_text(json.dumps(file))
        try:
            read_results(path)
        except DamagedRecords:
            return False
        except ValueError:
            pass  # columns of two lengths make no record
        return True

    assert any(passes(spoil) for spoil, _ in IMPOSSIBLE.values())


def test_all_faults_of_all_rows_are_told(path: Path) -> None:
    file = json.loads(path.read_text())
    for row in file["rows"]:
        row["cores"] = 3
        row["user_s"][0] = 100.0
    path.write_text(json.dumps(file))
    with pytest.raises(DamagedRecords) as told:
        read_results(path)
    assert len(told.value.faults) == 2 * len(file["rows"])
    assert ": row 1 (lab/01-io-sequential): " in told.value.faults[0]


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("inside_s", 2.01),
        ("user_s", 6.0),
        ("max_rss_bytes", 10),
        ("peak_pss_bytes", 10),
        ("server_share", 7.0),
    ],
)
def test_no_value_is_more_than_the_run_had_room_for(name: str, most: float) -> None:
    values = {"wall_s": [2.0], "system_s": [1.0]}
    assert not list(rules.find_excess(values | {name: [most]}, ROOM))
    assert len(list(rules.find_excess(values | {name: [most * 1.01]}, ROOM))) == 1


def test_ticks_and_stragglers_break_no_rule(path: Path) -> None:
    file = json.loads(path.read_text())
    file["rows"][0]["user_s"][0] = 2.0 + AFTERWARDS_S - 0.1
    file["rows"][0]["inside_s"][0] = 2.0 + ROUNDING_S
    file["rows"][0]["measured_at"] = date(hours=23)
    path.write_text(json.dumps(file))
    assert read_results(path)


def test_the_published_schema_refuses_what_a_type_can_say(path: Path) -> None:
    schema = jsonschema.Draft202012Validator(make_schema())
    for name in ("wall of nought", "no tasks", "path for a program", "markup for a method"):
        file = json.loads(path.read_text())
        assert schema.is_valid(file)
        IMPOSSIBLE[name][0](file)
        assert not schema.is_valid(file)


def list_places(found: Json, *keys: Any) -> Iterator[tuple[Any, ...]]:
    """Where in it strings are, each as the keys that lead there."""
    if isinstance(found, str):
        yield keys
    elif isinstance(found, dict | list):
        for key, one in found.items() if isinstance(found, dict) else enumerate(found):
            yield from list_places(one, *keys, key)


@pytest.mark.parametrize(
    ("ending", "free"),
    [
        ("\u0002", set()),
        ("\u202e", {"printed", "stderr", "code"}),  # a program may write Arabic, also in a reason
        ("x" * 100_000, {"printed", "stderr"}),
    ],
    ids=["control", "turn", "long"],
)
def test_every_string_of_a_results_file_is_refused_that_ends_with_what_it_may_not_hold(
    path: Path, ending: str, free: set[str]
) -> None:
    sound = path.read_text(encoding="utf-8")
    accepted = set()
    for *keys, last in list_places(json.loads(sound)):
        file = json.loads(sound)
        functools.reduce(operator.getitem, keys, file)[last] += ending
        path.write_text(json.dumps(file), encoding="utf-8")
        try:
            read_results(path)
            accepted.add(last)
        except DamagedRecords:
            pass
    assert accepted == free
