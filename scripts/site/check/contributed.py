"""Contributed records: what strangers' rows have to keep beyond what every row does.

A rule is a function that gives a sentence for each fault. What a rule refuses no run of a program
gives; what it takes may still be invented.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from statistics import median

from scripts.harness.experiment import Experiment
from scripts.harness.fingerprint import take_fingerprint
from scripts.harness.metrics import METRICS, read_value
from scripts.harness.packages import find_packages
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Trial
from scripts.harness.row import Row, list_columns, list_trials, read_row

CPU = METRICS["cpu_s"].of
LEAST_MEMORY_BYTES = 1 << 20
"""No Python starts in less: the smallest of ours takes nine times as much."""
TRACE_TIMES = 5
"""Tracing slows a program down, of ours by up to 2.3 times; a trace lasts no longer than that."""
TRACE_SLACK_S = 5.0
TRACE_SHARE = 0.9
"""A trace reaches that share of the peak at least. Ours have the peak itself."""
MANY_TRIALS = 5
"""Of so many trials no two took the same nanoseconds, let alone all."""
COMPUTING_SHARE = 0.8
"""A baseline computes if it keeps one core busy for that share of its time."""
GAIN_A_CORE = 10.0
"""How many times faster per core a program is than a sequential one that computes: of ours at most 2."""
LEAST_CPU_SHARE = 0.01
"""The CPU time that the same work takes of what its sequential baseline takes; of ours 0.09 at least."""
MOST_DISTURBED = 0.1
"""If more of its trials were disturbed, an experiment is not to be judged by them."""

Experiments = Mapping[str, Experiment]
Rule = Callable[[Row], Iterator[str]]


def find_doubtful(
    rows: Sequence[Row], interpreter: Interpreter, experiments: Experiments
) -> Iterator[str]:
    """What of the rows of a contributed file cannot be, or cannot be judged, a sentence each."""
    for row in rows:
        for fault in chain(*(rule(row) for rule in RULES)):
            yield f"{name_cell(row)}: {fault}"
        if fault := check_packages(row, interpreter, experiments):
            yield f"{name_cell(row)}: {fault}"
    yield from find_impossible_gains(rows, experiments)
    yield from find_disturbed(rows)


def name_cell(row: Row) -> str:
    """How a sentence calls a row: ``json/02-threads (8 tasks, 2 cores)``."""
    return f"{row.experiment}/{row.program} ({row.tasks} tasks, {row.cores} cores)"


def check_memory(row: Row) -> Iterator[str]:
    """No Python takes less than a mebibyte."""
    for name, values in list_columns(row, ("max_rss_bytes", "peak_pss_bytes")).items():
        least = min(filter(None, values), default=LEAST_MEMORY_BYTES)
        if least < LEAST_MEMORY_BYTES:
            yield f"{name} is {least}, but no Python takes less than {LEAST_MEMORY_BYTES}"


def check_trace_length(row: Row) -> Iterator[str]:
    """A traced run lasts about as long as a timed one."""
    ends_s = [trace[-1][0] for trace in row.traces if trace]
    most_s = TRACE_TIMES * max(row.wall_s, default=0.0) + TRACE_SLACK_S
    if row.wall_s and ends_s and max(ends_s) > most_s:
        yield f"a trace lasts {max(ends_s)} s, its timed runs {max(row.wall_s)} s at most"


def check_trace_peak(row: Row) -> Iterator[str]:
    """The peak is one of the samples of which the trace consists."""
    peaks = list_columns(row, ("peak_pss_bytes",))["peak_pss_bytes"]
    for peak, trace in zip(peaks, row.traces, strict=True):
        if not peak or not trace:
            continue
        _, size, _ = max(trace, key=itemgetter(1))
        if not TRACE_SHARE * peak <= size <= peak / TRACE_SHARE:
            yield f"a trace has {size} bytes at most, but its peak is {peak}"


def check_clock(row: Row) -> Iterator[str]:
    """Times differ from trial to trial, and none is a number of whole seconds."""
    if len(row.wall_s) >= MANY_TRIALS and len(set(row.wall_s)) == 1:
        yield f"all {len(row.wall_s)} trials took the same {row.wall_s[0]} s"
    if len(row.wall_s) > 1 and all(wall_s.is_integer() for wall_s in row.wall_s):
        yield "all trials took whole seconds"


RULES: tuple[Rule, ...] = (check_memory, check_trace_length, check_trace_peak, check_clock)


def check_packages(row: Row, interpreter: Interpreter, experiments: Experiments) -> str:
    """How packages of a row of a program as it is now are not those that are pinned; else empty."""
    experiment = experiments.get(row.experiment)
    if not experiment or row.profile not in experiment.profiles or not row.packages:
        return ""
    if row.program not in {one.name for one in experiment.programs}:
        return ""
    pinned = find_packages(experiment, row.program, interpreter.version)
    if row.packages == pinned:
        return ""
    if row.fingerprint != take_fingerprint(
        experiment, read_row(row).variant, row.profile, interpreter
    ):
        return ""
    return f"it ran with {_tell_pins(row.packages)}, but {_tell_pins(pinned)} are pinned"


def find_impossible_gains(rows: Sequence[Row], experiments: Experiments) -> Iterator[str]:
    """Programs that took too little time or CPU time for what their sequential baseline computed."""
    baselines = {_arena(row): row for row in rows if _is_computing_baseline(row, experiments)}
    for row in rows:
        baseline = baselines.get(_arena(row))
        if baseline is None or not row.wall_s:
            continue
        gain = median(baseline.wall_s) / median(row.wall_s)
        if gain > GAIN_A_CORE * row.cores:
            yield f"{name_cell(row)}: it is {gain:.0f} times as fast as {baseline.program}"
        share = _find_cpu(row) / _find_cpu(baseline)
        if share < LEAST_CPU_SHARE:
            yield f"{name_cell(row)}: it took {share:.2g} of the CPU time of {baseline.program}"


def find_disturbed(rows: Sequence[Row]) -> Iterator[str]:
    """Experiments of which other programs disturbed too many timed trials."""
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in rows:
        timed = list_trials(row, ("wall_s", "stolen_share", "others_share"))
        trials = [Trial(status="ok", values=values) for values in (*timed, *row.disturbed)]
        found[row.interpreter, row.experiment] += [one.is_disturbed(row.cores) for one in trials]
    for (interpreter, experiment), disturbed in found.items():
        count = sum(disturbed)
        if count > max(1, MOST_DISTURBED * len(disturbed)):
            yield (
                f"{experiment} with {interpreter}: other programs disturbed {count} of"
                f" {len(disturbed)} timed trials; end them and measure it again: make measure FRESH=1"
                f" ONLY={experiment}"
            )


def _find_cpu(row: Row) -> float:
    """The median CPU time of its timed trials."""
    return median(read_value("cpu_s", values) or 0.0 for values in list_trials(row, CPU))


def _arena(row: Row) -> tuple[object, ...]:
    """What rows have in common that did the same work in the same place."""
    place = (row.interpreter, row.profile, row.experiment, row.family, row.cores, row.tasks)
    return (*place, *sorted(row.params.items()))


def _is_computing_baseline(row: Row, experiments: Experiments) -> bool:
    experiment = experiments.get(row.experiment)
    if not experiment or not row.wall_s:
        return False
    baselines = {family.name: family.baseline for family in experiment.families}
    if baselines.get(row.family) != row.program:
        return False
    if experiment.program(row.program).kind != "sequential":
        return False
    return _find_cpu(row) >= COMPUTING_SHARE * median(row.wall_s)


def _tell_pins(pins: Mapping[str, str]) -> str:
    return ", ".join(f"{pin[:100]!a}" for _, pin in sorted(pins.items())) or "no packages"
