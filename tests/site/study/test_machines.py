"""Machines beside the one shown are judged by themselves; what cannot be true is told, and left out."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from making import (
    make_build,
    make_interpreter,
    make_machine,
    make_record,
    replace,
    write_experiment,
)
from poolwise.dependencies import take_fingerprint
from poolwise.experiment import Experiment, load_experiment
from poolwise.plan import list_variants
from poolwise.record import Results
from poolwise.store import locate, write_results
from scripts.site.study.machines import OtherMachines, find_newer, open_recorded, read_machine

RUNNING = make_build("3.13.0")


class Shelf:
    """A folder of results, and what was said of them."""

    def __init__(self, folder: Path) -> None:
        write_experiment(folder / "examples" / "lab")
        self.experiments = {"lab": load_experiment(folder / "examples" / "lab")}
        self.results = folder / "results"
        self.warnings: list[str] = []

    @property
    def experiment(self) -> Experiment:
        return self.experiments["lab"]

    def put(
        self,
        machine: str,
        *,
        walls: Sequence[float] = (2.0, 2.1, 1.9, 2.0, 2.05),
        profiles: Sequence[str] = ("quick",),
        interpreter: str = "cpython-3.13.0",
        whole: bool = False,
    ) -> Results:
        """Put records that are valid now: of both programs once, or of the ``whole`` plan."""
        python = make_interpreter(id=interpreter, version=interpreter.partition("-")[2])
        described = make_machine(id=machine)
        records = []
        for profile in profiles:
            place = (described, [python], [python], described.logical_cores)
            plan = list_variants(self.experiment, self.experiment.profiles[profile], *place)
            for variant in plan:
                if whole or (variant.cores, variant.tasks) == (plan[0].cores, 3):
                    mark = take_fingerprint(self.experiment, variant, profile, python)
                    record = make_record(variant, walls)
                    records.append(replace(record, profile=profile, fingerprint=mark))
        results = Results(machine=described, interpreter=python, records=tuple(records))
        write_results(locate(self.results, machine, python.id), results)
        return results

    def record_whole(self, interpreter: str = "cpython-3.14.7") -> Results:
        """Everything, on the machine that is shown, with another Python than runs."""
        return self.put("box", interpreter=interpreter, whole=True)

    def open(self) -> OtherMachines:
        return OtherMachines(self.results, "box", self.experiments, self.warnings.append)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def test_several_interpreters_of_a_machine_are_one_evidence_and_the_newest_release_comes_first(
    shelf: Shelf,
) -> None:
    for name in ("cpython-3.9.2", "cpython-3.14.7", "cpython-3.14.7t", "cpython-3.15.0rc1"):
        shelf.put("ark", interpreter=name)
    (evidence,) = shelf.open().judge("lab", "quick")
    names = ["cpython-3.14.7", "cpython-3.9.2", "cpython-3.15.0rc1", "cpython-3.14.7t"]
    assert [python.id for python in evidence.interpreters] == names
    assert len(evidence.judgements) == 8


def test_a_record_that_cannot_be_true_is_told_and_left_out(shelf: Shelf) -> None:
    shelf.put("ark", walls=[0.3] * 5)  # its programs wait for half a second
    shelf.put("zoo")
    evidences = shelf.open().judge("lab", "quick")
    assert [evidence.machine.id for evidence in evidences] == ["zoo"]
    (warning,) = shelf.warnings
    assert warning.startswith("left out: ark/cpython-3.13.0: ")
    assert "has to wait for 0.5 s (and 1 more)" in warning


def test_a_record_that_is_no_longer_valid_is_shown_as_that(shelf: Shelf) -> None:
    shelf.put("ark")
    (shelf.experiment.folder / "two.py").write_text("print()\n")
    (evidence,) = shelf.open().judge("lab", "quick")
    assert {variant.program for variant in evidence.outdated} == {"two"}
    assert all(judged.record.timed for judged in evidence.judgements)


@pytest.mark.parametrize(
    ("profiles", "profile"),
    [(("smoke", "quick"), "quick"), (("smoke",), "smoke"), (("full",), "full")],
)
def test_a_machine_is_shown_in_the_profile_of_the_one_shown_or_in_its_largest(
    shelf: Shelf, profiles: Sequence[str], profile: str
) -> None:
    shelf.put("ark", profiles=profiles)
    (evidence,) = shelf.open().judge("lab", "quick")
    assert evidence.profile == profile
    assert {judged.record.profile for judged in evidence.judgements} == {profile}


@pytest.mark.parametrize(("whole", "profile"), [(True, "full"), (False, "quick")])
def test_an_experiment_recorded_whole_at_its_own_size_is_shown_at_that_in_place_of_a_preview(
    shelf: Shelf, *, whole: bool, profile: str
) -> None:
    shelf.put("box", profiles=("quick", "full"), whole=whole)
    shelf.put("box", interpreter="cpython-3.12.1")
    cells = open_recorded(read_machine(shelf.results, "box", "box"), shelf.experiments, "quick")
    judgements = cells.judge("lab").judgements
    assert {judged.record.profile for judged in judgements} == {profile}


@pytest.mark.parametrize(
    ("recorded", "newer"),
    [
        (["cpython-3.14.7"], "cpython-3.14.7"),
        (["cpython-3.14.7", "cpython-3.15.0rc1", "cpython-3.15.0t"], "cpython-3.14.7"),
        (["cpython-3.13.0", "cpython-3.12.1"], None),
        (["cpython-3.15.0rc1", "cpython-3.14.7t"], None),
    ],
)
def test_a_newer_release_with_everything_is_shown_in_place_of_the_running_python(
    shelf: Shelf, recorded: list[str], newer: str | None
) -> None:
    results = [shelf.record_whole(name) for name in recorded]
    python = find_newer(results, RUNNING, shelf.experiments, "quick")
    assert (python and python.id) == newer


def test_a_release_that_lacks_anything_valid_is_not_shown(shelf: Shelf) -> None:
    results, known = shelf.record_whole(), shelf.experiments
    first, *others = results.records
    stale = replace(first, fingerprint="0" * 16)
    changed = replace(results, records=(stale, *others))
    lacking = replace(results, records=tuple(others))
    more = known | {"other": replace(shelf.experiment, name="other")}
    assert find_newer([results], RUNNING, known, "full") is None
    assert find_newer([results], RUNNING, more, "quick") is None
    assert find_newer([changed], RUNNING, known, "quick") is None
    assert find_newer([lacking], RUNNING, known, "quick") is None
    # A size that was declared once takes nothing away.
    once = replace(stale, variant=replace(first.variant, params={"SIZE": "2"}))
    grown = replace(results, records=(*results.records, once))
    assert find_newer([grown], RUNNING, known, "quick") == results.interpreter


def test_a_machine_is_read_whole_and_an_unknown_one_is_refused_with_those_there_are(
    shelf: Shelf,
) -> None:
    results = shelf.put("box")
    assert read_machine(shelf.results, "box", "here") == (results,)
    with pytest.raises(ValueError, match=r"^MACHINE=there is not known; possible: box, here$"):
        read_machine(shelf.results, "there", "here")
