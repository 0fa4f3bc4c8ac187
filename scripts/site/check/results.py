"""Results files against their schema, the rules of records, and what is declared.

What strangers send keeps more rules. No run of a program gives what those refuse, but what they
accept may still be invented: it decides nothing.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scripts.harness.dependencies import find_packages, take_fingerprint
from scripts.harness.experiment import Experiment
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record
from scripts.harness.store import RecordsError, list_files, locate_contributed, read_results
from scripts.harness.timeline import list_timelines, read_timeline
from scripts.site.judge.noise import find_too_short
from scripts.site.study.snippets import FILE, list_snippets, read_printed

# Tracing slows a program down, of ours up to 2.3 times. No trace lasts longer than this.
LONGEST_TRACE_RATIO = 5
LONGEST_TRACE_EXTRA_S = 5.0
LEAST_TRACED_SHARE = 0.9  # of the peak, which a trace reaches; ours reach it exactly
LARGEST_DISTURBED_SHARE = 0.1  # an experiment with more disturbed trials cannot be judged


def find_bad_results(results: Path, experiments: Mapping[str, Experiment]) -> Iterator[str]:
    """Find everything in results files and timelines that cannot be, or cannot be read."""
    for folder in (results, locate_contributed(results)):
        for path in list_files(folder):
            try:
                if found := read_results(path):
                    for fault in find_untrue(found.records, found.interpreter, experiments):
                        yield f"{path}: {fault}"
            except RecordsError as error:
                yield from error.faults
        for path in list_timelines(folder):
            try:
                read_timeline(path)
            except RecordsError as error:
                yield from error.faults


def find_outdated(results: Path) -> Iterator[str]:
    """Find the snippets that have changed since their output was recorded; a sentence each."""
    try:
        records = read_printed(results)
    except RecordsError as error:
        yield from error.faults
        return
    recorded = {record.snippet for record in records}
    current = {record.snippet for record in records if record.is_current}
    for name in list_snippets():
        if name in recorded - current:
            path = f"examples/snippets/{name}.py"
            yield f"{results / FILE}: {path} has changed since; make site MEASURE=0 runs it"


def find_untrue(
    rows: Sequence[Record], interpreter: Interpreter, experiments: Mapping[str, Experiment]
) -> Iterator[str]:
    """Find what of a file's rows cannot be, by what is declared; a sentence each."""
    names = dict.fromkeys(row.experiment for row in rows)
    for name in names if experiments else ():  # there are none if a declaration is wrong
        if name not in experiments:
            yield f"no experiment {name!r} is declared"
    for row in rows:
        faults = find_too_short(experiments, row), find_other_result(experiments, row, interpreter)
        yield from filter(None, faults)


def find_doubtful(
    rows: Sequence[Record], interpreter: Interpreter, experiments: Mapping[str, Experiment]
) -> Iterator[str]:
    """Find what of a contributed file cannot be, or cannot be judged; a sentence each."""
    yield from find_untrue(rows, interpreter, experiments)
    for row in rows:
        for fault in check_traces(row):
            yield f"{row.variant}: {fault}"
        if row.packages and is_current(row, interpreter, experiments):
            pinned = find_packages(experiments[row.experiment], row.program, interpreter.version)
            if row.packages != pinned:
                own, others = _tell_pins(row.packages), _tell_pins(pinned)
                yield f"{row.variant}: it ran with {own}, but {others} are pinned"
    yield from find_disturbed(rows)


def check_traces(row: Record) -> Iterator[str]:
    """A traced run lasts about as long as a timed one, and its samples reach its peak."""
    longest_s = LONGEST_TRACE_RATIO * max(row.wall_s, default=0.0) + LONGEST_TRACE_EXTRA_S
    for peak, trace in zip(row.peak_pss_bytes, row.traces, strict=True):
        if trace and row.wall_s and trace[-1][0] > longest_s:
            yield f"a trace lasts {trace[-1][0]} s, its timed runs {max(row.wall_s)} s at most"
        size = max((size for _, size, _ in trace), default=0)
        if peak and size and not LEAST_TRACED_SHARE * peak <= size <= peak / LEAST_TRACED_SHARE:
            yield f"a trace has {size} bytes at most, but its peak is {peak}"


def find_disturbed(rows: Sequence[Record]) -> Iterator[str]:
    """Find experiments in which other programs disturbed too many timed trials."""
    found: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        found[row.experiment] += row.disturbances
    for experiment, disturbed in found.items():
        if sum(disturbed) > max(1, LARGEST_DISTURBED_SHARE * len(disturbed)):
            yield (
                f"{experiment} with {rows[0].interpreter}: other programs disturbed"
                f" {sum(disturbed)} of {len(disturbed)} timed trials; end them and measure it again:"
                f" make measure FRESH=1 ONLY={experiment}"
            )


def find_other_result(
    experiments: Mapping[str, Experiment], row: Record, interpreter: Interpreter
) -> str:
    """Say how a program as it is now printed another result than it must; empty if it did not."""
    experiment = experiments.get(row.experiment)
    if not experiment or row.profile not in experiment.profiles or not row.wall_s:
        return ""
    expected = experiment.profiles[row.profile].find_result(row.family, row.tasks)
    told = expected and expected.replace("{tasks}", str(row.tasks)).strip()
    if told in (None, row.printed) or not is_current(row, interpreter, experiments):
        return ""
    return f"{row.variant} printed {row.printed[:100]!a}, but its result is {told[:100]!a}"


def is_current(
    row: Record, interpreter: Interpreter, experiments: Mapping[str, Experiment]
) -> bool:
    """Tell whether a row is of a declared program as it is now."""
    experiment = experiments.get(row.experiment)
    if not experiment or row.profile not in experiment.profiles:
        return False
    known = (one.name == row.program and row.family in one.families for one in experiment.programs)
    now = take_fingerprint(experiment, row.variant, row.profile, interpreter) if any(known) else ""
    return row.fingerprint == now


def _tell_pins(pins: Mapping[str, str]) -> str:
    return ", ".join(f"{pin[:100]!a}" for _, pin in sorted(pins.items())) or "no packages"
