"""Results files against the schema that they claim to keep, the rules, and what is declared."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts.declare.experiment import Experiment
from scripts.host.interpreters import Interpreter
from scripts.judge.floors import find_too_short
from scripts.records.file import RecordsError, Results
from scripts.records.fingerprint import take_fingerprint
from scripts.records.record import Record
from scripts.records.store import list_files, read_results
from scripts.records.timeline import list_timelines, read_timeline


def find_bad_results(results: Path, experiments: Mapping[str, Experiment]) -> Iterator[str]:
    """A line for everything in every results file that cannot be, or why one cannot be read."""
    for path in list_files(results):
        try:
            found = read_results(path)
        except RecordsError as error:
            yield from error.faults
        else:
            yield from (f"{path}: {fault}" for fault in find_untrue(found, experiments))
    for path in list_timelines(results):
        try:
            read_timeline(path)
        except RecordsError as error:
            yield from error.faults


def find_untrue(found: Results | None, experiments: Mapping[str, Experiment]) -> Iterator[str]:
    """What of results cannot be, by what is declared, a sentence each."""
    records = found.records if found else ()
    names = dict.fromkeys(record.variant.experiment for record in records)
    for name in names if experiments else ():  # there are none if a declaration is wrong
        if name not in experiments:
            yield f"no experiment {name!r} is declared"
    for record in records:
        if fault := find_too_short(experiments, record):
            yield fault
        if found and (fault := find_other_result(experiments, record, found.interpreter)):
            yield fault


def find_other_result(
    experiments: Mapping[str, Experiment], record: Record, interpreter: Interpreter
) -> str:
    """How a record of a program as it is now printed another result than it must; else empty."""
    variant = record.variant
    experiment = experiments.get(variant.experiment)
    if not experiment or record.profile not in experiment.profiles or not record.timed:
        return ""
    expected = experiment.profiles[record.profile].results.get(variant.family)
    if expected is None:
        return ""
    expected = expected.replace("{tasks}", str(variant.tasks)).strip()
    if record.printed == expected:
        return ""
    declared = {(one.name, family) for one in experiment.programs for family in one.families}
    if (variant.program, variant.family) not in declared or record.fingerprint != take_fingerprint(
        experiment, variant, record.profile, interpreter
    ):
        return ""
    cell = f"{variant.experiment}/{variant.program} ({variant.tasks} tasks, {variant.cores} cores)"
    return f"{cell} printed {record.printed[:100]!a}, but its result is {expected[:100]!a}"
