"""History: the medians of earlier builds, a small CSV file each, as the branch ``data`` keeps them.

They are read as data of strangers: a file with a line that cannot be is left out as a whole.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from scripts.harness.experiment import ProfileName
from scripts.harness.machine import Cores, Count, Name, Seconds

MOST = 1e9
"""Of a ratio."""
LARGEST_BYTES = 32 << 20
"""Of a file: a build's is a hundredth of it."""

Plain = Annotated[
    str, Meta(pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$(?!\n)", max_length=200)
]
Ratio = Annotated[float, Meta(ge=1 / MOST, le=MOST)]


class Median(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One program beside its family's baseline, on the most cores and at its largest size.

    ``speedup`` is the baseline's median time divided by this program's, both of one machine and
    one Python, with its interval; ``time_s`` is this program's. ``python`` is what INTERPRETERS
    calls the interpreter.
    """

    date: date
    machine: Name
    cpu_model: Plain
    interpreter: Name
    python: Name
    profile: ProfileName
    experiment: Name
    family: Name
    program: Name
    cores: Cores
    tasks: Count
    speedup: Ratio
    low: Ratio
    high: Ratio
    time_s: Seconds


COLUMNS = Median.__struct_fields__


def is_true(median: Median) -> bool:
    """Whether a speedup is in its interval, and all of it can be told in so many digits."""
    return 1 / MOST <= median.low <= median.speedup <= median.high <= MOST and median.time_s > 0


def format_history(medians: Iterable[Median]) -> str:
    """Medians as CSV, with a head."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(msgspec.structs.astuple(one) for one in medians)
    return buffer.getvalue()


def read_history(folder: Path, warn: Callable[[str], None]) -> list[Median]:
    """The medians of all files of a folder, each once, by date; nothing if there is none.

    ``warn`` is told, in a sentence, which file is left out and why.
    """
    found: dict[Median, None] = {}
    for path in sorted(folder.glob("*.csv")):
        try:
            found |= dict.fromkeys(_parse(_read(path)))
        except (OSError, ValueError, csv.Error) as error:
            reason = "".join(sign if sign.isprintable() else " " for sign in str(error))
            warn(f"left out: {path.name!a}: {reason}")
    return sorted(found, key=lambda one: (one.date, one.machine, one.interpreter))


def _read(path: Path) -> str:
    if path.is_symlink() or path.stat().st_size > LARGEST_BYTES:
        raise ValueError(f"a link, or larger than {LARGEST_BYTES >> 20} MiB")
    return path.read_text(encoding="utf-8")


def _parse(text: str) -> Iterator[Median]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise ValueError(f"its columns are not {', '.join(COLUMNS)}")
    rows: Sequence[dict[str, str]] = list(reader)
    for number, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise ValueError(f"line {number} has not as many columns as the head")
        try:
            median = msgspec.convert(row, Median, strict=False)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if not is_true(median):
            raise ValueError(f"line {number}: the speedup is outside of its interval")
        yield median
