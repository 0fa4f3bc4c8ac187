"""Merge: results files from elsewhere, checked one by one, into the folder of results.

They are data of strangers: a file is taken as a whole or refused with every reason, and nothing of
a refused one goes further.
"""

import os
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from filecmp import cmp
from hashlib import sha256
from pathlib import Path

from scripts.harness.absent import FILE, find_absent, write_absent
from scripts.harness.experiment import Experiment
from scripts.harness.record import Record
from scripts.harness.store import (
    DamagedRecords,
    RecordsError,
    locate,
    locate_contributed,
    replace_file,
    understand,
    write_results,
)
from scripts.harness.summary import add_to_summary, defuse, escape
from scripts.harness.timeline import FOLDER as TIMELINES
from scripts.harness.timeline import read_timeline, write_timeline
from scripts.site.changes import take_view, tell_changes
from scripts.site.check.strange import CheckedFile, check_files
from scripts.site.declare.declarations import load_declarations
from scripts.site.settings import BadSetting, read_settings

MOST_FILES = 5000
MOST_REASONS = 20
"""Of one file, told; how many more there are is told too."""
_BESIDE = {"README.md", FILE, ".lock", "inputs"}
"""What else stands in a folder of results, or is handed on with one by a job of Publish."""


def run_merge(names: Sequence[str]) -> int:
    """Merge folders into RESULTS, tell what was refused and why; within Actions in the summary too.

    Folders in MEASURED hold what this build's own jobs measured; ``names`` are contributed ones.
    If all is contributed, it is told what it would change of what the pages say.
    Of the matrix of jobs that ASKED has, the columns that MEASURED lacks are noted beside the
    results.

    Returns:
        The exit status: 1 if a file was refused; what could be taken is taken nevertheless.

    Raises:
        BadSetting: ASKED is no matrix of jobs, RESULTS is one of the folders to take from, or there
            are none.
        MalformedDeclaration, RecordsError: as reading declarations, and writing records.
    """
    results = read_settings(os.environ).results
    measured = [Path(name) for name in os.environ.get("MEASURED", "").split()]
    contributed = [Path(name) for name in names]
    if not measured and not contributed:
        raise BadSetting('There is nothing to merge: make merge FROM="folders" names where it is.')
    if results.resolve() in (folder.resolve() for folder in (*measured, *contributed)):
        raise BadSetting(f"RESULTS={results} cannot be merged into itself: name another folder.")
    declared = load_declarations()
    before = None if measured else take_view(results, declared)
    merged = merge_folders(measured, contributed, results, declared.experiments)
    if asked := os.environ.get("ASKED"):
        try:
            write_absent(results, find_absent(asked, measured))
        except ValueError as error:
            raise BadSetting(f"ASKED is no matrix of jobs: {error}") from None
    lines = list(tell(merged))
    if before:
        lines += tell_changes(before, take_view(results, declared))
    print(defuse("\n".join(lines)), file=sys.stderr if merged.refused else sys.stdout)
    add_to_summary("".join(f"{_format(line)}\n" for line in ["## Records", *lines]))
    if merged.measured and (output := os.environ.get("GITHUB_OUTPUT")):
        ((most, _),) = merged.measured.most_common(1)
        with Path(output).open("a", encoding="utf-8") as file:
            file.write(f"machine={most}\n")
    return 1 if merged.refused else 0


@dataclass(slots=True)
class Merged:
    """What came of a merge: the records taken by machine, and reasons by the file refused.

    ``measured`` are those that this build's own jobs measured. ``replaced`` and ``equal`` count by
    machine the contributed cells that were there already, with other trials or with the same.
    ``digests`` are of the contributed files.
    """

    taken: Counter[str] = field(default_factory=Counter)
    measured: Counter[str] = field(default_factory=Counter)
    replaced: Counter[str] = field(default_factory=Counter)
    equal: Counter[str] = field(default_factory=Counter)
    digests: dict[Path, str] = field(default_factory=dict)
    refused: dict[Path, Sequence[str]] = field(default_factory=dict)


def merge_folders(
    measured: Sequence[Path],
    contributed: Sequence[Path],
    results: Path,
    experiments: Mapping[str, Experiment],
) -> Merged:
    """Take what can be true from every results file below the folders, at whatever depth.

    A file's place says nothing: machine and interpreter are those that it describes. Files add to
    each other, and of a cell that is in two the later measured stays. What is contributed has a
    folder of its own: it never adds to what was measured, nor stands for it.

    Args:
        measured: the folders with what this build's own jobs measured.
        contributed: those with what others sent.
        results: where to put what is taken.
        experiments: what is declared, by name.

    Raises:
        RecordsError: ``results`` cannot be read or written.
    """
    merged = Merged()
    for folder in measured:
        paths, timelines = _list_files(folder, merged)
        for found in check_files(paths, experiments, contributed=False):
            _take(found, results, merged)
        _merge_timelines(timelines, results, merged, {*merged.taken})
    merged.measured = merged.taken.copy()
    for folder in contributed:
        _take_contributed(folder, results, experiments, merged)
    return merged


