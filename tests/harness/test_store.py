"""Records survive a journey through a results file, damage is told, and a session is of one boot."""

import json
import os
import resource
from datetime import datetime, timedelta
from pathlib import Path

import psutil
import pytest

from scripts.harness import paths, store
from scripts.harness import record as records
from scripts.harness.declaration import Reason
from scripts.harness.machine import Pair
from scripts.harness.plan import Done, list_lacking
from scripts.harness.record import (
    LONGEST_PAUSE,
    UNKNOWN_SESSION,
    Record,
    Results,
    Trial,
    add_trial,
    choose_session,
    name_session,
    read_boot,
)
from scripts.harness.store import (
    DamagedRecords,
    RecordsError,
    Store,
    format_results,
    list_files,
    locate,
    read_machine,
    read_results,
    set_aside,
    write_results,
)
from tests.factories import (
    EXITED,
    NOW,
    make_interpreter,
    make_machine,
    make_record,
    make_values,
    make_variant,
    replace,
)

DISTURBED = Trial(status="ok", values=make_values(3.0, others_share=0.7))
CALM = Trial(status="ok", values=make_values(3.0))
FAILED = add_trial(
    make_record(make_variant(cores=2)),
    Trial(status="failed", reason=EXITED, stderr="ValueError: no"),
    traced=False,
    now=NOW,
)
TALKATIVE = replace(
    make_record(
        make_variant(workers=3), [2.0, 2.1, 1.9], readings={"made": [3, 4, 5], "p99": [0.5] * 3}
    ),
    printed="30 pages",
    disturbed=(DISTURBED,),
)
RESULTS = Results(
    machine=make_machine(),
    interpreter=make_interpreter(),
    records=(make_record(), FAILED, TALKATIVE),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = locate(tmp_path, "box", "cpython-3.13.0")
    write_results(path, RESULTS)
    return path


def test_what_is_written_is_read_again(path: Path) -> None:
    assert read_results(path) == RESULTS


def test_a_reading_that_some_trial_did_not_print_is_not_kept(tmp_path: Path) -> None:
    first, *others = TALKATIVE.timed
    silent = replace(TALKATIVE, timed=(replace(first, readings={"p99": 0.5}), *others))
    path = locate(tmp_path, "box", "cpython-3.13.0")
    write_results(path, replace(RESULTS, records=(silent,)))
    results = read_results(path)
    assert results
    assert {*results.records[0].timed[1].readings} == {"p99"}


@pytest.mark.parametrize("path", list_files(paths.RESULTS), ids=lambda path: path.stem)
def test_a_shipped_file_is_written_again_byte_for_byte(path: Path) -> None:
    results = read_results(path)
    assert results
    assert format_results(results) == path.read_bytes()


def test_what_stands_in_the_way_of_writing_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "box")
    path = locate(tmp_path, "box", "cpython-3.13.0")
    with pytest.raises(RecordsError, match=f"^{path}: records cannot be kept: "):
        write_results(path, RESULTS)


def test_a_full_disk_leaves_the_old_file_and_no_part(path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    more = replace(RESULTS, records=(*RESULTS.records, make_record(make_variant(tasks=9))))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(RecordsError, match="records cannot be kept: File too large"):
            write_results(path, more)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert read_results(path) == RESULTS
    assert [*path.parent.iterdir()] == [path]


def test_a_record_keeps_what_its_program_printed_in_the_shortest_of_the_timed_trials() -> None:
    record = replace(make_record(), timed=(), traced=())
    kept = []
    for wall_s, traced in ((0.1, True), (3, False), (1, False), (2, False), (0.5, True)):
        trial = Trial(status="ok", values={"wall_s": wall_s}, printed=f"{wall_s}")
        record = add_trial(record, trial, traced=traced, now=NOW)
        kept.append(record.printed)
    assert kept == ["0.1", "3", "1", "1", "1"]
    failed = Trial(status="failed", printed="oh")
    assert add_trial(record, failed, traced=False, now=NOW).printed == "1"


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
    stolen: float | None, others: float | None, wall_s: float, is_disturbed: bool
) -> None:
    values = make_values(wall_s, stolen_share=stolen, others_share=others)
    assert Trial(status="ok", values=values).is_disturbed(1) == is_disturbed
    assert Trial(status="ok", values=values).is_disturbed(2) == is_disturbed


