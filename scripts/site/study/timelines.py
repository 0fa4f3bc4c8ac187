"""Timelines: the pass that watches each program without a valid timeline, apart from timing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from poolwise.dependencies import find_packages, prepare, take_fingerprint
from poolwise.experiment import Experiment, ProfileName
from poolwise.machine import usable_cores
from poolwise.process import Launcher
from poolwise.progress import Bar
from poolwise.pythons import Installation, Interpreter
from poolwise.record import Variant
from poolwise.store import RecordsError
from poolwise.trial import Bench, run_server
from scripts.site.settings import Settings
from scripts.site.study.agenda import Agenda
from scripts.site.study.cells import Cells
from scripts.site.study.timeline import (
    is_watchable,
    locate_timeline,
    read_timeline,
    trace_program,
    write_timeline,
)

TIMELINES = "timelines"
LONGEST_S = 2.5
"""A program that takes longer is watched at the size of the smoke profile; others as they are measured."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A program to watch: on which interpreter, at which size, of which profile.

    Its timeline is valid for the ``fingerprint``.
    """

    experiment: Experiment
    installation: Installation
    variant: Variant
    profile: ProfileName
    fingerprint: str


def trace_missing(cells: Cells, settings: Settings, agenda: Agenda) -> None:
    """Watch what ``list_untraced`` lists; whose turn it is to measure calls this."""
    untraced = list_untraced(cells, settings)
    if not untraced:
        return
    with Bar(agenda.begin(TIMELINES), len(untraced)) as bar:
        _trace_all(untraced, settings, bar)


def _trace_all(untraced: Sequence[Trace], settings: Settings, bar: Bar) -> None:
    done = 0
    groups: dict[tuple[str, Installation, ProfileName], list[Trace]] = {}
    for one in untraced:
        key = (one.experiment.name, one.installation, one.profile)
        groups.setdefault(key, []).append(one)
    usable = usable_cores()
    for (name, installation, profile_name), traces in groups.items():
        experiment = traces[0].experiment
        profile = experiment.profiles[profile_name]
        with run_server(experiment, profile) as server, Launcher() as launcher:
            bench = Bench(
                experiment=experiment,
                profile=profile,
                installation=installation,
                launcher=launcher,
                server=server,
            )
            for one in traces:
                bar.show(done, f"{name}/{one.variant.program}")
                done += 1
                cores = bench.take_cores(one.variant, usable)
                if found := trace_program(bench, one.variant, cores, one.fingerprint):
                    write_timeline(settings.results, found)


def list_untraced(cells: Cells, settings: Settings, *, prepared: bool = True) -> list[Trace]:
    """List programs without a valid timeline, with FRESH all; in smoke those of few experiments.

    A program that lacks a package is left out, if what they import is to be ``prepared``. Where the system does not tell when threads run,
    nothing is watched.
    """
    found = []
    for experiment in cells.experiments.values() if is_watchable() else ():
        if cells.profile == "smoke" and not experiment.watch_all:
            continue
        for program in experiment.programs:
            trace = _find_trace(cells, experiment, program.name)
            if trace and (settings.measure == "all" or not _is_traced(settings.results, trace)):
                if not prepared:
                    found.append(trace)
                    continue
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
            fingerprint = take_fingerprint(experiment, variant, profile, interpreter)
            return Trace(experiment, installation, variant, profile, fingerprint)
    return None


def _choose_size(
    cells: Cells,
    experiment: Experiment,
    interpreter: Interpreter,
    sizes: Mapping[ProfileName, Sequence[Variant]],
) -> tuple[ProfileName, Variant] | None:
    """Choose the size at which a program is watched on an interpreter, and its profile.

    On all cores, the largest of the first profile at which it is short; if it has none, the
    largest of the last profile, whose sizes are small.
    """
    chosen: tuple[ProfileName, Variant] | None = None
    for profile, variants in sizes.items():
        own = [one for one in variants if one.interpreter == interpreter.id]
        own = [one for one in own if one.cores == max(each.cores for each in own)]
        records = [(one, cells.find_valid(experiment, one)) for one in own]
        timed = [(one, record.wall_s) for one, record in records if record and record.wall_s]
        short = [one for one, wall_s in timed if median(wall_s) <= LONGEST_S]
        if own:  # of one size, what is declared first
            chosen = profile, max(short or own, key=lambda one: (one.tasks, one.workers))
        if short:
            break
    return chosen


def _is_traced(results: Path, trace: Trace) -> bool:
    one = trace.variant
    try:
        found = read_timeline(locate_timeline(results, one.machine, one.experiment, one.program))
    except RecordsError:
        return False
    return found is not None and found.fingerprint == trace.fingerprint
