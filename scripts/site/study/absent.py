"""Absent: the columns that a build asked runners for and did not get, told beside the results."""

from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from scripts.harness.machine import Line, Name
from scripts.harness.store import LARGEST_BYTES, DamagedRecords, read_file, replace_file

FILE = "absent.json"  # in the folder of results
MOST_COLUMNS = 1000


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The experiments that one job measures: what they are called together, and their ``ONLY``."""

    name: Name
    only: Line


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One job's task: a part of the experiments with a Python on a runner.

    Where one job has several Pythons, to compare them, there is a ``+`` between.
    """

    runner: Name
    python: Name
    part: Part

    @property
    def artifact(self) -> str:
        """The name under which the job hands over its records."""
        return f"records-{self.runner}-{self.python}-{self.part.name}"


class _Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The matrix of the jobs: every combination, and those that it includes."""

    runner: list[Name]
    python: list[Name]
    part: list[Part]
    include: list[Column] = []


_Columns = Annotated[list[Column], Meta(max_length=MOST_COLUMNS)]


def find_absent(asked: str, folders: Iterable[Path]) -> list[Column]:
    """Find the columns of which no folder has records.

    Args:
        asked: the matrix of the jobs as JSON: ``runner``, ``python``, ``part``, ``include``, lists.
        folders: where the records of each column would be, in a folder named after its artifact.

    Raises:
        ValueError: ``asked`` is no such matrix.
    """
    matrix = msgspec.json.decode(asked, type=_Matrix)
    columns = [Column(*each) for each in product(matrix.runner, matrix.python, matrix.part)]
    columns += matrix.include
    given = set()
    for folder in folders:
        given |= {path.parents[1].name for path in folder.glob("records-*/*/*.json")}
    return [one for one in columns if one.artifact not in given]


def write_absent(results: Path, columns: Sequence[Column]) -> None:
    """Keep in the folder of results which columns have no records there.

    Raises:
        RecordsError: the note cannot be written.
    """
    text = msgspec.json.format(msgspec.json.encode(columns), indent=1)
    replace_file(results / FILE, text + b"\n")


def read_absent(results: Path) -> list[Column]:
    """Read the note; no columns if there is none.

    Raises:
        DamagedRecords: the note is damaged.
        RecordsError: it cannot be read, or is no file.
    """
    path = results / FILE
    data = read_file(path, LARGEST_BYTES, lambda _: path.read_bytes())
    if data is None:
        return []
    try:
        found: list[Column] = msgspec.json.decode(data, type=_Columns)
    except ValueError as error:
        raise DamagedRecords(f"{path}: {error}") from None
    return found
