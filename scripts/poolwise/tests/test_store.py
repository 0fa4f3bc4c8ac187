"""Records survive a journey through a results file, what cannot be is told, a session is of one boot."""

import functools
import json
import operator
import os
import re
import resource
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import psutil
import pytest

from making import (
    EXITED,
    NOW,
    make_interpreter,
    make_machine,
    make_record,
    make_values,
    make_variant,
    read_undigested,
    replace,
)
from poolwise import record as records
from poolwise import store
from poolwise.declaration import Reason
from poolwise.machine import Pair
from poolwise.metrics import AFTERWARDS_S, ROUNDING_S

DIGEST = re.compile(rb',"digest":"[0-9a-f]{16}"')
DISTURBED = records.Trial(status="ok", values=make_values(3.0, others_share=0.7))
CALM = records.Trial(status="ok", values=make_values(3.0))
FAILED = records.add_trial(
    make_record(make_variant(program="04-io-thread_pool", workers=5)),
    records.Trial(status="failed", reason=EXITED, stderr="ValueError: no"),
    traced=False,
    now=NOW,
)
TALKATIVE = replace(
    make_record(
        make_variant(workers=3), [2.0, 2.1, 1.9], readings={"made": [3, 4, 5], "p99": [0.5] * 3}
    ),
    printed="30 pages\n\tdone",
    disturbed=(DISTURBED,),
)
RESULTS = records.Results(
    machine=make_machine(),
    interpreter=make_interpreter(),
    records=(make_record(), FAILED, TALKATIVE),
)


Json = Any
Change = Callable[[Json], object]


def edit(path: Path, change: Change) -> None:
    file = read_undigested(path)
    change(file)
    path.write_text(json.dumps(file))


@pytest.fixture
def path(tmp_path):
    path = store.locate(tmp_path, "box", "cpython-3.13.0")
    store.write_results(path, RESULTS)
    return path


def test_a_reading_that_some_trial_did_not_print_is_not_kept(path):
    first, *others = TALKATIVE.timed
    silent = replace(TALKATIVE, timed=(replace(first, readings={"p99": 0.5}), *others))
    store.write_results(path, replace(RESULTS, records=(silent,)))
    results = store.read_results(path)
    assert results
    assert {*results.records[0].timed[1].readings} == {"p99"}


def test_a_row_with_one_character_changed_is_damaged_and_one_without_a_digest_is_read(path):
    written = path.read_text()
    assert written.count('"digest":') == len(RESULTS.records)
    path.write_text(written.replace('"seed":7', '"seed":8', 1))
    with pytest.raises(store.DamagedRecords, match=r"row 1 \(.*\): the digest of its values is"):
        store.read_results(path)
    path.write_bytes(DIGEST.sub(b"", path.read_bytes()))
    found = store.read_results(path)
    assert found
    assert found.records[0].seed == 8
    store.write_results(path, found)
    assert store.read_results(path) == found


def test_what_stands_in_the_way_of_writing_is_told(tmp_path):
    os.mkfifo(tmp_path / "box")
    path = store.locate(tmp_path, "box", "cpython-3.13.0")
    with pytest.raises(store.RecordsError, match=f"^{path}: records cannot be kept: "):
        store.write_results(path, RESULTS)