@pytest.mark.parametrize(("trial", "is_slowed"), [(DISTURBED, False), (CALM, True)])
def test_a_trial_that_was_disturbed_or_slowed_is_repeated_as_often_as_may_be_and_then_counts(
    trial: Trial, is_slowed: bool
) -> None:
    record = replace(make_record(), timed=())
    for _ in range(5):
        record = add_trial(record, trial, traced=False, now=NOW, repeats=2, is_slowed=is_slowed)
    assert (len(record.timed), len(record.disturbed)) == (3, 2)
    assert record.list_values("wall_s") == [3.0] * 3
    traced = add_trial(record, trial, traced=True, now=NOW, repeats=9, is_slowed=is_slowed)
    assert len(traced.traced) == 2


def test_a_record_that_is_older_than_a_metric_is_read_and_written_without_it(
    tmp_path: Path,
) -> None:
    path = locate(tmp_path, "box", "cpython-3.13.0")
    write_results(path, replace(RESULTS, records=(make_record(),)))
    file = json.loads(path.read_text())
    del file["rows"][0]["max_rss_bytes"]
    path.write_text(json.dumps(file))
    for _ in range(2):
        found = read_results(path)
        assert found
        assert found.records[0].list_values("max_rss_bytes") == []
        assert len(found.records[0].list_values("cpu_s")) == 5
        write_results(path, found)


def test_a_store_keeps_the_records_of_each_interpreter_in_its_file(tmp_path: Path) -> None:
    names = ("cpython-3.13.0", "cpython-3.14.0", "pypy-3.11.9")
    interpreters = [make_interpreter(id=name) for name in names]
    folder = tmp_path / "results"
    kept = Store(folder, make_machine(), interpreters, pytest.fail)
    first, second = (make_record(make_variant(interpreter=name)) for name in names[:2])
    again = replace(first, seed=first.seed + 1)
    for record in (first, second, again):
        kept.put(record)
    kept.save()
    saved = {path.stem: path.read_text().count('"program"') for path in list_files(folder)}
    assert saved == {names[0]: 1, names[1]: 1}
    assert kept.find(first.variant, first.profile) == again
    assert kept.find(first.variant, "full") is None


@pytest.mark.parametrize("days", [(1, 0), (0, 1)], ids=["later first", "later last"])
def test_of_several_pairs_of_a_machine_the_latest_is_kept(
    tmp_path: Path, days: tuple[int, int]
) -> None:
    interpreters = [make_interpreter(id="cpython-3.12.0", version="3.12.0"), make_interpreter()]
    pairs = [
        Pair(first_s=(1.0,) * 5, second_s=(1.1,) * 5, measured_at=NOW + timedelta(days=later))
        for later in days
    ]
    for interpreter, pair in zip(interpreters, pairs, strict=True):
        results = replace(
            RESULTS, machine=make_machine(pair=pair), interpreter=interpreter, records=()
        )
        write_results(locate(tmp_path, "box", interpreter.id), results)
    kept = Store(tmp_path, make_machine(), interpreters, pytest.fail)
    assert kept.machine.pair == pairs[days.index(1)]


def test_damaged_records_of_one_interpreter_leave_those_of_the_next(tmp_path: Path) -> None:
    """And a store that reads again forgets what has not been saved."""
    write_results(locate(tmp_path, "box", "cpython-3.13.0"), RESULTS)
    broken = locate(tmp_path, "box", "cpython-3.12.0")
    broken.write_text("{")
    warnings: list[str] = []
    interpreters = [make_interpreter(id="cpython-3.12.0"), make_interpreter()]
    kept = Store(tmp_path, make_machine(), interpreters, warnings.append)
    (warning,) = warnings
    assert "cpython-3.12.0.json" in warning
    (aside,) = broken.parent.glob("cpython-3.12.0.damaged-*.json")
    assert (aside.read_text(), broken.exists()) == ("{", False)
    (record, *_) = RESULTS.records
    assert kept.find(record.variant, record.profile) == record
    good = locate(tmp_path, "box", "cpython-3.13.0")
    good.unlink()
    kept.save()
    assert read_results(good) == RESULTS
    new = replace(record, profile="full")
    kept.put(new)
    kept.read()
    assert kept.find(new.variant, "full") is None


