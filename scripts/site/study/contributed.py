"""Contributed records: what strangers sent, and where it differs from all that was measured.

They stand in a table of their own and enter nothing else. Compared are gains: how many times as fast as the
baseline of its family a program was on the same machine, Python and cores.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from msgspec import structs

from poolwise.experiment import Experiment
from poolwise.machine import Machine
from poolwise.record import Record, Results, Variant
from poolwise.store import locate_contributed
from scripts.site.judge.judge import choose_time
from scripts.site.study.machines import read_machines, sort_shown

LARGEST_RATIO = 3.0
"""The factor by which a gain may differ from those on all measured machines before it is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributed:
    """A record that strangers sent, with its gain if there is a baseline.

    ``ends`` are the least and the largest gain of its cell on measured machines, if it was measured there.
    """

    record: Record
    gain: float | None
    ends: tuple[float, float] | tuple[()] = ()

    @property
    def distance(self) -> float:
        """How many times larger or smaller the gain is than any measured one; 1 if it lies among them."""
        if self.gain is None or not self.ends:
            return 1.0
        low, high = self.ends
        return max(self.gain / high, low / self.gain, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What strangers sent of one machine; the results of the Python to show first come first."""

    results: tuple[Results, ...]
    rows: tuple[Contributed, ...]

    @property
    def machine(self) -> Machine:
        """The machine, as the first results describe it."""
        return self.results[0].machine

    @property
    def compared(self) -> int:
        """How many gains can be held against a measured machine's."""
        return sum(row.gain is not None and bool(row.ends) for row in self.rows)

    @property
    def differences(self) -> list[Contributed]:
        """The rows whose gain differs from those of every measured machine, the farthest first."""
        differing = [row for row in self.rows if row.distance > LARGEST_RATIO]
        return sorted(differing, key=lambda row: row.distance, reverse=True)


def open_contributed(
    folder: Path, experiments: Mapping[str, Experiment], warn: Callable[[str], None]
) -> list[Contribution]:
    """Read what strangers sent into a folder of results, and hold it against what was measured there."""
    sent = read_machines(locate_contributed(folder), experiments, warn)
    measured: dict[Variant, list[float]] = defaultdict(list)
    known = read_machines(folder, experiments, lambda _: None) if sent else {}
    for results in known.values():
        for row in _list_rows(results, experiments):
            if row.gain is not None:
                measured[_drop_place(row.record)].append(row.gain)
    return [
        Contribution(
            results=tuple(sort_shown(results)),
            rows=tuple(_compare(row, measured) for row in _list_rows(results, experiments)),
        )
        for results in sent.values()
    ]


def _compare(row: Contributed, measured: Mapping[Variant, Sequence[float]]) -> Contributed:
    gains = measured.get(_drop_place(row.record))
    return replace(row, ends=(min(gains), max(gains))) if gains else row


def _list_rows(
    machine: Sequence[Results], experiments: Mapping[str, Experiment]
) -> list[Contributed]:
    """List the measured records of declared families, each with its gain; the baseline itself has none."""
    declared = {
        (name, family.name): family.baseline
        for name, experiment in experiments.items()
        for family in experiment.families
    }
    records = [
        record
        for results in machine
        for record in results.records
        if record.is_measured and (record.experiment, record.family) in declared
    ]
    baselines = {
        _find_arena(record): record
        for record in records
        if record.program == declared[record.experiment, record.family]
    }
    rows = []
    for record in records:
        baseline = baselines.get(_find_arena(record))
        is_other = baseline is not None and baseline.program != record.program
        gain = _divide(baseline, record) if baseline and is_other else None
        rows.append(Contributed(record=record, gain=gain))
    return rows


def _find_arena(record: Record) -> tuple[object, ...]:
    """The records that are held against the same one."""
    params = tuple(sorted(record.params.items()))
    place = record.interpreter, record.profile, record.cores, record.tasks
    return record.experiment, record.family, *place, params


def _divide(baseline: Record, record: Record) -> float:
    """Divide the times by which the two are compared; those of the process where a work took none."""
    time = choose_time((baseline, record))
    times_s = [one.list_values(time) for one in (baseline, record)]
    if not all(map(all, times_s)):
        times_s = [one.wall_s for one in (baseline, record)]
    plain_s, own_s = map(median, times_s)
    return plain_s / own_s


def _drop_place(record: Record) -> Variant:
    """The cell on any machine, and on any Python with the same GIL."""
    return structs.replace(record.variant, machine="", interpreter="")
