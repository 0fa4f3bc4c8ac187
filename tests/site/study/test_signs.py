"""A claim keeps the day on which its sign or its machine was last another, and nothing else changes it."""

from datetime import date
from pathlib import Path

from making import make_machine
from scripts.site.judge.claims import Check, CheckedClaim
from scripts.site.judge.decisions import ClaimStatus
from scripts.site.study.signs import FILE, Lasting, Sign, keep_signs, note_signs, read_signs
from tests.factories import make_claim

FIRST, LATER = date(2026, 11, 12), date(2026, 12, 1)
MACHINES = {
    "box": make_machine(id="box", cpu_model="Apple M1"),
    "ark": make_machine(id="ark", cpu_model="AMD EPYC"),
}
CLAIM = make_claim()


def come_to(status: ClaimStatus, machine: str = "box") -> CheckedClaim:
    check = Check(
        claim=CLAIM,
        machine=machine,
        interpreter="cpython-3.14.7",
        cores=2,
        workers=2,
        status=status,
    )
    return CheckedClaim(experiment="lab", claim=CLAIM, checks=(check,))


UNMEASURED = CheckedClaim(experiment="lab", claim=CLAIM)
OPEN = note_signs({}, [come_to("open")], MACHINES, FIRST)


def test_the_first_sign_has_none_before_it() -> None:
    assert {CLAIM.id: Lasting(status="open", machine="box", model="Apple M1", since=FIRST)} == OPEN


def test_nothing_changes_a_sign_but_another_status_or_machine() -> None:
    assert note_signs(OPEN, [come_to("open")], MACHINES, LATER) == OPEN
    assert note_signs(OPEN, [UNMEASURED], MACHINES, LATER) == OPEN
    past = Sign(status="open", machine="box", model="Apple M1")
    for status, machine in (("confirmed", "box"), ("open", "ark")):
        (sign,) = note_signs(OPEN, [come_to(status, machine)], MACHINES, LATER).values()
        assert (sign.status, sign.machine, sign.since) == (status, machine, LATER)
        assert sign.before == past


def test_of_several_changes_in_a_day_the_last_counts() -> None:
    confirmed = note_signs(OPEN, [come_to("confirmed")], MACHINES, LATER)
    (sign,) = note_signs(confirmed, [come_to("refuted")], MACHINES, LATER).values()
    assert sign.status == "refuted"
    assert sign.before
    assert sign.before.status == "open"


def test_what_is_kept_is_read_again_and_written_only_if_it_is_another(tmp_path: Path) -> None:
    keep_signs(tmp_path, "home", OPEN)
    keep_signs(tmp_path, "box/quick", {})
    written = (tmp_path / FILE).stat()
    keep_signs(tmp_path, "home", OPEN)
    assert (tmp_path / FILE).stat() == written
    assert read_signs(tmp_path) == {"home": OPEN}


def test_a_damaged_file_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"home": {"x": 1}}')
    assert read_signs(tmp_path) == {}
    keep_signs(tmp_path, "home", OPEN)
    assert read_signs(tmp_path) == {"home": OPEN}
