"""Contributed records: what strangers sent, and where it differs from all that was measured.

They stand in a table of their own and enter nothing else. Compared are gains: how many times as fast as the
baseline of its family a program was on the same machine, Python and cores.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from msgspec import structs

from poolwise.experiment import Experiment
from poolwise.machine import Machine
from poolwise.record import Record, Results, Variant
from poolwise.store import locate_contributed
from scripts.site.judge.judge import choose_time
from scripts.site.study.machines import read_machines, sort_shown

LARGEST_RATIO = 3.0  # by which a gain may differ from those on all measured machines


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of a record, with the ``least`` and the ``largest`` of its cell on measured machines."""

    record: Record
    value: float
    least: float
    largest: float

    @property
    def distance(self) -> float:
        """How many times larger or smaller it is than any measured one; 1 if it lies among them."""
        return max(self.value / self.largest, self.least / self.value, 1.0)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What strangers sent of one machine: results, their records, and gains that can be compared.

    The results of the Python to show first come first.
    """

    results: tuple[Results, ...]
    records: tuple[Record, ...]
    gains: tuple[Gain, ...]

    @property
    def machine(self) -> Machine:
        """The machine, as the first results describe it."""
        return self.results[0].machine

    @property
    def differences(self) -> list[Gain]:
        """The gains that differ from those of every measured machine, the farthest first."""
        differing = [gain for gain in self.gains if gain.distance > LARGEST_RATIO]
        return sorted(differing, key=lambda gain: gain.distance, reverse=True)


def open_contributed(
    folder: Path, experiments: Mapping[str, Experiment], warn: Callable[[str], None]
) -> list[Contribution]:
    """Read what strangers sent into a folder of results, and hold it against what was measured there."""
    sent = read_machines(locate_contributed(folder), experiments, warn)
    if not sent:
        return []
    measured: dict[Variant, list[float]] = {}
    for results in read_machines(folder, experiments, lambda _: None).values():
        for record, value in _list_gains(_list_records(results, experiments), experiments):
            measured.setdefault(_drop_place(record), []).append(value)
    contributions = []
    for results in sent.values():
        records, gains = _list_records(results, experiments), []
        for record, value in _list_gains(records, experiments):
            if known := measured.get(_drop_place(record)):
                gains.append(Gain(record, value, min(known), max(known)))
        contributions.append(Contribution(tuple(sort_shown(results)), records, tuple(gains)))
    return contributions


def _list_records(
    machine: Iterable[Results], experiments: Mapping[str, Experiment]
) -> tuple[Record, ...]:
    """List what was measured of declared families."""
    records: list[Record] = []
    for results in machine:
        for record in results.records:
            experiment = experiments.get(record.experiment)
            families = {family.name for family in experiment.families} if experiment else ()
            if record.is_measured and record.family in families:
                records.append(record)
    return tuple(records)


def _list_gains(
    records: Iterable[Record], experiments: Mapping[str, Experiment]
) -> Iterator[tuple[Record, float]]:
    """List how many times as fast records are as the baseline in their place, but for the baseline."""
    places: dict[tuple[object, ...], list[Record]] = {}
    for record in records:
        size = record.profile, record.cores, record.tasks, tuple(sorted(record.params.items()))
        place = record.experiment, record.family, record.interpreter, *size
        places.setdefault(place, []).append(record)
    for rivals in places.values():
        plain = experiments[rivals[0].experiment].family(rivals[0].family).baseline
        baseline = next((record for record in rivals if record.program == plain), None)
        for record in rivals:
            if baseline and record.program != plain:
                yield record, _divide(baseline, record)


def _divide(baseline: Record, record: Record) -> float:
    """Divide the times by which the two are compared; those of the process where a work took none."""
    time = choose_time((baseline, record))
    times_s = baseline.list_values(time), record.list_values(time)
    if not all(map(all, times_s)):
        times_s = baseline.wall_s, record.wall_s
    return median(times_s[0]) / median(times_s[1])


def _drop_place(record: Record) -> Variant:
    """The cell on any machine, and on any Python with the same GIL."""
    return structs.replace(record.variant, machine="", interpreter="")
