"""A claim keeps the day on which its sign or its machine was last another, and nothing else changes it."""

from datetime import date
from pathlib import Path

from making import make_machine
from scripts.site.judge.claims import Check, CheckedClaim
from scripts.site.judge.decisions import ClaimStatus
from scripts.site.study.signs import FILE, Lasting, Sign, Signs, keep_signs, note_signs, read_signs
from tests.factories import OUTCOMES, make_claim

FIRST, LATER = date(2026, 11, 12), date(2026, 12, 1)
MODELS = {"box": "Apple M1", "ark": "AMD EPYC"}
MACHINES = {id_: make_machine(id=id_, cpu_model=model) for id_, model in MODELS.items()}
CLAIM = make_claim()


def note(known: Signs, status: ClaimStatus | None, day: date, machine: str = "box") -> Signs:
    """Note what the claim came to on a day; nothing without a status."""
    place = {"machine": machine, "interpreter": "cpython-3.14.7", "cores": 2, "workers": 2}
    checks = (Check(claim=CLAIM, outcome=OUTCOMES[status], **place),) if status else ()
    checked = CheckedClaim(experiment="lab", claim=CLAIM, checks=checks)
    return note_signs(known, [checked], MACHINES, day)


OPEN = note({}, "open", FIRST)


def test_nothing_changes_a_sign_but_another_status_or_machine() -> None:
    assert {CLAIM.id: Lasting(status="open", machine="box", model="Apple M1", since=FIRST)} == OPEN
    assert note(OPEN, "open", LATER) == note(OPEN, None, LATER) == OPEN
    past = Sign(status="open", machine="box", model="Apple M1")
    for status, machine in (("confirmed", "box"), ("open", "ark")):
        (sign,) = note(OPEN, status, LATER, machine).values()
        assert (sign.status, sign.machine, sign.since) == (status, machine, LATER)
        assert sign.before == past


def test_of_several_changes_in_a_day_the_last_counts() -> None:
    (sign,) = note(note(OPEN, "confirmed", LATER), "refuted", LATER).values()
    assert sign.status == "refuted"
    assert sign.before
    assert sign.before.status == "open"


def test_what_is_kept_is_read_again_and_written_only_if_it_is_another(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"home": {"x": 1}}')
    assert read_signs(tmp_path) == {}
    keep_signs(tmp_path, "home", OPEN)
    keep_signs(tmp_path, "box/quick", {})
    written = (tmp_path / FILE).stat()
    keep_signs(tmp_path, "home", OPEN)
    assert (tmp_path / FILE).stat() == written
    assert read_signs(tmp_path) == {"home": OPEN}
