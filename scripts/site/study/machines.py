"""Machines: what is recorded of others than the one shown, each judged by itself.

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
from poolwise.plan import list_variants
from poolwise.pythons import Interpreter, rank_interpreter
from poolwise.record import Record, Results
from poolwise.store import DamagedRecords, RecordsError, Store, list_files, read_results
from scripts.site.judge.judge import Evidence
from scripts.site.judge.noise import find_too_short
from scripts.site.judge.rows import list_records
from scripts.site.study.cells import Cells


@dataclass(frozen=True)
class OtherMachines:
    """The machines under a folder of results but for one; their files are read when first asked for.

    ``shown`` is the id of the machine to leave out; ``warn`` is told what cannot be read or true.
    """

    folder: Path
    shown: str
    experiments: Mapping[str, Experiment]
    warn: Callable[[str], None]

    @cached_property
    def _cells(self) -> list[Cells]:
        """The cells of each machine of which anything can be read, by its id."""
        read = read_machines(self.folder, self.experiments, self.warn, but=self.shown)
        return [open_recorded(results, self.experiments, "full") for results in read.values()]

    @property
    def machines(self) -> list[Machine]:
        """The machines, by id."""
        return [cells.machine for cells in self._cells]

    def judge(self, name: str, wanted: ProfileName) -> tuple[Evidence, ...]:
        """Judge an experiment on each machine with records of it; by id.

        ``wanted`` is the profile to show if a machine has it, for then it did the same work as the
        one shown; otherwise the largest that it has.
        """
        found = []
        for cells in self._cells:
            own = [one for one in cells.elsewhere or () if one.variant.experiment == name]
            profile = choose_profile(own, wanted)
            evidence = replace(cells, elsewhere=own, profile=profile).judge(name)
            if evidence.judgements:
                found.append(evidence)
        return tuple(found)


def stand_in(found: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Order the machine shown and the others; without records it gives way to that with most of them.

    Jobs on runners of one name get several processors, and so none of these machines has everything.
    What is no longer valid stands in for none.
    """
    shown, *others = found
    possible = [one for one in others if any(judged.can_decide for judged in one.judgements)]
    if shown.judgements or not possible:
        return found
    first = max(possible, key=lambda one: len(list_records([one])))
    return first, *(one for one in others if one is not first)


def read_machines(
    folder: Path,
    experiments: Mapping[str, Experiment],
    warn: Callable[[str], None],
    *,
    but: str = "",
) -> dict[str, list[Results]]:
    """Read the results of each machine in a folder by its id, without what cannot be read or true."""
    found: dict[str, list[Results]] = {}
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
        if untrue := tell_untrue(results, experiments):
            warn(f"left out: {DamagedRecords(*untrue.values())}")
            kept = [record for record in results.records if id(record) not in untrue]
            results = structs.replace(results, records=tuple(kept))
        found.setdefault(results.machine.id, []).append(results)
    return found


def tell_untrue(results: Results, experiments: Mapping[str, Experiment]) -> dict[int, str]:
    """Tell what is wrong with records that declarations refute, by the ``id()`` of each."""
    return {
        id(record): f"{results.machine.id}/{results.interpreter.id}: {fault}"
        for record in results.records
        if (fault := find_too_short(experiments, record))
    }


def find_newer(
    found: Sequence[Results],
    running: Interpreter,
    experiments: Mapping[str, Experiment],
    profile: ProfileName,
) -> Interpreter | None:
    """Find the newest release above the running Python whose records lack nothing."""
    ranked = sorted(found, key=lambda one: rank_interpreter(one.interpreter.id), reverse=True)
    for results in ranked:
        is_newer = rank_interpreter(results.interpreter.id) > rank_interpreter(running.id)
        if is_newer and _is_release(results) and _is_complete(results, experiments, profile):
            return results.interpreter
    return None


def _is_complete(
    results: Results, experiments: Mapping[str, Experiment], profile: ProfileName
) -> bool:
    """Tell whether each cell that a Python would fill on its machine has a valid record.

    Cells of sizes that were declared once may be there too.
    """
    machine, python = results.machine, [results.interpreter]
    usable = max(1, int(machine.granted_cores or machine.logical_cores))
    cells = open_recorded([results], experiments, profile)
    return cells.profile == profile and all(
        cells.find_valid(experiment, variant)
        for experiment in experiments.values()
        for variant in list_variants(
            experiment, experiment.profiles[profile], machine, python, python, usable
        )
    )


def _is_release(results: Results) -> bool:
    """Tell whether an interpreter is what most readers run: a final release with the GIL."""
    return bool(re.fullmatch(r"cpython-\d+\.\d+\.\d+", results.interpreter.id))


def _rank_shown(results: Results) -> tuple[int, bool]:
    """Rank a Python for what is shown first: those with most experiments, of these a release."""
    experiments = {record.variant.experiment for record in results.records}
    return -len(experiments), not _is_release(results)


def sort_shown(found: Iterable[Results]) -> list[Results]:
    """Sort the Pythons of a machine: that to show first, then the newest before the older ones."""
    ordered = sorted(found, key=lambda one: rank_interpreter(one.interpreter.id), reverse=True)
    return sorted(ordered, key=_rank_shown)


def open_recorded(
    found: Sequence[Results],
    experiments: Mapping[str, Experiment],
    wanted: ProfileName,
    pythons: Collection[str] = (),
) -> Cells:
    """Open the cells of a machine as they were recorded by at least one interpreter.

    ``wanted`` is the profile to show if there is anything in it, otherwise the largest. Of several
    machines, the home of a site, each family is of the one with most records by ``pythons``.
    """
    found = sort_shown(found)
    found.sort(key=lambda one: one.interpreter.id not in pythons)
    # Its free-threaded twins come next: a claim of them is shown of the release that readers have.
    version = found[0].interpreter.version
    found.sort(key=lambda one: one.interpreter.version != version)
    records: list[Record] = [record for results in found for record in results.records]
    if pythons:
        records = _choose_places(records, pythons)
    counts = Counter(record.machine for record in records)
    machines = {results.machine.id: results.machine for results in found}
    machine = machines[max(machines, key=lambda id_: counts[id_])]
    store = Store(Path(), machine, (), warn=print)  # of no interpreter of its own: it reads nothing
    for record in records:
        store.put(record)
    return Cells(
        experiments=experiments,
        profile=choose_profile(records, wanted),
        machine=machine,
        interpreters=tuple({one.interpreter.id: one.interpreter for one in found}.values()),
        elsewhere=records,
        store=store,
        home=[one for one in found if counts[one.machine.id]] if pythons else (),
    )


def _choose_places(records: Sequence[Record], pythons: Collection[str]) -> list[Record]:
    """Keep the records of each family from one machine: that with most of them by ``pythons``."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for record in records:
        if record.interpreter in pythons:
            family = (record.experiment, record.family)
            counts.setdefault(family, Counter())[record.machine] += 1
    places = {family: max(sorted(count), key=count.__getitem__) for family, count in counts.items()}
    return [one for one in records if places.get((one.experiment, one.family)) == one.machine]


def choose_profile(records: Iterable[Record], wanted: ProfileName) -> ProfileName:
    """The profile asked for, or if nothing was recorded in it, the largest that there is."""
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
