"""Programs that are watched: which, at what size, and the timeline that is made of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from statistics import median

from poolwise.dependencies import find_packages, prepare, take_fingerprint
from poolwise.experiment import Experiment, ProfileName
from poolwise.machine import usable_cores
from poolwise.output import read_output
from poolwise.process import Launcher, listen
from poolwise.progress import Bar
from poolwise.pythons import Installation
from poolwise.record import CELL, Variant
from poolwise.store import RecordsError
from poolwise.trial import Bench, make_command, run_server
from poolwise.watch import (
    MARKS,
    Watcher,
    count_busy,
    is_watchable,
    make_lanes,
    make_task_lanes,
    read_mark_us,
    read_steps,
    thin,
)
from scripts.site.declare.claims import Claim
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.needs import list_claimed
from scripts.site.study.cells import Cells
from scripts.site.study.timeline import Timeline, locate_timeline, read_timeline, write_timeline

RUNS = 5  # of which that of median length is kept
WATCHED_S = 5.0  # what is still running then is ended
LONGEST_S = 2.5  # what takes longer is watched at the size of the smoke profile, or not at all


def trace_program(
    bench: Bench, variant: Variant, cores: tuple[int, ...], fingerprint: str
) -> Timeline | None:
    """Run a program once, watched; ``None`` if nothing was seen of it.

    Whether it did its work is a matter of its trials: one that fails has a timeline, too.
    """
    watcher = Watcher(cores)
    with listen(bench.launcher.folder) as ear:
        command = make_command(bench, variant, cores)
        command = replace(
            command,
            env={**command.env, **ear.env, **MARKS},
            timeout_s=min(WATCHED_S, bench.profile.timeout_s),
            grace_s=WATCHED_S,
        )
        outcome = bench.launcher.run(command, watcher)
        late_s = list(chain.from_iterable(ear.hear()))
        steps = list(read_steps(ear.folder))
        work_us, end_us = (read_mark_us(ear.folder, name) for name in ("begin.main", "end.time"))
    threads = watcher.threads
    if outcome.error or not threads:
        return None
    start_us = min(thread.begin_us for thread in threads)
    wall_us = max(1, round(outcome.wall_s * 1e6))
    if work_us is None:
        work_us = start_us
    inside_s = read_output(outcome.stdout, bench.experiment.readings).inside_s
    inside_us = None
    if end_us is not None and inside_s is not None:
        end_us = min(max(0, end_us - start_us), wall_us)
        inside_us = max(0, end_us - round(inside_s * 1e6)), end_us
    return Timeline(
        **{name: getattr(variant, name) for name in CELL if name not in ("gil", "params")},
        profile=bench.profile.name,
        fingerprint=fingerprint,
        measured_at=datetime.now(UTC),
        wall_us=wall_us,
        work_us=min(max(0, work_us - start_us), wall_us),
        inside_us=inside_us,
        cpu_us=round(outcome.cpu_s * 1e6),
        seen_us=sum(thread.running_us for thread in threads),
        processes=max(thread.process for thread in threads),
        threads=len(threads),
        lag_us=round(max(late_s) * 1e6) if late_s else None,
        busy=count_busy((thread.spans for thread in threads), start_us, wall_us),
        lanes=thin([*make_lanes(threads, start_us), *make_task_lanes(steps, threads, start_us)]),
    )


@dataclass(frozen=True, slots=True)
class Trace:
    """A program to watch on an interpreter at a size, which is one of a profile."""

    experiment: Experiment
    installation: Installation
    variant: Variant
    profile: ProfileName

    @property
    def fingerprint(self) -> str:
        """What its timeline is valid for."""
        interpreter = self.installation.interpreter
        return take_fingerprint(self.experiment, self.variant, self.profile, interpreter)


def equip(traces: Iterable[Trace]) -> list[Trace]:
    """Give each program the packages that it imports; what lacks one is left out."""
    equipped = []
    for trace in traces:
        version = trace.installation.interpreter.version
        packages = find_packages(trace.experiment, trace.variant.program, version)
        environment = prepare(trace.installation, packages)
        if not environment.missing:
            equipped.append(replace(trace, installation=environment.installation))
    return equipped


def trace_all(traces: Sequence[Trace], results: Path, stage: str) -> None:
    """Watch programs one after the other, and write their timelines."""
    done = 0
    with Bar(stage, len(traces)) as bar:
        for _, group in groupby(traces, key=lambda trace: (trace.experiment.name, trace.profile)):
            first, *others = group
            experiment, profile = first.experiment, first.experiment.profiles[first.profile]
            with run_server(experiment, profile) as server, Launcher() as launcher:
                for trace in (first, *others):
                    bar.show(done, f"{experiment.name}/{trace.variant.program}")
                    done += 1
                    bench = Bench(
                        experiment=experiment,
                        profile=profile,
                        installation=trace.installation,
                        launcher=launcher,
                        server=server,
                    )
                    cores = bench.take_cores(trace.variant, usable_cores())
                    run = partial(trace_program, bench, trace.variant, cores, trace.fingerprint)
                    timelines = [timeline for _ in range(RUNS) if (timeline := run())]
                    timelines.sort(key=lambda timeline: timeline.end_us - timeline.begin_us)
                    if timelines:
                        write_timeline(results, timelines[len(timelines) // 2])


def list_untraced(
    cells: Cells, declared: Declarations, results: Path, *, anew: bool
) -> list[Trace]:
    """List the programs without a valid timeline that pages show, or all of these.

    In smoke it is those that argue no claim, as none is decided there. Where the system does not tell
    when threads run, nothing is watched.
    """
    traces: list[Trace] = []
    if not is_watchable():
        return traces
    for path, id_ in sorted(declared.watched.items()):
        name, _, program = path.partition("/")
        claims = [claim for claim in declared.claims.get(name, ()) if claim.id == id_]
        if name in cells.experiments and not (claims and cells.profile == "smoke"):
            trace = _find_trace(cells, cells.experiments[name], program, claims)
            if trace and (anew or not _is_traced(results, trace)):
                traces.append(trace)
    return traces


def _find_trace(
    cells: Cells, experiment: Experiment, program: str, claims: Sequence[Claim]
) -> Trace | None:
    """Find on which interpreter and at which size a program is watched; ``None`` for none.

    That is as a claim compares it, if that is short. Where none does it is, on all cores, the largest of
    the profile at which it is short, or one of those of smoke.
    """
    selected = {(variant.experiment, variant.program) for variant in cells.selected}
    if (experiment.name, program) not in selected:
        return None
    compared: set[Variant] = set()
    if claims:
        empty = [cells.begin(variant) for variant in cells.list_variants(experiment)]
        compared = list_claimed(empty, claims, cells.machine.system)
        compared = {variant for variant in compared if variant.program == program}
    for installation in dict.fromkeys((*cells.wanted, *cells.every)):
        python = installation.interpreter.id
        trace: Trace | None = None
        for profile in dict.fromkeys((cells.profile, "smoke")):
            variants = [
                variant
                for variant in cells.list_variants(experiment, profile)
                if (variant.program, variant.interpreter) == (program, python)
            ]
            if compared:
                variants = [variant for variant in variants if variant in compared]
            cores = max((variant.cores for variant in variants), default=0)
            variants = [variant for variant in variants if variant.cores == cores]
            short = [variant for variant in variants if _is_short(cells, variant)]
            if short or (variants and not compared):  # of one size, what is declared first
                largest = max(short or variants, key=attrgetter("tasks", "workers"))
                trace = Trace(experiment, installation, largest, profile)
            if short or compared:
                break
        if trace:
            return trace
    return None


def _is_short(cells: Cells, variant: Variant) -> bool:
    record = cells.find_valid(variant)
    return record is not None and bool(record.wall_s) and median(record.wall_s) <= LONGEST_S


def _is_traced(results: Path, trace: Trace) -> bool:
    variant = trace.variant
    path = locate_timeline(results, variant.machine, variant.experiment, variant.program)
    try:
        timeline = read_timeline(path)
    except RecordsError:
        return False
    return timeline is not None and timeline.fingerprint == trace.fingerprint
