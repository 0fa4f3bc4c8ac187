"""A run of a program: what there is to read of it, and what room it had."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

AFTERWARDS_S = 1.5
"""How much longer than the program its processes may compute: they have a second to end, and the
kernel counts time in ticks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What there is to read of one run of a program.

    ``wall_s`` is from just before the process is created until it has exited. ``usage`` has the
    fields of getrusage(2), each summed over the whole process tree, but ``ru_maxrss`` of the
    largest single process and in bytes. ``inside_s`` is the time that the program printed,
    ``server_s`` the load server's CPU time meanwhile, ``peak_pss_bytes`` what a sampler saw, and
    ``late_s`` how late each beat of each event loop was. ``stolen_share`` and ``others_share`` are
    the cores that the hypervisor gave to other machines and those that other programs of this one
    kept busy; ``None`` where a system does not tell. ``slowed_share`` is what of their best pace the
    cores lacked that were busy; ``None`` where that tells nothing.
    """

    wall_s: float = 0.0
    usage: Mapping[str, float] = field(default_factory=dict)
    inside_s: float | None = None
    server_s: float | None = None
    peak_pss_bytes: int | None = None
    late_s: Sequence[Sequence[float]] = ()
    stolen_share: float | None = None
    others_share: float | None = None
    slowed_share: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What a run had: cores, those of the whole machine, and its memory."""

    cores: int
    all_cores: int
    memory_bytes: int


def find_lag(run: Run, share: float) -> float | None:
    """By how many seconds at most this share of the beats of the latest event loop was late.

    Of percentiles the nearest rank; ``None`` where no loop of asyncio ran.
    """
    ranked = (sorted(late_s)[math.ceil(share * len(late_s)) - 1] for late_s in run.late_s)
    return max(ranked, default=None)


def find_most_busy(wall_s: float, room: Room) -> float:
    """How many cores others can have kept busy, and a while afterwards."""
    return room.all_cores * (1 + AFTERWARDS_S / wall_s) if wall_s else math.inf
