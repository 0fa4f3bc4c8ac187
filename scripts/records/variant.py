"""A variant: one program under one set of conditions; a trial: one run of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from scripts.declare.metric import Values
from scripts.declare.metrics import read_value
from scripts.declare.reason import Reason

Status = Literal["ok", "failed", "timeout", "unavailable"]
TracePoint = tuple[float, int, float | None]
"""Seconds since the start of the program; of its process tree: bytes of PSS, and the CPU seconds
used so far, ``None`` where the tracer does not count them."""

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What no text may hold: control characters, but for the end of a line and the tabulator."""
LONGEST_TEXT = 1 << 17
"""Characters that are kept of what a program printed, and of its last lines of stderr."""
DISTURBED_CORES = 0.25
"""A timed trial is disturbed if the hypervisor and other programs took more than that of the cores
meanwhile: it is about what a program that computes on two cores would then take longer by."""
DISTURBED_S = 0.05
"""But not by less CPU time than this: a system counts it in ticks of 10 ms a core."""
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

    ``values`` are the metrics of its pass, ``readings`` what else the program printed of the
    declared readings, ``printed`` all the rest. ``trace`` is of a memory pass only.
    """

    status: Status
    reason: Reason | None = None
    values: Values = field(default_factory=dict)
    readings: Mapping[str, float] = field(default_factory=dict)
    printed: str = ""
    trace: tuple[TracePoint, ...] = ()
    stderr: str = ""

    @property
    def wall_s(self) -> float:
        """What a person waits for; nought if the program could not be started."""
        return self.values.get("wall_s") or 0.0

    @property
    def lasted_s(self) -> float:
        """How long it ran, in a memory pass as far as it was watched."""
        return self.wall_s or (self.trace[-1][0] if self.trace else 0.0)

    @property
    def is_disturbed(self) -> bool:
        """Whether others took too much of the machine meanwhile, as far as it tells."""
        shares = (self.values.get("stolen_share"), self.values.get("others_share"))
        taken = sum(share or 0.0 for share in shares)
        return taken > DISTURBED_CORES and taken * self.wall_s > DISTURBED_S

    def read(self, name: str) -> float | None:
        """A metric or a reading; ``None`` if this trial did not give it."""
        return self.readings[name] if name in self.readings else read_value(name, self.values)
