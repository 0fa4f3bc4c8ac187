"""Commands: what a launcher is to run, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.declare.reason import Reason
from scripts.measure.samplers import MemoryTrace

STRAGGLER_GRACE_S = 30.0
"""How long children may outlive a program: long enough for the helpers of multiprocessing, which
have only to exit, on any machine under any load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to run. ``env`` is the whole environment; ``cores`` are CPU ids, ``None`` for all.

    What still lives ``grace_s`` after the program has ended is killed, and counts as left over.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path
    cores: tuple[int, ...] | None = None
    timeout_s: float | None = None
    grace_s: float = STRAGGLER_GRACE_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a command.

    ``exit_code`` is ``None`` when a signal ended the program (``signal`` names it) and when it
    could not be started (``error`` says why). ``wall_s`` ends when the program itself has exited;
    ``usage`` is of its whole tree, as ``metric.Run`` has it. ``leftovers`` counts the processes
    that had to be killed at the end, without child subreapers 1 for all. ``memory`` is what a
    sampler saw, if there was one.
    """

    exit_code: int | None = None
    signal: str | None = None
    timed_out: bool = False
    error: str = ""
    wall_s: float = 0.0
    usage: Mapping[str, float] = field(default_factory=dict)
    leftovers: int = 0
    stdout: str = ""
    stderr: str = ""
    memory: MemoryTrace | None = None

    @property
    def ok(self) -> bool:
        """Whether the program ran to its end and reported success."""
        return self.exit_code == 0 and not self.timed_out

    @property
    def reason(self) -> Reason | None:
        """What went wrong; ``None`` when nothing did."""
        if self.timed_out:
            return Reason("timed-out", {"after_s": round(self.wall_s, 1)})
        if self.signal:
            return Reason("killed", {"signal": self.signal})
        if self.error:
            return Reason("could-not-start", {"error": self.error})
        return Reason("exited", {"code": str(self.exit_code)}) if self.exit_code else None
