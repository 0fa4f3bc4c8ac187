"""Timelines: which programs have none that is valid, and the pass that watches those."""

from scripts.cells import Cells
from scripts.declare.experiment import Experiment
from scripts.host.cores import usable_cores
from scripts.host.interpreters import Installation
from scripts.measure.collect import report
from scripts.measure.tracing import Trace, choose_trace, is_traced, trace_programs
from scripts.measure.watcher import is_watchable
from scripts.settings import Settings


def trace_missing(cells: Cells, settings: Settings) -> None:
    """Watch every program that has no valid timeline, in smoke the first of most experiments.

    Whose turn it is to measure calls this. Where the system does not tell when threads run, nothing
    is watched.

    Raises:
        LauncherError, LoadServerError: programs can no longer be run.
        RecordsError: a timeline cannot be kept.
    """
    for experiment in cells.experiments.values() if is_watchable() else ():
        for installation, traces in list_missing(cells, experiment, settings).items():
            report(f"{experiment.name}: timelines of {len(traces)} programs")
            trace_programs(experiment, traces, installation, usable_cores(), settings.results)


def list_missing(
    cells: Cells, experiment: Experiment, settings: Settings
) -> dict[Installation, list[Trace]]:
    """What is to be watched of an experiment, by the first interpreter that runs it."""
    found: dict[Installation, list[Trace]] = {}
    few = cells.profile == "smoke" and not experiment.lines
    for program in experiment.programs[: 1 if few else None]:
        sizes = cells.list_sizes(experiment, program.name)
        for installation in dict.fromkeys((*cells.wanted, *cells.every)):
            trace = choose_trace(
                experiment,
                installation.interpreter,
                sizes,
                lambda one: cells.find_valid(experiment, one),
            )
            if trace is None:
                continue
            if settings.fresh or not is_traced(settings.results, trace):
                found.setdefault(installation, []).append(trace)
            break
    return found
