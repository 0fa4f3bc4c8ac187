"""A variant: one program under one set of conditions; a trial: one run of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Status = Literal["ok", "failed", "timeout", "unavailable"]
TracePoint = tuple[float, int, float | None]
"""Seconds since the start of the program; of its process tree: bytes of PSS, and the CPU seconds
used so far, ``None`` where the tracer does not count them."""

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What no text may hold: control characters, but for the end of a line and the tabulator."""
LONGEST_TEXT = 1 << 17
"""Characters that are kept of what a program printed, and of its last lines of stderr."""
LONGEST_REASON = 2000
"""Characters of the reason why a trial did not do its work."""
LARGEST_READING = 1e15
"""No number that a program prints beside its time is larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One cell to fill. Its fields are the coordinates of a row in the published data."""

    experiment: str
    program: str
    family: str
    machine: str
    interpreter: str
    gil: Literal["on", "off"]
    start_method: str | None
    cores: int
    workers: int
    tasks: int
    params: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What one run of one program in a fresh interpreter process gave.

    ``wall_s`` is what a person waits for: from just before the process is created until it has
    exited. ``inside_s`` is the time the program itself printed, ``readings`` what else it printed
    of the declared readings, ``printed`` all the rest. ``user_s`` and ``system_s`` count
    the whole process tree. ``max_rss_bytes`` is the largest single process, as GNU time gives it;
    ``peak_pss_bytes`` the sampled peak of the tree (memory pass only, a lower bound).
    ``server_share`` is the CPU the load server used while the program ran, in cores.
    """

    status: Status
    reason: str = ""
    wall_s: float = 0.0
    inside_s: float | None = None
    readings: Mapping[str, float] = field(default_factory=dict)
    printed: str = ""
    user_s: float = 0.0
    system_s: float = 0.0
    max_rss_bytes: int = 0
    peak_pss_bytes: int | None = None
    trace: tuple[TracePoint, ...] = ()
    server_share: float | None = None
    stderr: str = ""
