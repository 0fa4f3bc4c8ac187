"""Timelines: the pass that watches each program that has none which is valid, apart from timing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from scripts.harness.experiment import Experiment, ProfileName
from scripts.harness.fingerprint import take_fingerprint
from scripts.harness.machine import usable_cores
from scripts.harness.packages import find_packages, prepare
from scripts.harness.process import Launcher
from scripts.harness.pythons import Installation, Interpreter
from scripts.harness.record import Record, Variant
from scripts.harness.run import report
from scripts.harness.server import serve
from scripts.harness.store import RecordsError
from scripts.harness.timeline import locate_timeline, read_timeline, write_timeline
from scripts.harness.trace import trace_program
from scripts.harness.trial import Bench
from scripts.harness.watcher import is_watchable
from scripts.site.settings import Settings
from scripts.site.study.cells import Cells

LONGEST_WAITING_S, LONGEST_COMPUTING_S = 1.0, 2.5
"""Where a program took longer, it is watched at the size of the smoke profile. Whatever waits looks
the same there; of what computes, hardly more than its start would be left."""
COMPUTING = 0.7
"""So much of a core at least is kept busy by what computes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One program to watch: at which size, of which profile, valid for which fingerprint."""

    variant: Variant
    profile: ProfileName
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Untraced:
    """What is to be watched of an experiment on an interpreter, which has the packages for it."""

    experiment: Experiment
    installation: Installation
    traces: Sequence[Trace]


def trace_missing(cells: Cells, settings: Settings) -> None:
    """Watch what ``list_untraced`` lists; whose turn it is to measure calls this.

    Raises:
        LauncherError, LoadServerError: programs can no longer be run.
        RecordsError: a timeline cannot be kept.
    """
    for one in list_untraced(cells, settings):
        report(f"{one.experiment.name}: timelines of {len(one.traces)} programs")
        _trace_programs(one, settings.results)


def list_untraced(cells: Cells, settings: Settings) -> list[Untraced]:
    """Every program that has no valid timeline, with FRESH all; in smoke the first of most experiments.

    Left out is what lacks a package. Where the system does not tell when threads run, nothing is
    watched.
    """
    return [
        Untraced(experiment=experiment, installation=prepared, traces=able)
        for experiment in (cells.experiments.values() if is_watchable() else ())
        for installation, traces in _list_missing(cells, experiment, settings).items()
        for prepared, able in [_leave_able(experiment, installation, traces)]
        if able
    ]


def _list_missing(
    cells: Cells, experiment: Experiment, settings: Settings
) -> dict[Installation, list[Trace]]:
    """What of an experiment has no valid timeline, by the first interpreter that runs it."""
    found: dict[Installation, list[Trace]] = {}
    few = cells.profile == "smoke" and not experiment.watch_all
    for program in experiment.programs[: 1 if few else None]:
        sizes = cells.list_sizes(experiment, program.name)
        for installation in dict.fromkeys((*cells.wanted, *cells.every)):
            trace = _choose_trace(cells, experiment, installation.interpreter, sizes)
            if trace is None:
                continue
            if settings.measure == "all" or not _is_traced(settings.results, trace):
                found.setdefault(installation, []).append(trace)
            break
    return found


def _leave_able(
    experiment: Experiment, installation: Installation, traces: Sequence[Trace]
) -> tuple[Installation, list[Trace]]:
    """An interpreter with packages, and of the traces those that lack none there."""
    version = installation.interpreter.version
    needs = [find_packages(experiment, one.variant.program, version) for one in traces]
    environment = prepare(installation, {name: pin for one in needs for name, pin in one.items()})
    lacking = environment.missing.keys()
    able = [one for one, need in zip(traces, needs, strict=True) if not lacking & need]
    return environment.installation, able


def _choose_trace(
    cells: Cells,
    experiment: Experiment,
    interpreter: Interpreter,
    sizes: Mapping[ProfileName, Sequence[Variant]],
) -> Trace | None:
    """The size at which a program is watched on an interpreter; ``None`` if it has none there.

    On all cores, the largest of the first profile at which it is short; if it has none, the
    largest of the last profile, whose sizes are small. ``sizes`` are the program's by profile.
    """
    chosen: tuple[ProfileName, Variant] | None = None
    for profile, variants in sizes.items():
        own = [one for one in variants if one.interpreter == interpreter.id]
        own = [one for one in own if one.cores == max(each.cores for each in own)]
        short = [one for one in own if _is_short(cells.find_valid(experiment, one))]
        if own:  # of one size, what is declared first
            chosen = profile, max(short or own, key=lambda one: (one.tasks, one.workers))
        if short:
            break
    if chosen is None:
        return None
    profile, variant = chosen
    fingerprint = take_fingerprint(experiment, variant, profile, interpreter)
    return Trace(variant=variant, profile=profile, fingerprint=fingerprint)


def _is_short(record: Record | None) -> bool:
    """Whether a program took so little time that it can be watched at this size."""
    if record is None or not record.timed:
        return False
    used = median(trial.read("cpu_share") or 0.0 for trial in record.timed)
    most_s = LONGEST_COMPUTING_S if used >= COMPUTING else LONGEST_WAITING_S
    return median(record.walls_s) <= most_s


def _is_traced(results: Path, trace: Trace) -> bool:
    """Whether there is a timeline that is still valid."""
    one = trace.variant
    try:
        found = read_timeline(locate_timeline(results, one.machine, one.experiment, one.program))
    except RecordsError:
        return False
    return found is not None and found.fingerprint == trace.fingerprint


def _trace_programs(untraced: Untraced, results: Path) -> None:
    """Watch programs of one experiment, one after the other."""
    experiment, usable = untraced.experiment, usable_cores()
    for name in dict.fromkeys(trace.profile for trace in untraced.traces):
        profile = experiment.profiles[name]
        with serve(experiment, profile) as server, Launcher() as launcher:
            bench = Bench(
                experiment=experiment,
                profile=profile,
                installation=untraced.installation,
                launcher=launcher,
                server=server,
            )
            for trace in (one for one in untraced.traces if one.profile == name):
                cores = bench.take_cores(trace.variant, usable)
                if found := trace_program(bench, trace.variant, cores, trace.fingerprint):
                    write_timeline(results, found)
