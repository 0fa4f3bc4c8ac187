"""Timelines: when each thread of a program ran, seen from outside, in a file a program beside the records.

``results/<machine>/timelines/<experiment>-<program>.json``, written here or by a job of *Publish*;
strangers send none. Times are whole microseconds since the program was started, so that two
readers cannot differ in them.
"""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from poolwise.declaration import Count
from poolwise.experiment import ProfileName, StartMethod
from poolwise.machine import Cores, Name
from poolwise.store import DamagedRecords, read_bytes, replace_file
from poolwise.watch import Lane

FOLDER = "timelines"
LARGEST_BYTES = 256 << 10


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """One watched run of a program.

    Of the ``wall_us`` the work began at ``work_us``, after the start and the imports: at 0 where the
    program has no ``main`` that says so. ``inside_us`` is from when to when the program took the time
    itself, for which a pool has started; none of an older one, or of a program that does not. ``cpu_us`` is what the system counted of the whole tree,
    ``seen_us`` what was seen of it, in ``threads`` of ``processes``. ``lag_us`` is how late an event
    loop ran at the most. ``busy`` says for equal parts of the time how many threads ran at once, in
    thousandths. Of ``lanes`` there are only those that ran longest.
    """

    schema: Literal[1, 2] = 2
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
    wall_us: Annotated[int, Meta(ge=1)]
    work_us: Annotated[int, Meta(ge=0)]
    inside_us: tuple[int, int] | None = None
    cpu_us: Annotated[int, Meta(ge=0)]
    seen_us: int
    processes: int
    threads: int
    lag_us: int | None = None
    busy: Annotated[list[int], Meta(min_length=1)]
    lanes: list[Lane]

    def __post_init__(self) -> None:
        """Refuse work that ends before it begins, with which no picture could be drawn.

        Raises:
            ValueError: it does.
        """
        if not 0 <= self.begin_us <= self.end_us <= self.wall_us:
            raise ValueError(f"work from {self.begin_us} to {self.end_us} of {self.wall_us} us")

    @property
    def begin_us(self) -> int:
        """When the work began that the program timed, or all of it."""
        return self.inside_us[0] if self.inside_us else self.work_us

    @property
    def end_us(self) -> int:
        """When that work ended."""
        return self.inside_us[1] if self.inside_us else self.wall_us

    @property
    def coverage(self) -> float:
        """The share of the CPU time that was seen, at most 1."""
        return min(1.0, self.seen_us / self.cpu_us) if self.cpu_us else 1.0

    def find_value(self, metric: str) -> float | None:
        """Find what a metric was in this run; ``None`` of what a picture of it does not show."""
        values_us = {
            "wall_s": self.wall_us,
            "inside_s": self.end_us - self.begin_us,
            "cpu_s": self.cpu_us,
            "lag_max_s": self.lag_us,
        }
        if metric == "cpu_share":
            return self.cpu_us / self.wall_us
        value_us = values_us.get(metric)
        return None if value_us is None else value_us / 1e6


def locate_timeline(results: Path, machine: str, experiment: str, program: str) -> Path:
    """Return where the timeline of a program is kept."""
    return results / machine / FOLDER / f"{experiment}-{program}.json"


def list_timelines(results: Path, machine: str = "*") -> list[Path]:
    """List the files of a machine's timelines, by default of all."""
    return sorted(results.glob(f"{machine}/{FOLDER}/*.json"))


def read_timeline(path: Path) -> Timeline | None:
    """Read a timeline; ``None`` if there is none.

    Raises:
        DamagedRecords: it is none, or out of its place.
    """
    data = read_bytes(path, LARGEST_BYTES)
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
    """Replace the file of a program's timeline."""
    path = locate_timeline(results, timeline.machine, timeline.experiment, timeline.program)
    replace_file(path, msgspec.json.encode(timeline) + b"\n")
