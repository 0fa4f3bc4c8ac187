"""Timelines: when each thread of a program ran, in a file a program beside the records.

``results/<machine>/timelines/<experiment>-<program>.json``, written here or by a job of *Publish*;
strangers send none. ``Timeline`` says what its fields are. Times are whole microseconds since the
program was started, so that two readers cannot differ in them.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from scripts.harness.experiment import ProfileName, StartMethod
from scripts.harness.machine import Cores, Count, Name
from scripts.harness.store import DamagedRecords, read_file, replace_file

FOLDER = "timelines"
MOST_LANES = 64
MOST_SPANS = 2000
"""Spans of all lanes of a file together."""
CELLS = 120
"""In so many equal parts of the time it is told how many ran at once."""
WAITING = 0
"""In the place of a span's core: the thread was ready, but had none."""
LARGEST_BYTES = 256 << 10

Micros = Annotated[int, Meta(ge=0, le=3_600_000_000)]
Number = Annotated[int, Meta(ge=0, le=10_000_000)]
Span = tuple[Micros, Micros, Annotated[int, Meta(ge=0, le=8192)]]
"""From when to when, and on which core: 1 for the first that the program was given, or ``WAITING``."""
Label = Annotated[str, Meta(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$(?!\n)", max_length=60)]


class Lane(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thread, or one task inside a thread if ``task`` is its number; both count from 1.

    ``name`` is the function that a task runs. Between its spans a lane slept: waited for its turn
    in the interpreter, for time to pass, or for something outside.
    """

    process: Count
    thread: Number
    task: Number = 0
    name: Label = ""
    begin_us: Micros
    end_us: Micros
    running_us: Micros
    waiting_us: Micros
    spans: Annotated[list[Span], Meta(max_length=MOST_SPANS)]


class Timeline(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One watched run of a program.

    Of the ``wall_us`` the work began at ``work_us``, after the start and the imports: at 0 where the
    program has no ``main`` that says so. ``cpu_us`` is what the
    system counted of the whole tree, ``seen_us`` what was seen of it.
    ``threads`` and ``processes`` were seen; ``unseen`` is how many more were started meanwhile,
    on the whole machine, at most. ``gave_way`` and ``taken`` count the switches that the program's
    threads made themselves and that they were made to. ``longest_us`` is the longest run of a
    thread, ``lag_us`` how late an event loop ran at the most, ``interval_us`` how far looks were
    apart on average. ``busy`` says for equal parts of the time how many threads ran at once, in
    thousandths. Of ``lanes`` there are no more than ``MOST_LANES``: those that ran longest.
    """

    schema: Literal[1] = 1
    experiment: Name
    program: Name
    family: Name
    machine: Name
    interpreter: Name
    start_method: StartMethod | None
    cores: Cores
    workers: Count
    tasks: Count
    profile: ProfileName
    fingerprint: Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$(?!\n)")]
    measured_at: Annotated[datetime, Meta(tz=True)]
    wall_us: Annotated[int, Meta(ge=1, le=3_600_000_000)]
    work_us: Micros
    cpu_us: Micros
    seen_us: Micros
    interval_us: Micros
    processes: Number
    threads: Number
    unseen: Number
    gave_way: Annotated[int, Meta(ge=0, le=1 << 40)]
    taken: Annotated[int, Meta(ge=0, le=1 << 40)]
    longest_us: Micros
    lag_us: Micros | None = None
    busy: Annotated[list[Annotated[int, Meta(ge=0, le=8_192_000)]], Meta(max_length=CELLS)]
    lanes: Annotated[list[Lane], Meta(max_length=2 * MOST_LANES)]

    @property
    def coverage(self) -> float:
        """The share of the CPU time that was seen, at most 1."""
        return min(1.0, self.seen_us / self.cpu_us) if self.cpu_us else 1.0


def split_runs(spans: Iterable[Span], wall_us: int, cells: int) -> Iterator[tuple[int, float]]:
    """Split each span on a core into its parts in equal cells of the time: cell, and microseconds in it."""
    for begin, end, core in spans:
        for cell in range(begin * cells // wall_us, min(end * cells // wall_us + 1, cells)):
            inside_us = min(end, wall_us * (cell + 1) / cells) - max(begin, wall_us * cell / cells)
            if core != WAITING and inside_us > 0:
                yield cell, inside_us


def locate_timeline(results: Path, machine: str, experiment: str, program: str) -> Path:
    """Where the timeline of a program is kept."""
    return results / machine / FOLDER / f"{experiment}-{program}.json"


def list_timelines(results: Path, machine: str = "") -> list[Path]:
    """The files of a machine's timelines, by default of all."""
    return [
        path
        for path in sorted(results.glob(f"*/{FOLDER}/*.json"))
        if machine in ("", path.parent.parent.name)
    ]


def read_timeline(path: Path) -> Timeline | None:
    """The timeline in a file; ``None`` if there is no such file.

    Raises:
        DamagedRecords: it is none, or is not in its place.
        RecordsError: it cannot be read at all.
    """
    data = read_file(path, LARGEST_BYTES, lambda _: path.read_bytes(), follow_links=False)
    if data is None:
        return None
    try:
        timeline = msgspec.json.decode(data, type=Timeline)
    except (ValueError, RecursionError) as error:
        raise DamagedRecords(f"{path}: {error}") from None
    place = locate_timeline(Path(), timeline.machine, timeline.experiment, timeline.program)
    if path.parts[-3:] != place.parts[-3:]:
        raise DamagedRecords(f"{path}: what it says of itself belongs into {place}")
    return timeline


def write_timeline(results: Path, timeline: Timeline) -> None:
    """Replace the file of a program's timeline.

    Raises:
        RecordsError: it cannot be written.
    """
    path = locate_timeline(results, timeline.machine, timeline.experiment, timeline.program)
    replace_file(path, msgspec.json.encode(timeline) + b"\n")
