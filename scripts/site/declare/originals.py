"""Originals: the figures that an article printed, from ``originals.csv`` of an experiment.

A row is a program on one of the article's machines; figures are as their authors printed them.
"""

import csv
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from scripts.harness.declaration import MalformedDeclaration, find_unseen, is_there, read_text
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
    """The article's rows; none if the experiment has no such file.

    Raises:
        MalformedDeclaration: something in the file is wrong; names file, line and column.
    """
    path = folder / "originals.csv"
    if not is_there(path):
        return ()
    rows: list[Original] = []
    for line, problem, row in _check_rows(_read_lines(path), programs):
        if problem:
            raise MalformedDeclaration(f"{path}:{line}: {problem}")
        rows.append(row)
    return tuple(rows)


def read_figure(printed: str) -> float | None:
    """A number as an article prints it: ``29 456``, ``8%``, ``1,75``, ``~17``; ``None`` for none."""
    if not _FIGURE.fullmatch(printed):
        return None
    return float("".join(printed.split()).strip("~%").replace(",", "."))


def find_time(row: Original) -> str:
    """The metric that the article's times are of."""
    return next(name for name in TIMES if name in row)


def find_closest(originals: Sequence[Mapping[str, str]], cores: int) -> list[Mapping[str, str]]:
    """The rows of the article's machine whose core count is closest, by ratio, to ``cores``."""

    def distance(row: Mapping[str, str]) -> float:
        theirs = int(row["cores"])
        return max(theirs / cores, cores / theirs)

    nearest = min(originals, key=distance)
    return [row for row in originals if row["machine"] == nearest["machine"]]


def _read_lines(path: Path) -> list[tuple[int, list[str]]]:
    """The rows that are not blank, each with the line on which it ends."""
    reader = csv.reader(read_text(path).splitlines(keepends=True), strict=True)
    try:
        return [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise MalformedDeclaration(f"{path}:{reader.line_num}: {error}") from None


def _check_rows(
    lines: Sequence[tuple[int, list[str]]], programs: Collection[str]
) -> Iterator[tuple[int, str, Original]]:
    """Each row with its line, and what is wrong with it, if anything."""
    (first, header), *rest = lines or [(1, [])]
    if problem := _find_header_problem(header) or ("" if rest else "no rows"):
        yield first, problem, {}
        return
    machines: dict[str, list[str]] = {}
    seen: set[tuple[str, ...]] = set()
    for line, cells in rest:
        if len(cells) != len(header):
            yield line, f"{len(cells)} cells for {len(header)} columns", {}
            return
        row = dict(zip(header, cells, strict=True))
        key = (row["machine"], row["program"].removesuffix(".py"), row.get("workers", ""))
        problem = _find_cell_problem(row, programs)
        if not problem and key in seen:
            problem = f"program: {row['program']!r} stands here twice for {row['machine']!r}"
        facts = [row.get(name, "") for name in FACTS]
        if not problem and facts != machines.setdefault(row["machine"], facts):
            problem = f"machine: {row['machine']!r} has other cores, os or python above"
        if not problem and row["machine"] != list(machines)[-1]:
            problem = f"machine: the rows of {row['machine']!r} do not stand together"
        seen.add(key)
        yield line, problem, row


def _find_header_problem(header: Sequence[str]) -> str:
    for name in _NEEDED:
        if name not in header:
            return f"no column {name!r}"
    if sum(name in header for name in TIMES) != 1:
        return f"one column of {' and '.join(map(repr, TIMES))}"
    if len(set(header)) < len(header):
        return "a column stands here twice"
    for name in header:
        if name not in LEADING and (problem := find_unworded("original", name)):
            return problem
    return ""


def _find_cell_problem(row: Original, programs: Collection[str]) -> str:
    for name, cell in row.items():
        if problem := find_unseen(cell):
            return f"{name}: {problem}"
    if row["program"].removesuffix(".py") not in programs:
        return f"program: no such program {row['program']!r}"
    if not row["machine"].strip():
        return "machine: empty"
    for name in ("cores", "workers"):
        if (name == "cores" or row.get(name)) and not _COUNT.fullmatch(row[name]):
            return f"{name}: {row[name]!r} is no number of {name}"
    if row.get("mark") and (problem := find_unworded("mark", row["mark"])):
        return f"mark: {problem}"
    for name in (name for name in row if name not in (*LEADING, "workers", "mark")):
        figures = row[name].split() if name == TRIALS else [row[name]]
        for figure in filter(None, figures):
            if read_figure(figure) is None:
                return f"{name}: {figure!r} is no figure"
    return ""