def test_a_full_disk_leaves_the_old_file_and_no_part(path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    more = replace(RESULTS, records=(*RESULTS.records, make_record(make_variant(tasks=9))))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(store.RecordsError, match="records cannot be kept: File too large"):
            store.write_results(path, more)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert store.read_results(path) == RESULTS
    assert [*path.parent.iterdir()] == [path]


def test_a_record_keeps_what_its_program_printed_in_the_shortest_of_the_timed_trials():
    record = replace(make_record(), timed=(), traced=())
    kept = []
    for wall_s, traced in ((0.1, True), (3, False), (1, False), (2, False), (0.5, True)):
        trial = records.Trial(status="ok", values={"wall_s": wall_s}, printed=f"{wall_s}")
        record = records.add_trial(record, trial, traced=traced, now=NOW)
        kept.append(record.printed)
    assert kept == ["0.1", "3", "1", "1", "1"]
    failed = records.Trial(status="failed", printed="oh")
    assert records.add_trial(record, failed, traced=False, now=NOW).printed == "1"


@pytest.mark.parametrize(
    ("stolen", "others", "wall_s", "is_disturbed"),
    [
        (0.0, 0.2, 1.0, False),
        (0.15, 0.15, 1.0, True),
        (None, 0.3, 1.0, True),
        (0.9, None, 1.0, True),
        (None, None, 1.0, False),
        (0.0, 0.9, 0.05, False),  # a few ticks, which may be nobody's
    ],
)
def test_a_trial_is_disturbed_where_others_take_a_quarter_of_a_core(
    stolen, others, wall_s, is_disturbed
):
    values = make_values(wall_s, stolen_share=stolen, others_share=others)
    assert records.Trial(status="ok", values=values).is_disturbed(1) == is_disturbed
    assert records.Trial(status="ok", values=values).is_disturbed(2) == is_disturbed


@pytest.mark.parametrize(("trial", "is_slowed"), [(DISTURBED, False), (CALM, True)])
def test_a_trial_that_was_disturbed_or_slowed_is_repeated_as_often_as_may_be_and_then_counts(
    trial, is_slowed
):
    record = replace(make_record(), timed=())
    for _ in range(5):
        record = records.add_trial(
            record, trial, traced=False, now=NOW, repeats=2, is_slowed=is_slowed
        )
    assert (len(record.timed), len(record.disturbed)) == (3, 2)
    assert record.list_values("wall_s") == [3.0] * 3
    traced = records.add_trial(record, trial, traced=True, now=NOW, repeats=9, is_slowed=is_slowed)
    assert len(traced.traced) == 2


def test_a_record_that_is_older_than_a_metric_is_read_and_written_without_it(path):
    edit(path, lambda file: file["rows"][0].pop("max_rss_bytes"))
    for _ in range(2):
        found = store.read_results(path)
        assert found
        assert found.records[0].list_values("max_rss_bytes") == []
        assert len(found.records[0].list_values("cpu_s")) == 5
        store.write_results(path, found)


def test_a_store_keeps_the_records_of_each_interpreter_in_its_file(tmp_path):
    names = ("cpython-3.13.0", "cpython-3.14.0", "pypy-3.11.9")
    interpreters = [make_interpreter(id=name) for name in names]
    folder = tmp_path / "results"
    kept = store.Store(folder, make_machine(), interpreters, pytest.fail)
    first, second = (make_record(make_variant(interpreter=name)) for name in names[:2])
    again = replace(first, seed=first.seed + 1)
    for record in (first, second, again):
        kept.put(record)
    kept.save()
    saved = {path.stem: path.read_text().count('"program"') for path in store.list_files(folder)}
    assert saved == {names[0]: 1, names[1]: 1}
    assert kept.find(first.variant, first.profile) == again
    assert kept.find(first.variant, "full") is None


@pytest.mark.parametrize("days", [(1, 0), (0, 1)], ids=["later first", "later last"])
def test_of_several_pairs_of_a_machine_the_latest_is_kept(tmp_path, days):
    interpreters = [make_interpreter(id="cpython-3.12.0", version="3.12.0"), make_interpreter()]
    pairs = [
        Pair(first_s=(1.0,) * 5, second_s=(1.1,) * 5, measured_at=NOW + timedelta(days=later))
        for later in days
    ]
    for python, pair in zip(interpreters, pairs, strict=True):
        described = records.Results(machine=make_machine(pair=pair), interpreter=python, records=())
        store.write_results(store.locate(tmp_path, "box", python.id), described)
    kept = store.Store(tmp_path, make_machine(), interpreters, pytest.fail)
    assert kept.machine.pair == pairs[days.index(1)]


def test_damaged_records_of_one_interpreter_leave_those_of_the_next(tmp_path):
    """And a store that reads again forgets what has not been saved."""
    store.write_results(store.locate(tmp_path, "box", "cpython-3.13.0"), RESULTS)
    broken = store.locate(tmp_path, "box", "cpython-3.12.0")
    broken.write_text("{")
    warnings: list[str] = []
    interpreters = [make_interpreter(id="cpython-3.12.0"), make_interpreter()]
    kept = store.Store(tmp_path, make_machine(), interpreters, warnings.append)
    (warning,) = warnings
    assert "cpython-3.12.0.json" in warning
    (aside,) = broken.parent.glob("cpython-3.12.0.damaged-*.json")
    assert (aside.read_text(), broken.exists()) == ("{", False)
    (record, *_) = RESULTS.records
    assert kept.find(record.variant, record.profile) == record
    good = store.locate(tmp_path, "box", "cpython-3.13.0")
    good.unlink()
    kept.save()
    assert store.read_results(good) == RESULTS
    new = replace(record, profile="full")
    kept.put(new)
    kept.read()
    assert kept.find(new.variant, "full") is None


def test_a_file_that_is_set_aside_is_not_listed(path):
    aside = store.set_aside(path, NOW)
    assert aside.name == "cpython-3.13.0.damaged-20260102T030405Z.json"
    assert store.list_files(path.parents[1]) == []


def test_a_file_of_more_than_16_mebibytes_is_not_read(path, monkeypatch):
    assert store.LARGEST_BYTES == 16_777_216
    monkeypatch.setattr(store, "LARGEST_BYTES", path.stat().st_size)
    assert store.read_results(path)
    monkeypatch.setattr(store, "LARGEST_BYTES", (2 << 20) + 1)
    path.write_bytes(path.read_bytes().ljust((2 << 20) + 2))
    monkeypatch.setattr(Path, "read_bytes", None)
    with pytest.raises(store.DamagedRecords, match="larger than 2 MiB"):
        store.read_results(path)


def test_of_what_nothing_was_tried_nothing_is_kept(tmp_path):
    kept = store.Store(tmp_path, make_machine(), [make_interpreter()], pytest.fail)
    untried = replace(make_record(), timed=(), traced=())
    kept.put(untried)
    kept.save()
    assert list(tmp_path.rglob("*.json")) == []
    kept.put(replace(untried, status="unavailable", reason=Reason("left-out")))
    kept.save()
    assert len(list(tmp_path.rglob("*.json"))) == 1


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


def start_early(file: Json) -> None:
    """A program that ends before a Python as slow as its own has started."""
    file["interpreter"]["loop_s"] = 0.015
    at("inside_s", 0.01)(file)
    at("wall_s", 0.02)(file)


SESSIONS = [f"20260101T00000{second}000Z-0a1b2c" for second in range(5)]
# Each is told with the row and its program, or with the part of the file; then come words of it.
IMPOSSIBLE: dict[str, Change] = {
    "row 1: Expected `float` >= 0.002": at("wall_s", 0.0019),
    "wall_s has 0.02, but its Python cannot start within 0.03 s": start_early,
    r"\): inside_s has 5e-324, but 1e-12 at least": at("inside_s", 5e-324),
    "a time of the pair is shorter": change("machine", "pair", PAIR),
    r"\): after_s of the reason is 1e\+308, but": explain("timed-out", after_s=1e308),
    "row 1: Object contains unknown field `more`": change_row("more", [1]),
    "row 1: Expected `int` <= 100000000": change_row("tasks", 10**12),
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
    "row 1: Expected `str` of length": change_row("printed", "x" * (records.LONGEST_TEXT + 1)),
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
def test_what_cannot_be_is_refused_in_a_sentence_with_file_and_place(path, message):
    edit(path, IMPOSSIBLE[message])
    with pytest.raises(store.DamagedRecords, match=message) as told:
        store.read_results(path)
    assert all(fault.startswith(f"{path}: ") for fault in told.value.faults)


def test_ticks_and_stragglers_break_no_rule(path):
    edit(path, at("user_s", 2.0 + AFTERWARDS_S - 0.1))
    edit(path, at("inside_s", 2.0 + ROUNDING_S))
    edit(path, change_row("measured_at", date(hours=23)))
    assert store.read_results(path)


def test_the_published_schema_refuses_what_a_type_can_say(path):
    schema = jsonschema.Draft202012Validator(store.make_schema())
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
    path, ending, free
):
    file = read_undigested(path)
    sound, accepted = json.dumps(file), set()
    for *keys, last in list_places(file):
        file = json.loads(sound)
        functools.reduce(operator.getitem, keys, file)[last] += ending
        path.write_text(json.dumps(file), encoding="utf-8")
        try:
            store.read_results(path)
            accepted.add(last)
        except store.DamagedRecords:
            pass
    assert accepted == free


BOOT = "0a1b2c"
HOUR = records.LONGEST_PAUSE


def measure(session: str, ended_at: datetime) -> records.Record:
    record = make_record()
    timed = tuple(replace(trial, session=session) for trial in record.timed)
    return replace(record, timed=timed, traced=(), measured_at=ended_at)


@pytest.mark.parametrize(
    ("minutes", "boot", "goes_on"), [(60, BOOT, True), (61, BOOT, False), (59, "ffffff", False)]
)
def test_a_run_within_an_hour_of_the_last_on_the_same_boot_goes_on_with_its_session(
    minutes, boot, goes_on
):
    begun, before = records.name_session(NOW, BOOT), records.name_session(NOW - HOUR, BOOT)
    assert records.UNKNOWN_SESSION < before < begun == "20260102T030405000Z-0a1b2c"
    known = [measure(begun, NOW + HOUR), measure(before, NOW - HOUR)]
    late = NOW + HOUR + timedelta(minutes=minutes)
    assert records.choose_session(known, late, boot) == (
        begun if goes_on else records.name_session(late, boot)
    )


def test_a_boot_has_the_name_that_the_system_gives_it_or_else_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "SYSTEM_ROOT", tmp_path)
    told: list[str] = []
    for began_s in (1000.2, 1000.4, 2000.0):
        monkeypatch.setattr(psutil, "boot_time", lambda began_s=began_s: began_s)
        told.append(records.read_boot())
    assert told[0] == told[1] != told[2]
    named = tmp_path / "proc/sys/kernel/random/boot_id"
    named.parent.mkdir(parents=True)
    for name in ("one", "other"):
        named.write_text(name)
        told.append(records.read_boot())
    assert len(set(told)) == 4


def test_of_a_record_the_last_three_sessions_are_kept():
    record = replace(make_record(), timed=(), traced=())
    names = [records.name_session(NOW + timedelta(days=day), BOOT) for day in range(4)]
    for name in names:
        trial = records.Trial(status="ok", session=name, values=make_values(1.0))
        record = records.add_trial(record, trial, traced=False, now=NOW)
    assert record.sessions == tuple(names[1:])
    assert [trial.session for trial in record.within(names[2]).timed] == [names[2]]
