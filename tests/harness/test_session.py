"""A session is the runs of one boot, each begun within an hour of the last one's end."""

from datetime import datetime, timedelta
from pathlib import Path

import psutil
import pytest

from scripts.harness import record as records
from scripts.harness.plan import Done, list_lacking
from scripts.harness.record import (
    LONGEST_PAUSE,
    UNKNOWN_SESSION,
    Record,
    Trial,
    add_trial,
    choose_session,
    name_session,
    read_began,
    read_boot,
)
from tests.factories import NOW, make_record, make_values, make_variant, replace

BOOT = "0a1b2c"
HOUR = LONGEST_PAUSE


def measure(session: str, ended_at: datetime) -> Record:
    record = make_record()
    timed = tuple(replace(trial, session=session) for trial in record.timed)
    return replace(record, timed=timed, traced=(), measured_at=ended_at)


def test_a_name_tells_when_the_session_began_and_sorts_by_that() -> None:
    first, second = (name_session(NOW + timedelta(seconds=late), BOOT) for late in (0, 1))
    assert first < second
    assert read_began(first) == NOW
    assert first > UNKNOWN_SESSION
    assert read_began(UNKNOWN_SESSION) is None


@pytest.mark.parametrize("name", ["", "monday", "20261399T000000000Z-0a1b2c", "2026"])
def test_what_is_no_name_of_a_session_is_told(name: str) -> None:
    with pytest.raises(ValueError, match=r"no name of a session|does not match"):
        read_began(name)


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
