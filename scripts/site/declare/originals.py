"""Originals: the figures that an article printed, from ``originals.csv`` of an experiment.

A row is a program on one of the article's machines; figures are as their authors printed them.
"""

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from scripts.harness.declaration import MalformedDeclaration, read_text

Original = Mapping[str, str]
"""A row by column; a cell is empty where the article says nothing."""

FACTS = ("machine", "cores", "os", "python")
"""Columns that tell of a machine, the same in each of its rows."""
LEADING = ("program", *FACTS)
TRIALS = "trials_s"
"""A column with several figures in a cell, with spaces between them."""
TIMES = ("wall_s", "inside_s")
"""Columns with the time of a program, of which there is one: of the process, or what it printed."""
_FIGURE = re.compile(r"~?[0-9]{1,9}(?:[.,][0-9]{1,9})?%?|[0-9]{1,3}(?:\s[0-9]{3}){1,2}")


def load_originals(folder: Path, programs: Collection[str]) -> tuple[Original, ...]:
    """The article's rows; none if the experiment has no such file."""
    path = folder / "originals.csv"
    if not path.exists():
        return ()
    rows: list[Original] = []
    for number, row in enumerate(csv.DictReader(read_text(path).splitlines()), start=2):
        if None in (*row, *row.values()):
            raise MalformedDeclaration(f"{path}:{number}: another number of cells than of columns")
        if (program := row["program"].removesuffix(".py")) not in programs:
            raise MalformedDeclaration(f"{path}:{number}: program: no such program {program!r}")
        rows.append(row)
    if not rows:
        raise MalformedDeclaration(f"{path}: no rows")
    return tuple(rows)


def read_figure(printed: str) -> float | None:
    """A number as an article prints it: ``29 456``, ``8%``, ``1,75``, ``~17``; ``None`` for none."""
    if not _FIGURE.fullmatch(printed):
        return None
    return float("".join(printed.split()).strip("~%").replace(",", "."))


def find_time(row: Original) -> str:
    """The metric that the article's times are of."""
    return next(name for name in TIMES if name in row)


def find_closest(originals: Sequence[Original], cores: int) -> list[Original]:
    """The rows of the article's machine whose core count is closest, by ratio, to ``cores``."""
    ratios = [max(cores, int(row["cores"])) / min(cores, int(row["cores"])) for row in originals]
    nearest = originals[ratios.index(min(ratios))]["machine"]
    return [row for row in originals if row["machine"] == nearest]
