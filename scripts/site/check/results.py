"""Results files against their schema, the rules of records, and what is declared."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scripts.harness.experiment import Experiment
from scripts.harness.fingerprint import take_fingerprint
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record
from scripts.harness.store import RecordsError, list_files, locate_contributed, read_results
from scripts.harness.timeline import list_timelines, read_timeline
from scripts.site.judge.noise import find_too_short


def find_bad_results(results: Path, experiments: Mapping[str, Experiment]) -> Iterator[str]:
    """Find everything in results files and timelines that cannot be, or cannot be read."""
    for folder in (results, locate_contributed(results)):
        for path in list_files(folder):
            try:
                found = read_results(path)
            except RecordsError as error:
                yield from error.faults
            else:
                if found:
                    for fault in find_untrue(found.records, found.interpreter, experiments):
                        yield f"{path}: {fault}"
        for path in list_timelines(folder):
            try:
                read_timeline(path)
            except RecordsError as error:
                yield from error.faults


def find_untrue(
    rows: Sequence[Record], interpreter: Interpreter, experiments: Mapping[str, Experiment]
) -> Iterator[str]:
    """Find what of a file's rows cannot be, by what is declared; a sentence each."""
    names = dict.fromkeys(row.experiment for row in rows)
    for name in names if experiments else ():  # there are none if a declaration is wrong
        if name not in experiments:
            yield f"no experiment {name!r} is declared"
    for row in rows:
        if fault := find_too_short(experiments, row):
            yield fault
        if fault := find_other_result(experiments, row, interpreter):
            yield fault


def find_other_result(
    experiments: Mapping[str, Experiment], row: Record, interpreter: Interpreter
) -> str:
    """Say how a program as it is now printed another result than it must; empty if it did not."""
    experiment = experiments.get(row.experiment)
    if not experiment or row.profile not in experiment.profiles or not row.wall_s:
        return ""
    expected = experiment.profiles[row.profile].find_result(row.family, row.tasks)
    if expected is None:
        return ""
    expected = expected.replace("{tasks}", str(row.tasks)).strip()
    if row.printed == expected or not is_current(row, interpreter, experiments):
        return ""
    return f"{row.variant} printed {row.printed[:100]!a}, but its result is {expected[:100]!a}"


def is_current(
    row: Record, interpreter: Interpreter, experiments: Mapping[str, Experiment]
) -> bool:
    """Tell whether a row is of a declared program as it is now."""
    experiment = experiments.get(row.experiment)
    if not experiment or row.profile not in experiment.profiles:
        return False
    if (row.program, row.family) not in {
        (one.name, family) for one in experiment.programs for family in one.families
    }:
        return False
    variant = row.variant
    return row.fingerprint == take_fingerprint(experiment, variant, row.profile, interpreter)
