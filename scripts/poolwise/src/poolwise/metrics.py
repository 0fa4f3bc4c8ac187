"""Metrics: what is measured of a run. Each is one entry of ``METRICS``, and, if recorded, a column of ``Record``.

Records, judgements, claims, published data and the schema of records have from here which there are;
``metrics.toml`` says what each is.
"""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import add, attrgetter, sub, truediv
from pathlib import Path
from typing import Literal

# How much longer than the program its processes may compute: they have a second to end, and the
# kernel counts time in ticks.
AFTERWARDS_S = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Everything there is to read of one run of a program.

    ``wall_s`` is from just before the process is created until it has exited. ``usage`` has the
    fields of getrusage(2), each summed over the whole process tree, but ``ru_maxrss`` of the
    largest single process and in bytes. ``inside_s`` is the time that the program printed,
    ``server_s`` the load server's CPU time meanwhile, ``peak_pss_bytes`` what a sampler saw, and
    ``late_s`` how late each beat of each event loop was. ``stolen_share`` and ``others_share`` are
    the cores that the hypervisor gave to other machines and those that other programs of this one
    kept busy; ``None`` where a system does not count them. ``slowed_share`` is what of their best pace the
    cores lacked, the mean of just before and just after; ``None`` where it is not known.
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


def find_lag(run: Run, share: float) -> float | None:
    """By how many seconds at most this share of the beats of the latest event loop was late.

    Of percentiles the nearest rank; ``None`` where no loop of asyncio ran.
    """
    ranked = (sorted(late_s)[math.ceil(share * len(late_s)) - 1] for late_s in run.late_s)
    return max(ranked, default=None)


# `CPU s` are seconds of cores, `cores` are CPU seconds a second, `times` a plain count.
Unit = Literal["s", "CPU s", "cores", "bytes", "times"]
# Values that a trial gave, by metric; `None` or absent where it could not be had.
Values = Mapping[str, float | None]


_TABLE = Path(__file__).with_suffix(".toml")
LONGEST_RUN_S = 1e6
ROUNDING_S = 0.01  # by how much a printed time may exceed the measured one
MOST_SLOWED = 0.99  # most of its best pace that a core can lack which computes at all
# Seconds in less than which no Python starts and ends; the fastest that we know takes 5 ms.
SHORTEST_S = 2e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One quantity; either ``read`` gives it from a run, and it is recorded, or ``derive`` from others."""

    name: str
    unit: Unit
    about: str
    read: Callable[[Run], float | None] | None = None
    derive: Callable[..., float] | None = None
    of: Sequence[str] = ()
    traced: bool = False
    optional: bool = False
    least: float = 0

    @property
    def most(self) -> float:
        """The number that no value exceeds anywhere."""
        return {"bytes": 1 << 50, "times": 10**15}.get(self.unit, LONGEST_RUN_S)


# What is recorded of a run; any other is an attribute of its name.
_READ: Mapping[str, Callable[[Run], float | None]] = {
    "user_s": lambda run: run.usage["ru_utime"],
    "system_s": lambda run: run.usage["ru_stime"],
    "max_rss_bytes": lambda run: run.usage["ru_maxrss"],
    "lag_p50_s": partial(find_lag, share=0.50),
    "lag_p99_s": partial(find_lag, share=0.99),
    "lag_max_s": partial(find_lag, share=1.00),
    "server_share": lambda run: None if run.server_s is None else run.server_s / run.wall_s,
}
_DERIVE: Mapping[str, Callable[..., float]] = {
    "start_s": sub,
    "wall_per_task_s": truediv,
    "cpu_s": add,
    "work_cpu_s": lambda cpu_s, start_s: max(cpu_s - start_s, 0.0),
    "cpu_share": truediv,
}
# Every metric by name, in the order of the columns that they have.
METRICS: dict[str, Metric] = {}
for _name, _facts in tomllib.loads(_TABLE.read_text(encoding="utf-8")).items():
    if _name in _DERIVE:
        _facts["derive"] = _DERIVE[_name]
    else:
        _facts["read"] = _READ.get(_name, attrgetter(_name))
    METRICS[_name] = Metric(name=_name, **_facts)
# Those that no record lacks: each has a value per trial of its pass.
COUNTED = ("wall_s", "peak_pss_bytes")


def find_unit(name: str) -> Unit:
    """The unit of a metric; a reading is a plain number."""
    return METRICS[name].unit if name in METRICS else "times"


def read_run(run: Run, *, traced: bool) -> Values:
    """Everything that a run gave which is recorded of its pass."""
    return {metric.name: metric.read(run) for metric in list_recorded(traced=traced) if metric.read}


def read_value(name: str, values: Values) -> float | None:
    """The value of a metric, derived if need be; ``None`` where it or what it is of is lacking."""
    metric = METRICS.get(name)
    if metric is None or metric.derive is None:
        return values.get(name)
    parts = [read_value(part, values) for part in metric.of]
    return None if None in parts else metric.derive(*parts)


def is_traced(name: str) -> bool:
    """Tell whether a metric is sampled in the pass for memory; a reading of a program is not."""
    return name in METRICS and METRICS[name].traced


def list_recorded(*, traced: bool) -> list[Metric]:
    """The metrics that have a column with a value per trial of this pass."""
    return [metric for metric in METRICS.values() if metric.read and metric.traced == traced]
