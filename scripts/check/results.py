"""Results files against the schema that they claim to keep, the rules, and what is declared."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts.declare.experiment import Experiment
from scripts.judge.floors import find_too_short
from scripts.records.file import DamagedRecords, RecordsError
from scripts.records.store import list_files, read_results


def find_bad_results(results: Path, experiments: Mapping[str, Experiment]) -> Iterator[str]:
    """A line for everything in every results file that cannot be, or why one cannot be read."""
    for path in list_files(results):
        try:
            found = read_results(path)
        except DamagedRecords as error:
            yield from error.faults
        except RecordsError as error:
            yield str(error)
        else:
            records = found.records if found else ()
            names = dict.fromkeys(record.variant.experiment for record in records)
            for name in names if experiments else ():  # there are none if a declaration is wrong
                if name not in experiments:
                    yield f"{path}: no experiment {name!r} is declared"
            faults = (find_too_short(experiments, record) for record in records)
            yield from (f"{path}: {fault}" for fault in faults if fault)