def test_another_machine_is_read_whole_and_an_unknown_one_told_with_those_there_are(
    path: Path,
) -> None:
    aside = set_aside(path, NOW)
    assert aside.name == "cpython-3.13.0.damaged-20260102T030405Z.json"
    write_results(path, RESULTS)
    assert read_machine(path.parents[1], "box", "here") == (RESULTS,)
    with pytest.raises(ValueError, match=r"^MACHINE=there is not known; possible: box, here$"):
        read_machine(path.parents[1], "there", "here")


def test_a_file_of_more_than_16_mebibytes_is_not_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.LARGEST_BYTES == 16_777_216
    monkeypatch.setattr(store, "LARGEST_BYTES", path.stat().st_size)
    assert read_results(path)
    monkeypatch.setattr(store, "LARGEST_BYTES", (2 << 20) + 1)
    path.write_bytes(path.read_bytes().ljust((2 << 20) + 2))
    monkeypatch.setattr(Path, "read_bytes", None)
    with pytest.raises(DamagedRecords, match="larger than 2 MiB"):
        read_results(path)


def test_of_what_nothing_was_tried_nothing_is_kept(tmp_path: Path) -> None:
    store = Store(tmp_path, make_machine(), [make_interpreter()], pytest.fail)
    untried = replace(make_record(), timed=(), traced=())
    store.put(untried)
    store.save()
    assert list(tmp_path.rglob("*.json")) == []
    store.put(replace(untried, status="unavailable", reason=Reason("left-out")))
    store.save()
    assert len(list(tmp_path.rglob("*.json"))) == 1


BOOT = "0a1b2c"
HOUR = LONGEST_PAUSE


def measure(session: str, ended_at: datetime) -> Record:
    record = make_record()
    timed = tuple(replace(trial, session=session) for trial in record.timed)
    return replace(record, timed=timed, traced=(), measured_at=ended_at)


def test_a_name_tells_when_the_session_began_and_sorts_by_that() -> None:
    first, second = (name_session(NOW + timedelta(seconds=late), BOOT) for late in (0, 1))
    assert first < second
    assert first == "20260102T030405000Z-0a1b2c"
    assert first > UNKNOWN_SESSION


def test_a_run_soon_after_the_last_goes_on_with_its_session() -> None:
    begun = name_session(NOW, BOOT)
    records = [measure(begun, NOW + HOUR), measure(name_session(NOW - HOUR, BOOT), NOW - HOUR)]
    assert choose_session(records, NOW + 2 * HOUR, BOOT) == begun


@pytest.mark.parametrize("boot", [BOOT, "ffffff"])
def test_an_hour_later_or_after_a_boot_a_session_begins(boot: str) -> None:
    late = NOW + timedelta(minutes=59 if boot != BOOT else 61)
    found = choose_session([measure(name_session(NOW, BOOT), NOW)], late, boot)
    assert found == name_session(late, boot)


def test_a_boot_has_the_name_that_the_system_gives_it_or_else_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "ROOT", tmp_path)
    told: list[str] = []
    for began_s in (1000.2, 1000.4, 2000.0):
        monkeypatch.setattr(psutil, "boot_time", lambda began_s=began_s: began_s)
        told.append(read_boot())
    assert told[0] == told[1] != told[2]
    named = tmp_path / "proc/sys/kernel/random/boot_id"
    named.parent.mkdir(parents=True)
    for name in ("one", "other"):
        named.write_text(name)
        told.append(read_boot())
    assert len(set(told)) == 4


def test_all_of_a_question_is_measured_where_no_session_has_all_of_it() -> None:
    one, other = make_variant(), make_variant(program="other")
    begun, later = (name_session(NOW + hours * HOUR, BOOT) for hours in (0, 2))
    planned = dict.fromkeys((one, other), Done(timed=5))
    found = {
        session: list_lacking(
            {one: measure(begun, NOW), other: measure(session, NOW)}, planned, [(one, other)], "now"
        )
        for session in (begun, later)
    }
    assert found == {begun: set(), later: {one, other}}


def test_of_a_record_the_last_three_sessions_are_kept() -> None:
    record = replace(make_record(), timed=(), traced=())
    names = [name_session(NOW + timedelta(days=day), BOOT) for day in range(4)]
    for name in names:
        trial = Trial(status="ok", session=name, values=make_values(1.0))
        record = add_trial(record, trial, traced=False, now=NOW)
    assert record.sessions == tuple(names[1:])
    assert [trial.session for trial in record.within(names[2]).timed] == [names[2]]
