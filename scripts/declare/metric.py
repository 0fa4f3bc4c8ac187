"""Metric: one quantity of a run, how it is read and what it can be."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Unit = Literal["s", "CPU s", "cores", "bytes", "times"]
"""``CPU s`` are seconds of cores, ``cores`` are CPU seconds a second, ``times`` a plain count."""
Values = Mapping[str, float | None]
"""What a trial gave, by metric; ``None`` or absent where it could not be had."""

LONGEST_S = 1e6

_MOST: Mapping[Unit, float] = {
    "s": LONGEST_S,
    "CPU s": LONGEST_S,
    "cores": LONGEST_S,
    "bytes": 1 << 50,
    "times": 10**15,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What there is to read of one run of a program.

    ``wall_s`` is from just before the process is created until it has exited. ``usage`` has the
    fields of getrusage(2), each summed over the whole process tree, but ``ru_maxrss`` of the
    largest single process and in bytes. ``inside_s`` is the time that the program printed,
    ``server_s`` the load server's CPU time meanwhile, ``peak_pss_bytes`` what a sampler saw, and
    ``late_s`` how late each beat of each event loop was. ``stolen_share`` and ``others_share`` are
    the cores that the hypervisor gave to other machines and those that other programs of this one
    kept busy; ``None`` where a system does not tell.
    """

    wall_s: float = 0.0
    usage: Mapping[str, float] = field(default_factory=dict)
    inside_s: float | None = None
    server_s: float | None = None
    peak_pss_bytes: int | None = None
    late_s: Sequence[Sequence[float]] = ()
    stolen_share: float | None = None
    others_share: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What a run had: cores, those of the whole machine, and its memory."""

    cores: int
    all_cores: int
    memory_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One quantity, in the unit that its name ends with.

    Either ``read`` gives it from a run, and it is recorded, or ``derive`` from the metrics ``of``.
    ``traced`` metrics come from the memory pass, the others from the timing pass. A run may lack
    it where ``optional``. No value lies below ``least`` or above ``find_most`` of the wall time
    and the room that it had. It is called what ``[metric]`` of a catalogue has, or else ``words``,
    by language.
    """

    name: str
    unit: Unit
    about: str
    read: Callable[[Run], float | None] | None = None
    derive: Callable[..., float] | None = None
    of: tuple[str, ...] = ()
    traced: bool = False
    optional: bool = False
    least: float = 0
    find_most: Callable[[float, Room], float] | None = None
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def most(self) -> float:
        """What no value exceeds anywhere."""
        return _MOST[self.unit]

    @property
    def is_whole(self) -> bool:
        """Whether values are whole numbers."""
        return self.unit in ("bytes", "times")
