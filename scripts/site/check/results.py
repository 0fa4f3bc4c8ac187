"""Results files against the schema that they claim to keep, the rules, and what is declared."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scripts.harness.experiment import Experiment
from scripts.harness.fingerprint import take_fingerprint
from scripts.harness.pythons import Interpreter
from scripts.harness.row import ResultsFile, Row, read_row
from scripts.harness.store import (
    LARGEST_BYTES,
    RecordsError,
    check_file,
    list_files,
    locate_contributed,
    read_file,
)
from scripts.harness.timeline import list_timelines, read_timeline
from scripts.site.judge.noise import find_too_short


def find_bad_results(results: Path, experiments: Mapping[str, Experiment]) -> Iterator[str]:
    """A line for everything in every results file that cannot be, or why one cannot be read."""
    for path in (*list_files(results), *list_files(locate_contributed(results))):
        try:
            found = _read(path)
        except RecordsError as error:
            yield from error.faults
        else:
            untrue = find_untrue(found.rows, found.interpreter, experiments) if found else ()
            yield from (f"{path}: {fault}" for fault in untrue)
    for path in (*list_timelines(results), *list_timelines(locate_contributed(results))):
        try:
            read_timeline(path)
        except RecordsError as error:
            yield from error.faults


def _read(path: Path) -> ResultsFile | None:
    return read_file(path, LARGEST_BYTES, lambda _: check_file(path.read_bytes(), path))


def find_untrue(
    rows: Sequence[Row], interpreter: Interpreter, experiments: Mapping[str, Experiment]
) -> Iterator[str]:
    """What of the rows of a results file cannot be, by what is declared, a sentence each."""
    names = dict.fromkeys(row.experiment for row in rows)
    for name in names if experiments else ():  # there are none if a declaration is wrong
        if name not in experiments:
            yield f"no experiment {name!r} is declared"
    for row in rows:
        if fault := find_too_short(experiments, row, row.profile, row.wall_s):
            yield fault
        if fault := find_other_result(experiments, row, interpreter):
            yield fault


def find_other_result(
    experiments: Mapping[str, Experiment], row: Row, interpreter: Interpreter
) -> str:
    """How a row of a program as it is now printed another result than it must; else empty."""
    experiment = experiments.get(row.experiment)
    if not experiment or row.profile not in experiment.profiles or not row.wall_s:
        return ""
    expected = experiment.profiles[row.profile].results.get(row.family)
    if expected is None:
        return ""
    expected = expected.replace("{tasks}", str(row.tasks)).strip()
    if row.printed == expected:
        return ""
    declared = {(one.name, family) for one in experiment.programs for family in one.families}
    if (row.program, row.family) not in declared or row.fingerprint != take_fingerprint(
        experiment, read_row(row).variant, row.profile, interpreter
    ):
        return ""
    cell = f"{row.experiment}/{row.program} ({row.tasks} tasks, {row.cores} cores)"
    return f"{cell} printed {row.printed[:100]!a}, but its result is {expected[:100]!a}"
