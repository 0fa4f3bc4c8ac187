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

from scripts.harness.metrics import AFTERWARDS_S, ROUNDING_S
from scripts.harness.record import LONGEST_TEXT, Results
from scripts.harness.store import DamagedRecords, locate, make_schema, read_results, write_results
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


def explain(code: str, **params: Json) -> Change:
    """The reason of the row that failed."""
    return lambda file: file["rows"][1].update(reason={"code": code, "params": params})


def add_row(file: Json) -> None:
    file["rows"].append(dict(file["rows"][1], seed=8))


def date(**distance: float) -> str:
    return (datetime.now(UTC) + timedelta(**distance)).isoformat()


PAIR = {"first_s": [1.0] * 5, "second_s": [1e-300] * 5, "measured_at": "2026-02-01T00:00:00Z"}
MORE = (8 << 30) + 1  # bytes of memory than the machine has
SESSIONS = [f"20260101T00000{second}000Z-0a1b2c" for second in range(5)]
# Each is told with the row and its program, or with the part of the file; then come words of it.
IMPOSSIBLE: dict[str, Change] = {
    "row 1: Expected `float` >= 0.0001": at("wall_s", 0),
    r"\): inside_s has 5e-324, but 1e-12 at least": at("inside_s", 5e-324),
    "a time of the pair is shorter": change("machine", "pair", PAIR),
    r"\): after_s of the reason is 1e\+308, but": explain("timed-out", after_s=1e308),
    "row 1: Object contains unknown field `more`": change_row("more", [1]),
    "row 1: Expected `int` >= 1": change_row("tasks", 0),
    "row 1: Expected `int` <= 10000000": change_row("tasks", 10**12),
    "timezone": change_row("measured_at", "2026-02-01T00:00:00"),
    "measured at .* cannot be": change_row("measured_at", date(days=2)),
    "measured at 2025-12-31": change_row("measured_at", "2025-12-31T23:59:59Z"),
    r"01-io-sequential\): inside_s is 2.02, but 2.01 at most": at("inside_s", 2.02),
    r"\): cpu_s is 3.7, but 3.5 at most": at("user_s", 3.6),
    r"\): max_rss_bytes is 8589934593, but 8589934592 at most": at("max_rss_bytes", MORE),
    r"\): peak_pss_bytes is 8589934593, but": at("peak_pss_bytes", MORE),
    r"\): a trace has 8589934593 bytes": at("traces", [[0, 1, 0], [1, MORE, 0]]),
    r"\): session has 0 values": change_row("session", []),
    "row 1: Expected `str` matching regex.*0000": at("session", "monday"),
    r"\): has trials of 6 sessions, but 3 at most": change_row("session", SESSIONS),
    r"\): ran on 3 cores of 2": change_row("cores", 3),
    r"\): measured on far, but .* of box": change_row("machine", "far"),
    r"\): measured with cpython-3.9": change_row("interpreter", "cpython-3.9.1"),
    r"\): the GIL is off, but on": change_row("gil", "off"),
    r"\): user_s has 1 values, wall_s has 5": change_row("user_s", [0.1]),
    r"\): inside_s has 5 values, wall_s has 0": change_row("wall_s", []),
    r"\): traces has 1 values, peak_pss_b": change_row("peak_pss_bytes", []),
    r"\): is ok with a reason": change_row("reason", {"code": "exited", "params": {"code": "1"}}),
    r"\): is failed without a reason": change_row("status", "failed"),
    "row 1: Invalid enum value": change_row("start_method", "<b>"),
    "row 1: Expected `str` matching": change_row("program", "../../etc"),
    r"\): printed holds the control": change_row("printed", "a\x1b[2J"),
    "row 1: Expected `str` of length": change_row("printed", "x" * (LONGEST_TEXT + 1)),
    "row 2: Invalid enum value 'oh'": explain("oh"),
    "row 2: .*'killed' has other parameters": explain("killed"),
    "row 2: .*'needs-gil' has other parameters": explain("needs-gil", a="b"),
    "row 1: Expected `float` <=": change_row("readings", {"made": [1e16] * 5}),
    r"row 4 \(lab/04-io-thread_pool\): recorded already in row 2": add_row,
    "the machine far does not belong": change("machine", "id", "far"),
    "the interpreter x does not belong": change("interpreter", "id", "x"),
    "os: a character that cannot be seen": change("machine", "os", "Linux\n```python"),
    "says of itself what cpython-3.99.0": change("interpreter", "version", "3.99.0"),
    "the GIL is off in": change("interpreter", "gil", "off"),
    "machine: Expected `str`": change("machine", "id", 0),
    "interpreter: Expected `str` matching": change("interpreter", "version", "new"),
}


@pytest.mark.parametrize("message", IMPOSSIBLE)
def test_what_cannot_be_is_refused_in_a_sentence_with_file_and_place(
    path: Path, message: str
) -> None:
    file = json.loads(path.read_text())
    IMPOSSIBLE[message](file)
    path.write_text(json.dumps(file))
    with pytest.raises(DamagedRecords, match=message) as told:
        read_results(path)
    assert all(fault.startswith(f"{path}: ") for fault in told.value.faults)


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


def test_ticks_and_stragglers_break_no_rule(path: Path) -> None:
    file = json.loads(path.read_text())
    file["rows"][0]["user_s"][0] = 2.0 + AFTERWARDS_S - 0.1
    file["rows"][0]["inside_s"][0] = 2.0 + ROUNDING_S
    file["rows"][0]["measured_at"] = date(hours=23)
    path.write_text(json.dumps(file))
    assert read_results(path)


def test_the_published_schema_refuses_what_a_type_can_say(path: Path) -> None:
    schema = jsonschema.Draft202012Validator(make_schema())
    spoilers = (at("wall_s", 0), *(change_row(name, 0) for name in ("tasks", "program", "gil")))
    for spoil in spoilers:
        file = json.loads(path.read_text())
        assert schema.is_valid(file)
        spoil(file)
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