def _take_contributed(
    folder: Path, results: Path, experiments: Mapping[str, Experiment], merged: Merged
) -> None:
    place, machines = locate_contributed(results), set()
    paths, timelines = _list_files(folder, merged)
    paths = [path for path in paths if not _is_there(path, results)]
    for found in check_files(paths, experiments, contributed=True):
        merged.digests[found.path] = sha256(found.data).hexdigest() if found.data else ""
        if _take(found, place, merged):
            machines.add(found.machine)
    _merge_timelines(timelines, place, merged, machines)


def _is_there(path: Path, results: Path) -> bool:
    """Whether the very same file is in its place already, as all but the new ones of a branch are."""
    if path.is_symlink() or not path.is_file():
        return False
    places = (folder / path.parent.name for folder in (results, locate_contributed(results)))
    known = (place / path.name for place in places)
    return any(one.is_file() and cmp(path, one, shallow=False) for one in known)


def _take(found: CheckedFile, folder: Path, merged: Merged) -> bool:
    """Put what a file holds under a folder of results, or note why not; tells whether it could be."""
    faults = found.faults or _add(found, folder, merged)
    if faults:
        merged.refused[found.path] = faults
    return not faults


def tell(merged: Merged) -> Iterator[str]:
    """What came of a merge, in lines; those of an item begin with two spaces."""
    yield f"Taken: {merged.taken.total()} records of {len(merged.taken)} machines"
    for machine, count in sorted(merged.taken.items()):
        told = f"  - {machine}: {count} records"
        if machine not in merged.measured:
            replaced, equal = merged.replaced[machine], merged.equal[machine]
            told += f" ({count - replaced} new, {replaced} in place of others; {equal} were there)"
        yield told
    taken = {path: one for path, one in merged.digests.items() if path not in merged.refused}
    if taken:
        yield f"Contributed: {len(taken)} files"
        yield from (f"  - {_name(path)}: sha256 {one}" for path, one in taken.items())
    for path, reasons in merged.refused.items():
        yield f"Refused: {_name(path)}"
        yield from (f"  - {reason}" for reason in reasons[:MOST_REASONS])
        if (more := len(reasons) - MOST_REASONS) > 0:
            yield f"  - and {more} more"


def _format(line: str) -> str:
    """A line as Markdown."""
    if line.startswith("#"):
        return f"{line}\n"
    item = line.removeprefix("  - ")
    return f"- {escape(item)}" if item != line else f"\n{escape(line)}\n"


def _name(path: Path) -> str:
    """A path of anybody's making, in a line that holds nothing else."""
    return ascii(str(path))[1:-1]


def _merge_timelines(
    paths: Sequence[Path], results: Path, merged: Merged, machines: Collection[str]
) -> None:
    for path in paths:
        try:
            if (found := read_timeline(path)) and found.machine in machines:
                write_timeline(results, found)
        except RecordsError as error:
            merged.refused[path] = error.faults


def _list_files(folder: Path, merged: Merged) -> tuple[list[Path], list[Path]]:
    """The results files below a folder and the timelines beside them, of each no more than may be."""
    found: tuple[list[Path], list[Path]] = ([], [])
    for path in sorted(_walk(folder)):
        several = found[path.parent.name == TIMELINES]
        if len(several) < MOST_FILES:
            several.append(path)
        else:
            merged.refused[path] = [f"only {MOST_FILES} files are taken from a folder"]
    return found


def _walk(folder: Path) -> Iterator[Path]:
    """Everything below a folder that is no folder; links are not followed."""
    if not folder.is_dir():
        yield folder
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        yield from (Path(place) / name for name in (*links, *files) if name not in _BESIDE)


def _add(found: CheckedFile, folder: Path, merged: Merged) -> Sequence[str]:
    """Keep a file, or put its records beside those of the same interpreter on the same machine.

    Returns:
        Why they cannot be put there, sentences; what is there then is as it was.
    """
    path = locate(folder, found.machine, found.interpreter)
    if not path.exists():
        replace_file(path, found.data)
        merged.taken[found.machine] += found.count
        return ()
    new = understand(found.data, path)
    old = understand(path.read_bytes(), path).records
    cells = {(one.profile, one.variant): one for one in old}
    counts: Counter[str] = Counter()
    for one in new.records:
        known = cells.get((one.profile, one.variant))
        if known and _list_trials(known) == _list_trials(one):
            counts["equal"] += 1
        elif not known or known.measured_at < one.measured_at:
            counts["replaced" if known else "new"] += 1
            cells[one.profile, one.variant] = one
    try:
        write_results(path, replace(new, records=tuple(cells.values())))
    except DamagedRecords as error:
        return error.faults
    merged.taken[found.machine] += counts["new"] + counts["replaced"]
    merged.replaced[found.machine] += counts["replaced"]
    merged.equal[found.machine] += counts["equal"]
    return ()


def _list_trials(record: Record) -> object:
    """What tells whether two records of a cell are the same."""
    return (record.fingerprint, record.status, record.timed, record.traced, record.disturbed)
