"""Machines: what is recorded of them, read, checked, and opened as cells to be judged.

Their records come from anywhere. What cannot be read or cannot be true is told in a sentence and
left out; what is no longer valid cannot be measured anew here, and is shown as that.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import get_args

from msgspec import structs

from poolwise.experiment import Experiment, ProfileName
from poolwise.machine import Machine
from poolwise.pythons import Interpreter, rank_interpreter
from poolwise.record import Record, Results
from poolwise.store import DamagedRecords, RecordsError, Store, list_files, read_results
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.noise import find_too_short
from scripts.site.study.cells import Cells


@dataclass(frozen=True)
class OtherMachines:
    """The machines under a folder of results but for one; their files are read when first asked for.

    ``but`` is the id of the machine to leave out; ``warn`` gets what cannot be read or true.
    """

    folder: Path
    but: str
    experiments: Mapping[str, Experiment]
    warn: Callable[[str], None]

    @cached_property
    def _cells(self) -> list[Cells]:
        machines = read_machines(self.folder, self.experiments, self.warn, but=self.but)
        return [open_recorded(results, self.experiments, "full") for results in machines.values()]

    @property
    def machines(self) -> list[Machine]:
        """The machines, by id."""
        return [cells.machine for cells in self._cells]

    def judge(self, name: str, wanted: ProfileName) -> tuple[Evidence, ...]:
        """Judge an experiment on each machine with records of it, in the profile that ``choose_profile`` gives.

        In place of a preview that is its own size, where a machine has all of it.
        """
        evidences = []
        for place in self._cells:
            records = [record for record in place.elsewhere or () if record.experiment == name]
            profile = choose_profile(records, wanted)
            experiments = {name: self.experiments[name]}
            cells = replace(place, experiments=experiments, elsewhere=records, profile=profile)
            evidence = cells.enlarge().judge(name)
            if evidence.judgements:
                evidences.append(evidence)
        return tuple(evidences)


def read_machines(
    folder: Path,
    experiments: Mapping[str, Experiment],
    warn: Callable[[str], None],
    *,
    but: str = "",
) -> dict[str, list[Results]]:
    """Read the results of each machine in a folder by its id, without what cannot be read or true."""
    machines: dict[str, list[Results]] = {}
    for path in list_files(folder):
        if path.parent.name == but:
            continue
        try:
            results = read_results(path)
        except RecordsError as error:
            warn(f"left out: {error}")
            continue
        if results is None:
            continue
        if untrue := list_untrue(results, experiments):
            warn(f"left out: {DamagedRecords(*untrue.values())}")
            kept = [record for record in results.records if id(record) not in untrue]
            results = structs.replace(results, records=tuple(kept))
        machines.setdefault(results.machine.id, []).append(results)
    return machines


def list_untrue(results: Results, experiments: Mapping[str, Experiment]) -> dict[int, str]:
    """List what is wrong with records that declarations refute, by the ``id()`` of each."""
    place = f"{results.machine.id}/{results.interpreter.id}"
    untrue = {}
    for record in results.records:
        if fault := find_too_short(experiments, record):
            untrue[id(record)] = f"{place}: {fault}"
    return untrue


def find_newer(
    recorded: Iterable[Results],
    running: Interpreter,
    experiments: Mapping[str, Experiment],
    profile: ProfileName,
) -> Interpreter | None:
    """Find the newest release above the running Python whose records lack nothing."""
    for results in sorted(recorded, key=_rank_python, reverse=True):
        if _rank_python(results) <= rank_interpreter(running.id):
            return None
        if _is_release(results) and _is_complete(results, experiments, profile):
            return results.interpreter
    return None


def _rank_python(results: Results) -> tuple[object, ...]:
    return rank_interpreter(results.interpreter.id)


def _is_complete(
    results: Results, experiments: Mapping[str, Experiment], profile: ProfileName
) -> bool:
    """Tell whether each cell that a Python would fill on its machine has a valid record."""
    cells = open_recorded([results], experiments, profile)
    if cells.profile != profile:
        return False
    built = [experiment for experiment in experiments.values() if not experiment.on_request]
    for experiment in built:
        if not all(cells.is_whole(experiment, family) for family in experiment.families):
            return False
    return True


def _is_release(results: Results) -> bool:
    """Tell whether an interpreter is what most readers run: a final release with the GIL."""
    return bool(re.fullmatch(r"cpython-\d+\.\d+\.\d+", results.interpreter.id))


def sort_shown(recorded: Iterable[Results]) -> list[Results]:
    """Sort the Pythons of a machine: with most experiments first, of these a release, then the newest."""

    def rank(results: Results) -> tuple[int, bool]:
        experiments = {record.experiment for record in results.records}
        return -len(experiments), not _is_release(results)

    return sorted(sorted(recorded, key=_rank_python, reverse=True), key=rank)


def open_recorded(
    recorded: Iterable[Results],
    experiments: Mapping[str, Experiment],
    wanted: ProfileName,
    pythons: Collection[str] = (),
) -> Cells:
    """Open the cells of a machine as they were recorded by at least one interpreter.

    ``wanted`` is the profile to show if anything is in it, else the largest; see ``Cells.enlarge``. Of several
    machines, the home of a site, each family is of the one with most records by ``pythons``.
    """
    recorded = sort_shown(recorded)
    recorded.sort(key=lambda results: results.interpreter.id not in pythons)
    # Its free-threaded twins come next: a claim of them is shown of the release that readers have.
    version = recorded[0].interpreter.version
    recorded.sort(key=lambda results: results.interpreter.version != version)
    records: list[Record] = []
    for results in recorded:
        records += results.records
    if pythons:
        records = _choose_places(records, pythons)
    counts = Counter(record.machine for record in records)
    machines = {results.machine.id: results.machine for results in recorded}
    machine = machines[max(machines, key=lambda id_: counts[id_])]
    store = Store(Path(), machine, (), warn=print)  # of no interpreter of its own: it reads nothing
    for record in records:
        store.put(record)
    home = []
    if pythons:
        home = [results for results in recorded if counts[results.machine.id]]
    interpreters = {results.interpreter.id: results.interpreter for results in recorded}
    cells = Cells(
        experiments=experiments,
        profile=choose_profile(records, wanted),
        machine=machine,
        interpreters=tuple(interpreters.values()),
        elsewhere=records,
        store=store,
        home=home,
    )
    return cells.enlarge()


def _choose_places(records: Sequence[Record], pythons: Collection[str]) -> list[Record]:
    """Keep the records of each family from one machine: that with most of them by ``pythons``."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for record in records:
        if record.interpreter in pythons:
            family = counts.setdefault((record.experiment, record.family), Counter())
            family[record.machine] += 1
    places = {key: max(sorted(family), key=family.__getitem__) for key, family in counts.items()}
    return [
        record
        for record in records
        if places.get((record.experiment, record.family)) == record.machine
    ]


def choose_profile(records: Iterable[Record], wanted: ProfileName) -> ProfileName:
    """Choose the profile that is wanted, or if nothing was recorded in it, the largest that there is."""
    recorded = {record.profile for record in records}
    possible = [name for name in get_args(ProfileName) if name in recorded]
    return wanted if wanted in recorded or not possible else possible[-1]


def read_machine(folder: Path, wanted: str, here: str) -> tuple[Results, ...]:
    """Read what is recorded of a machine; nothing if none is named, or the one at hand without records.

    Raises:
        ValueError: nothing is recorded of such a machine; names those there are.
    """
    if not wanted:
        return ()
    files = [read_results(path) for path in list_files(folder, wanted)]
    if not files and wanted != here:
        known = sorted({here} | {path.parent.name for path in list_files(folder)})
        raise ValueError(f"MACHINE={wanted} is not known; possible: {', '.join(known)}")
    return tuple(results for results in files if results)
