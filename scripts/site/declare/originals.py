"""Originals: the figures that an article printed, from ``originals.csv`` of an experiment.

A row is a program on one of the article's machines; figures are as their authors printed them.
"""

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from scripts.harness.declaration import MalformedDeclaration, is_there, read_text
from scripts.site.declare.texts import find_unworded

Original = Mapping[str, str]
"""A row by column; a cell is empty where the article says nothing."""

FACTS = ("machine", "cores", "os", "python")
"""Columns that tell of a machine, the same in each of its rows."""
LEADING = ("program", *FACTS)
TRIALS = "trials_s"
"""A column with several figures in a cell, with spaces between them."""
TIMES = ("wall_s", "inside_s")
"""Columns with the time of a program, of which there is one: of the process, or what it printed."""
_NEEDED = ("program", "machine", "cores")
_FIGURE = re.compile(r"~?[0-9]{1,9}(?:[.,][0-9]{1,9})?%?|[0-9]{1,3}(?:\s[0-9]{3}){1,2}")
_COUNT = re.compile(r"[1-9][0-9]{0,5}")


def load_originals(folder: Path, programs: Collection[str]) -> tuple[Original, ...]:
    """The article's rows; none if the experiment has no such file."""
    path = folder / "originals.csv"
    if not is_there(path):
        return ()
    reader = csv.DictReader(read_text(path).splitlines(keepends=True), strict=True)
    rows: list[Original] = []
    try:
        for row in reader:
            if problem := _find_problem(row, programs):
                raise MalformedDeclaration(f"{path}:{reader.line_num}: {problem}")
            rows.append(row)
    except csv.Error as error:
        raise MalformedDeclaration(f"{path}:{reader.line_num}: {error}") from None
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


def _find_problem(row: Original, programs: Collection[str]) -> str:
    """Find what of a row cannot be shown; empty if nothing."""
    if None in (*row, *row.values()):
        return "another number of cells than of columns"
    if lacking := [name for name in _NEEDED if name not in row]:
        return f"no column {lacking[0]!r}"
    if sum(name in row for name in TIMES) != 1:
        return f"one column of {' and '.join(map(repr, TIMES))}"
    if row["program"].removesuffix(".py") not in programs:
        return f"program: no such program {row['program']!r}"
    for name in ("cores", "workers"):
        if (name == "cores" or row.get(name)) and not _COUNT.fullmatch(row[name]):
            return f"{name}: {row[name]!r} is no number of {name}"
    for name, cell in row.items():
        if name not in LEADING and (problem := find_unworded("original", name)):
            return problem
        if name in (*LEADING, "workers"):
            continue
        if name == "mark":
            problem = find_unworded("mark", cell) if cell else ""
        else:
            figures = cell.split() if name == TRIALS else filter(None, [cell])
            bad = [figure for figure in figures if read_figure(figure) is None]
            problem = f"{bad[0]!r} is no figure" if bad else ""
        if problem:
            return f"{name}: {problem}"
    return ""
