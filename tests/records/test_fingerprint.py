"""A fingerprint changes with what a record depends on, and with nothing else."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec import structs

from scripts.declare.experiment import Experiment
from scripts.declare.imports import find_packages
from scripts.records import fingerprint
from scripts.records.fingerprint import take_fingerprint
from tests.factories import VARIANT, alter, make_experiment, make_interpreter

Change = Callable[[Experiment], Experiment]


@pytest.fixture
def lab(tmp_path: Path) -> Experiment:
    for name in (VARIANT.program, "04-io-thread_pool"):
        (tmp_path / f"{name}.py").write_text("pass\n")
    return make_experiment(tmp_path)


def take(experiment: Experiment, version: str = "3.13.0") -> str:
    interpreter = make_interpreter(version=version)
    return take_fingerprint(experiment, VARIANT, "quick", interpreter)


def change(kind: str, name: str, **changes: object) -> Change:
    return lambda experiment: alter(experiment, kind, name, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changed",
    [
        change("programs", VARIANT.program, ends="error"),
        change("programs", VARIANT.program, says="oh"),
        change("programs", VARIANT.program, timeout_s=3.0),
        change("profiles", "quick", timeout_s=11.0),
        change("profiles", "quick", results={"io": "30 pages"}),
    ],
    ids=["ends", "says", "program's limit", "profile's limit", "result"],
)
def test_what_decides_whether_a_trial_did_its_work_counts(lab: Experiment, changed: Change) -> None:
    assert take(changed(lab)) != take(lab)


@pytest.mark.parametrize(
    "changed",
    [
        change("programs", "04-io-thread_pool", ends="error", says="oh", timeout_s=3.0),
        change("profiles", "smoke", timeout_s=11.0, results={"io": "30 pages"}),
        change("profiles", "quick", results={"cpu": "832040"}),
        change("profiles", "quick", longest_wait_s={"io": 0.7}, estimate_s=9.0),
    ],
    ids=["another program", "another profile", "another family", "what is only judged"],
)
def test_what_a_record_does_not_depend_on_leaves_it_valid(lab: Experiment, changed: Change) -> None:
    assert take(changed(lab)) == take(lab)


def test_a_profiles_limit_does_not_matter_to_a_program_with_one_of_its_own(lab: Experiment) -> None:
    own = alter(lab, "programs", VARIANT.program, timeout_s=3.0)
    assert take(alter(own, "profiles", "quick", timeout_s=11.0)) == take(own)


def test_the_program_and_the_interpreter_count(lab: Experiment) -> None:
    before = take(lab)
    assert take(lab, version="3.14.0") != before
    (lab.folder / "04-io-thread_pool.py").write_text("print()\n")
    assert take(lab) == before
    (lab.folder / f"{VARIANT.program}.py").write_text("print()\n")
    assert take(lab) != before


def test_the_protocol_counts(lab: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    before = take(lab)
    monkeypatch.setattr(fingerprint, "PROTOCOL", fingerprint.PROTOCOL + 1)
    assert take(lab) != before


def test_a_fingerprint_stays_as_it_is_while_nothing_changes(lab: Experiment) -> None:
    """If this fails, every record is measured anew: with the next protocol, told on Method."""
    assert fingerprint.PROTOCOL == 4
    assert take(lab) == "7ff01544d4d21b47"


def test_the_load_server_counts_where_it_is_needed(
    lab: Experiment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served = structs.replace(lab, needs_server=True)
    server = tmp_path / "server.py"
    monkeypatch.setattr(fingerprint, "SERVER", server)
    server.write_text("pass\n")
    before, apart = take(served), take(lab)
    server.write_text("print()\n")
    assert take(served) != before
    assert take(lab) == apart


def test_of_pinned_packages_count_those_that_the_program_imports(
    lab: Experiment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pins = tmp_path / "examples.txt"
    monkeypatch.setattr(fingerprint, "find_packages", partial(find_packages, requirements=pins))

    def pin(text: str) -> str:
        pins.write_text(text)
        return take(lab)

    (lab.folder / f"{VARIANT.program}.py").write_text("import gevent\n")
    before = pin("aiohttp==1.0\ngevent==2.0\n")
    assert pin("# a word\naiohttp==1.1\ngevent==2.0 \\\n    --hash=sha256:0\n") == before
    assert pin("aiohttp==1.0\ngevent==2.1\n") != before
