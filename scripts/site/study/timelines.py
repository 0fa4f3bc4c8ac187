"""Timelines: the pass that watches each program without a valid timeline, apart from timing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from scripts.harness.dependencies import find_packages, prepare, take_fingerprint
from scripts.harness.experiment import Experiment, ProfileName
from scripts.harness.machine import usable_cores
from scripts.harness.process import Launcher
from scripts.harness.pythons import Installation, Interpreter
from scripts.harness.record import Record, Variant
from scripts.harness.run import report
from scripts.harness.store import RecordsError
from scripts.harness.timeline import (
    is_watchable,
    locate_timeline,
    read_timeline,
    trace_program,
    write_timeline,
)
from scripts.harness.trial import Bench, serve
from scripts.site.settings import Settings
from scripts.site.study.cells import Cells

LONGEST_S = 2.5
"""A program that takes longer is watched at the size of the smoke profile; others as they are measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A program to watch: on which interpreter, at which size, of which profile.

    Its timeline is valid for the ``fingerprint``.
    """

    experiment: Experiment
    installation: Installation
    variant: Variant
    profile: ProfileName
    fingerprint: str


def trace_missing(cells: Cells, settings: Settings) -> None:
    """Watch what ``list_untraced`` lists; whose turn it is to measure calls this."""
    groups: dict[tuple[str, Installation, ProfileName], list[Trace]] = {}
    for one in list_untraced(cells, settings):
        key = (one.experiment.name, one.installation, one.profile)
        groups.setdefault(key, []).append(one)
    for (name, _, _), traces in groups.items():
        report(f"{name}: timelines of {len(traces)} programs")
        _trace_programs(traces, settings.results)


def list_untraced(cells: Cells, settings: Settings) -> list[Trace]:
    """List programs without a valid timeline, with FRESH all; in smoke the first of most experiments.

    A program that lacks a package is left out. Where the system does not tell when threads run,
    nothing is watched.
    """
    found = []
    for experiment in cells.experiments.values() if is_watchable() else ():
        few = cells.profile == "smoke" and not experiment.watch_all
        for program in experiment.programs[: 1 if few else None]:
            trace = _find_trace(cells, experiment, program.name)
            if trace and (settings.measure == "all" or not _is_traced(settings.results, trace)):
                version = trace.installation.interpreter.version
                packages = find_packages(experiment, program.name, version)
                environment = prepare(trace.installation, packages)
                if not environment.missing:
                    found.append(replace(trace, installation=environment.installation))
    return found


def _find_trace(cells: Cells, experiment: Experiment, program: str) -> Trace | None:
    """Find on which interpreter and at which size a program is watched; ``None`` for none."""
    sizes = cells.list_sizes(experiment, program)
    for installation in dict.fromkeys((*cells.wanted, *cells.every)):
        interpreter = installation.interpreter
        if chosen := _choose_size(cells, experiment, interpreter, sizes):
            profile, variant = chosen
            return Trace(
                experiment=experiment,
                installation=installation,
                variant=variant,
                profile=profile,
                fingerprint=take_fingerprint(experiment, variant, profile, interpreter),
            )
    return None


def _choose_size(
    cells: Cells,
    experiment: Experiment,
    interpreter: Interpreter,
    sizes: Mapping[ProfileName, Sequence[Variant]],
) -> tuple[ProfileName, Variant] | None:
    """Choose the size at which a program is watched on an interpreter, and its profile.

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
    return chosen


def _is_short(record: Record | None) -> bool:
    """Tell whether a program took so little time that it can be watched at this size."""
    return record is not None and bool(record.timed) and median(record.wall_s) <= LONGEST_S


def _is_traced(results: Path, trace: Trace) -> bool:
    """Tell whether there is a timeline that is still valid."""
    one = trace.variant
    try:
        found = read_timeline(locate_timeline(results, one.machine, one.experiment, one.program))
    except RecordsError:
        return False
    return found is not None and found.fingerprint == trace.fingerprint


def _trace_programs(traces: Sequence[Trace], results: Path) -> None:
    """Watch programs of one experiment, interpreter and profile, one after the other."""
    first, usable = traces[0], usable_cores()
    profile = first.experiment.profiles[first.profile]
    with serve(first.experiment, profile) as server, Launcher() as launcher:
        bench = Bench(
            experiment=first.experiment,
            profile=profile,
            installation=first.installation,
            launcher=launcher,
            server=server,
        )
        for trace in traces:
            cores = bench.take_cores(trace.variant, usable)
            if found := trace_program(bench, trace.variant, cores, trace.fingerprint):
                write_timeline(results, found)
