"""Merge: results files from elsewhere, checked one by one, into the folder of results.

They are data of strangers: a file is taken as a whole or refused with every reason, and nothing of
a refused one goes further.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from filecmp import cmp
from pathlib import Path

from msgspec import structs

from scripts.harness.experiment import Experiment
from scripts.harness.output import add_to_summary, defuse
from scripts.harness.record import Results
from scripts.harness.store import (
    LARGEST_BYTES,
    DamagedRecords,
    RecordsError,
    check_file,
    locate,
    locate_contributed,
    read_file,
    write_results,
)
from scripts.harness.timeline import FOLDER as TIMELINES
from scripts.harness.timeline import read_timeline, write_timeline
from scripts.site.check.results import find_doubtful, find_untrue
from scripts.site.declare.declarations import load_declarations
from scripts.site.settings import BadSetting, read_settings

MOST_REASONS = 20  # that a file is refused for; the number of the rest is told too
# What else is in a folder of results, or handed on with one by a job of Publish.
_OTHER_NAMES = {"README.md", ".lock", "inputs"}


def run_merge(names: Sequence[str]) -> int:
    """Merge folders into RESULTS; tell what was refused and why, within Actions in the summary too.

    Folders in MEASURED hold what this build's own jobs measured; ``names`` are contributed ones.

    Returns:
        The exit status: 1 if a file was refused; what could be taken is taken nevertheless.

    Raises:
        BadSetting: RESULTS is one of the folders to take from, or there are none.
    """
    results = read_settings(os.environ).results
    measured = [Path(name) for name in os.environ.get("MEASURED", "").split()]
    contributed = [Path(name) for name in names]
    if not measured and not contributed:
        raise BadSetting('There is nothing to merge: make merge FROM="folders" names where it is.')
    if results.resolve() in (folder.resolve() for folder in (*measured, *contributed)):
        raise BadSetting(f"RESULTS={results} cannot be merged into itself: name another folder.")
    experiments = load_declarations().experiments
    merged = merge_folders(measured, contributed, results, experiments)
    lines = list(tell(merged))
    print(defuse("\n".join(lines)), file=sys.stderr if merged.refused else sys.stdout)
    add_to_summary("Records", lines)
    if merged.measured and (output := os.environ.get("GITHUB_OUTPUT")):
        machine = merged.measured.most_common(1)[0][0]
        with Path(output).open("a", encoding="utf-8") as file:
            file.write(f"machine={machine}\n")
    return 1 if merged.refused else 0


@dataclass(slots=True)
class Merged:
    """The outcome of a merge: numbers of records taken by machine, and the reasons by refused file.

    ``measured`` are those that this build's own jobs measured.
    """

    measured: Counter[str] = field(default_factory=Counter)
    contributed: Counter[str] = field(default_factory=Counter)
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
    """
    merged = Merged()
    for folder in (*measured, *contributed):
        is_sent = folder not in measured
        place = locate_contributed(results) if is_sent else results
        taken = merged.contributed if is_sent else merged.measured
        # Timelines come last: those of a machine whose records were taken are.
        for path in sorted(_list_files(folder), key=_is_timeline):
            try:
                if not _is_timeline(path):
                    if not (is_sent and _is_there(path, results)):
                        found = inspect_file(path, experiments, contributed=is_sent)
                        taken[found.machine.id] += _add(found, place)
                elif not is_sent:  # no page shows whom strangers watched
                    timeline = read_timeline(path)
                    if timeline and timeline.machine in taken:
                        write_timeline(place, timeline)
            except RecordsError as error:
                merged.refused[path] = error.faults
    return merged


def inspect_file(
    path: Path, experiments: Mapping[str, Experiment], *, contributed: bool
) -> Results:
    """Read and check a results file; ``contributed`` ones keep more rules than a build's own."""
    data = read_file(path, LARGEST_BYTES, lambda _: path.read_bytes())
    if data is None:
        raise DamagedRecords(f"{path}: there is no such file or folder")
    if path.suffix != ".json":
        raise DamagedRecords("not a .json file; what is packed has to be unpacked first")
    found = check_file(data, Path(path.name), placed=False)
    faults = []
    if contributed and not found.machine.has_own_id:
        faults.append(f"the machine {found.machine.id} is not what it says of itself")
    find = find_doubtful if contributed else find_untrue
    faults += find(found.records, found.interpreter, experiments)
    for row in found.records:  # where every run takes something, and pages form ratios
        for name in ("inside_s", "cpu_s", "max_rss_bytes", "peak_pss_bytes"):
            if 0 in row.list_values(name):
                faults.append(f"{row.variant}: {name} is zero")
    if faults:
        raise DamagedRecords(*faults)
    return found


def tell(merged: Merged) -> Iterator[str]:
    """Tell the outcome of a merge in lines."""
    total = merged.measured + merged.contributed
    yield f"Taken: {total.total()} records of {len(merged.measured | merged.contributed)} machines"
    for machine, count in sorted(merged.measured.items()):
        yield f"  - {machine}: {count} records"
    for machine, count in sorted(merged.contributed.items()):
        yield f"  - {machine}: {count} records, contributed"
    for path, reasons in merged.refused.items():
        yield f"Refused: {ascii(str(path))[1:-1]}"  # of anybody's making; it ends no line
        yield from (f"  - {one}" for one in reasons[:MOST_REASONS])
        if len(reasons) > MOST_REASONS:
            yield f"  - and {len(reasons) - MOST_REASONS} more"


def _list_files(folder: Path) -> list[Path]:
    """List the files below a folder, and links, which are not followed; else what is in its place."""
    if not folder.is_dir():
        return [folder]
    found = (path for path in sorted(folder.rglob("*")) if path.is_symlink() or path.is_file())
    return [path for path in found if path.name not in _OTHER_NAMES]


def _is_timeline(path: Path) -> bool:
    return path.parent.name == TIMELINES


def _is_there(path: Path, results: Path) -> bool:
    """Tell whether the very same file is in its place already, as most of a branch's are."""
    if path.is_symlink() or not path.is_file():
        return False
    for folder in (results, locate_contributed(results)):
        known = folder / path.parent.name / path.name
        if known.is_file() and cmp(path, known, shallow=False):
            return True
    return False


def _add(found: Results, folder: Path) -> int:
    """Keep a file, or put its records beside those of the same interpreter on the same machine.

    Returns:
        The number of records that were not there.
    """
    path = locate(folder, found.machine.id, found.interpreter.id)
    if not path.exists():
        write_results(path, found)
        return len(found.records)
    old = check_file(path.read_bytes(), path).records
    cells = {(one.profile, one.variant): one for one in old}
    taken = 0
    for one in found.records:
        known = cells.get((one.profile, one.variant))
        if known is None or known.measured_at < one.measured_at:
            cells[one.profile, one.variant] = one
            taken += 1
    write_results(path, structs.replace(found, records=tuple(cells.values())))
    return taken
