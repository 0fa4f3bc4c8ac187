"""Merge: results files from elsewhere, checked one by one, into the folder of results.

They are data of strangers: a file is taken as a whole or refused with every reason, and nothing of
a refused one goes further.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scripts.check.strange import CheckedFile, check_files
from scripts.declare.experiment import Experiment
from scripts.declare.site import load_declarations
from scripts.records.absent import FILE, find_absent, write_absent
from scripts.records.file import DamagedRecords, RecordsError, locate, understand
from scripts.records.record import Record, Variant
from scripts.records.store import replace_file, write_results
from scripts.records.timeline import FOLDER as TIMELINES
from scripts.records.timeline import read_timeline, write_timeline
from scripts.settings import BadSetting, read_settings
from scripts.summary import add_to_summary, escape

MOST_FILES = 5000
MOST_REASONS = 20
"""Of one file, told; how many more there are is told too."""
_BESIDE = {"README.md", FILE, ".lock", "inputs"}
"""What else stands in a folder of results, or is handed on with one by a job of Publish."""


def run_merge(names: Sequence[str]) -> int:
    """Merge folders into RESULTS, tell what was refused and why; within Actions in the summary too.

    Folders in MEASURED hold what this build's own jobs measured; ``names`` are contributed ones.
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
    merged = merge_folders(measured, contributed, results, load_declarations().experiments)
    if asked := os.environ.get("ASKED"):
        try:
            write_absent(results, find_absent(asked, measured))
        except ValueError as error:
            raise BadSetting(f"ASKED is no matrix of jobs: {error}") from None
    lines = list(tell(merged))
    # A runner takes some lines for commands to it: none of these may be one.
    print(
        "\n".join(lines).replace("##[", "## ["), file=sys.stderr if merged.refused else sys.stdout
    )
    add_to_summary("".join(f"{_format(line)}\n" for line in ["## Records", *lines]))
    if merged.measured and (output := os.environ.get("GITHUB_OUTPUT")):
        ((most, _),) = merged.measured.most_common(1)
        with Path(output).open("a", encoding="utf-8") as file:
            file.write(f"machine={most}\n")
    return 1 if merged.refused else 0


@dataclass(slots=True)
class Merged:
    """What came of a merge: the records taken by machine, and reasons by the file refused.

    ``measured`` are those that this build's own jobs measured; ``notes`` tell what of the taken
    files was left out, and why.
    """

    taken: Counter[str] = field(default_factory=Counter)
    measured: Counter[str] = field(default_factory=Counter)
    refused: dict[Path, Sequence[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def merge_folders(
    measured: Sequence[Path],
    contributed: Sequence[Path],
    results: Path,
    experiments: Mapping[str, Experiment],
) -> Merged:
    """Take what can be true from every results file below the folders, at whatever depth.

    A file's place says nothing: machine and interpreter are those that it describes. Files add to
    each other, and of a cell that is in two the later measured stays. A machine that was measured
    is not taken from a contribution: what others say of it does not stand for it.

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
        _take_folder(folder, results, experiments, merged)
    merged.measured = merged.taken.copy()
    for folder in contributed:
        _take_folder(folder, results, experiments, merged)
    return merged


def _take_folder(
    folder: Path, results: Path, experiments: Mapping[str, Experiment], merged: Merged
) -> None:
    machines = set()
    paths, timelines = _list_files(folder, merged)
    for found in check_files(paths, experiments):
        if found.faults:
            merged.refused[found.path] = found.faults
        elif found.machine in merged.measured:
            told = f"{_name(found.path)}: {found.machine} was measured by this very build"
            merged.notes.append(told)
        elif faults := _add(found, results):
            merged.refused[found.path] = faults
        else:
            merged.taken[found.machine] += found.count
            machines.add(found.machine)
    _merge_timelines(
        [one for one in timelines if one.parent.parent.name in machines], results, merged
    )


def tell(merged: Merged) -> Iterator[str]:
    """What came of a merge, in lines; those of an item begin with two spaces."""
    yield f"Taken: {merged.taken.total()} records of {len(merged.taken)} machines"
    yield from (
        f"  - {machine}: {count} records" for machine, count in sorted(merged.taken.items())
    )
    if merged.notes:
        yield f"Left out: {len(merged.notes)} files"
        yield from (f"  - {note}" for note in merged.notes)
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


def _merge_timelines(paths: Sequence[Path], results: Path, merged: Merged) -> None:
    for path in paths:
        try:
            if found := read_timeline(path):
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


def _add(found: CheckedFile, folder: Path) -> Sequence[str]:
    """Keep a file, or put its records beside those of the same interpreter on the same machine.

    Returns:
        Why they cannot be put there, sentences; what is there then is as it was.
    """
    path = locate(folder, found.machine, found.interpreter)
    if not path.exists():
        replace_file(path, found.data)
        return ()
    new = understand(found.data, path)
    cells: dict[tuple[str, Variant], Record] = {}
    for one in (*understand(path.read_bytes(), path).records, *new.records):
        kept = cells.setdefault((one.profile, one.variant), one)
        cells[one.profile, one.variant] = max(kept, one, key=lambda each: each.measured_at)
    try:
        write_results(path, replace(new, records=tuple(cells.values())))
    except DamagedRecords as error:
        return error.faults
    return ()
