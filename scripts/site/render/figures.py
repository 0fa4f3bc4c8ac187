"""Figures: what is known of a picture besides how it looks: its numbers, its claim, where they come from.

Blocks are kept as HTML, so this travels in the figure's HTML as a comment, until the page is written and
each figure becomes files beside it.
"""

import base64
import csv
import io
import re
import zlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from markupsafe import Markup

from poolwise.record import Record
from poolwise.statistics import Estimate
from poolwise.watch import WAITING
from scripts.site.study.timeline import Timeline

HEAD = "series,label,x,value,low,high,unit,metric"
PLACE_COLUMNS = ("program", "interpreter", "machine", "cores", "workers", "tasks")
Cell = tuple[str, ...]  # as in these columns
SPANS = "program,lane,process,thread,task,begin_us,end_us,state,core"
LICENSE = "CC-BY-4.0"
LONGEST_ID = 150
_NOTE = re.compile(r"<!--figure ([\w+/=]+)-->")


class Figure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A figure without its picture.

    ``numbers`` is its CSV file. ``measured`` is the line under a picture that stands alone, in the page's
    language: the machine, the Python and the date.
    """

    claim: str = ""
    unit: str = ""
    numbers: str = ""
    experiment: str = ""
    families: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()
    measured_at: str = ""
    measured: str = ""


class Number(NamedTuple):
    """A number of a chart: whose it is, how it is written, where it stands, and what it is of."""

    series: str
    label: str
    x: float
    value: Estimate
    metric: str
    record: Record | None


def hide_note(figure: Figure) -> Markup:
    """Write a figure as a comment of HTML."""
    packed = base64.b64encode(zlib.compress(msgspec.json.encode(figure)))
    return Markup("<!--figure {}-->").format(packed.decode())


def read_note(content: str) -> Figure | None:
    """Read the first figure that is noted in some HTML; ``None`` if there is none."""
    note = _NOTE.search(content)
    if note is None:
        return None
    return msgspec.json.decode(zlib.decompress(base64.b64decode(note[1])), type=Figure)


def list_drawn(content: str) -> set[Cell]:
    """List the cells that the charts of some HTML draw, as their CSV files name them."""
    cells: set[Cell] = set()
    for note in _NOTE.finditer(content):
        if figure := read_note(note[0]):
            for line in csv.DictReader(io.StringIO(figure.numbers)):
                cells.add(tuple(line[name] for name in PLACE_COLUMNS))
    return cells


def name_cell(record: Record) -> Cell:
    """Name the cell that a record is of, as CSV files do."""
    return tuple(str(getattr(record.variant, name)) for name in PLACE_COLUMNS)


def drop_notes(content: str) -> str:
    """Return HTML without its notes."""
    return _NOTE.sub("", content)


def name_unit(metric: str) -> str:
    """Name the unit of what is drawn of a metric, whose name ends with it; nothing of a plain number."""
    units = {"s": "s", "bytes": "MiB"}  # an axis has mebibytes
    return units.get(metric.rpartition("_")[2], "")


def write_numbers(numbers: Iterable[Number]) -> str:
    """Write the numbers of a chart as CSV, each with the cell that it is of."""
    lines: list[Sequence[object]] = []
    for series, label, x, value, metric, record in numbers:
        is_open = value.is_point or value.is_unknown
        values = (x, value.median, "" if is_open else value.low, "" if is_open else value.high)
        cell = name_cell(record) if record else ("",) * len(PLACE_COLUMNS)
        unit = name_unit(metric)
        lines.append([series, label, *map(_shorten, values), unit, metric, *cell])
    return _write(",".join((HEAD, *PLACE_COLUMNS)), lines)


def write_spans(runs: Iterable[tuple[Timeline, int]]) -> str:
    """Write when each lane of timelines ran or waited, in microseconds since the work began, as CSV.

    With each is when that was.
    """
    lines: list[Sequence[object]] = []
    for timeline, zero_us in runs:
        for number, lane in enumerate(timeline.lanes, 1):
            head = (timeline.program, number, lane.process, lane.thread, lane.task or "")
            for begin_us, end_us, core in lane.spans:
                times = (begin_us - zero_us, end_us - zero_us)
                state = ("waiting", "") if core == WAITING else ("running", core)
                lines.append((*head, *times, *state))
    return _write(SPANS, lines)


def _shorten(number: float | str) -> str:
    return f"{number:.6g}" if isinstance(number, float) else str(number)


def _write(head: str, lines: Iterable[Sequence[object]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(lines)
    return f"{head}\n{buffer.getvalue()}"
