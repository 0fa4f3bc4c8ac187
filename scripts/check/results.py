"""Results files against the schema that they claim to keep."""

from collections.abc import Iterator
from pathlib import Path

from scripts.records.store import DamagedRecords, list_files, read_results


def find_bad_results(results: Path) -> Iterator[str]:
    """A line for every results file that cannot be read as one."""
    for path in list_files(results):
        try:
            read_results(path)
        except DamagedRecords as error:
            yield str(error)
