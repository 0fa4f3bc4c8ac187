"""Rules for contributed records, beyond those that every results file keeps.

A rule gives a sentence for each fault. No run of a program gives what a rule refuses; what the
rules accept may still be invented.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from statistics import median

from scripts.harness.experiment import Experiment
from scripts.harness.packages import find_packages
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record
from scripts.site.check.results import find_untrue, is_current

LEAST_MEMORY_BYTES = 1 << 20  # no Python starts in less: the smallest of ours takes nine times that
# Tracing slows a program down, of ours up to 2.3 times. No trace lasts longer than this.
LONGEST_TRACE_RATIO = 5
LONGEST_TRACE_EXTRA_S = 5.0
LEAST_TRACED_SHARE = 0.9  # of the peak, which a trace reaches; ours reach it exactly
MANY_TRIALS = 5  # among so many, no two take the same nanoseconds, let alone all
LEAST_COMPUTING_SHARE = 0.8  # of its time, for which a baseline that computes keeps a core busy
LARGEST_GAIN_PER_CORE = 10.0  # over a sequential program that computes: of ours at most 2
LEAST_CPU_RATIO = 0.01  # of the CPU time of the sequential baseline: of ours at least 0.09
LARGEST_DISTURBED_SHARE = 0.1  # an experiment with more disturbed trials cannot be judged

Experiments = Mapping[str, Experiment]


def find_doubtful(
    rows: Sequence[Record], interpreter: Interpreter, experiments: Experiments
) -> Iterator[str]:
    """Find what of a contributed file cannot be, or cannot be judged; a sentence each."""
    yield from find_untrue(rows, interpreter, experiments)
    for row in rows:
        for rule in (check_memory, check_trace_length, check_trace_peak, check_clock):
            for fault in rule(row):
                yield f"{row.variant}: {fault}"
        if fault := check_packages(row, interpreter, experiments):
            yield f"{row.variant}: {fault}"
    yield from find_impossible_gains(rows, experiments)
    yield from find_disturbed(rows)


def check_memory(row: Record) -> Iterator[str]:
    """No Python takes less than a mebibyte."""
    for name in ("max_rss_bytes", "peak_pss_bytes"):
        least = min(filter(None, row.list_values(name)), default=LEAST_MEMORY_BYTES)
        if least < LEAST_MEMORY_BYTES:
            yield f"{name} is {least}, but no Python takes less than {LEAST_MEMORY_BYTES}"


def check_trace_length(row: Record) -> Iterator[str]:
    """A traced run lasts about as long as a timed one."""
    ends_s = [trace[-1][0] for trace in row.traces if trace]
    longest_s = LONGEST_TRACE_RATIO * max(row.wall_s, default=0.0) + LONGEST_TRACE_EXTRA_S
    if row.wall_s and ends_s and max(ends_s) > longest_s:
        yield f"a trace lasts {max(ends_s)} s, its timed runs {max(row.wall_s)} s at most"


def check_trace_peak(row: Record) -> Iterator[str]:
    """The peak is one of the samples of which the trace consists."""
    for peak, trace in zip(row.peak_pss_bytes, row.traces, strict=True):
        if not peak or not trace:
            continue
        _, size, _ = max(trace, key=itemgetter(1))
        if not LEAST_TRACED_SHARE * peak <= size <= peak / LEAST_TRACED_SHARE:
            yield f"a trace has {size} bytes at most, but its peak is {peak}"


def check_clock(row: Record) -> Iterator[str]:
    """Times differ from trial to trial, and are not all whole seconds."""
    if len(row.wall_s) >= MANY_TRIALS and len(set(row.wall_s)) == 1:
        yield f"all {len(row.wall_s)} trials took the same {row.wall_s[0]} s"
    if len(row.wall_s) > 1 and all(wall_s.is_integer() for wall_s in row.wall_s):
        yield "all trials took whole seconds"


def check_packages(row: Record, interpreter: Interpreter, experiments: Experiments) -> str:
    """A program as it is now ran with the packages that are pinned."""
    if not row.packages or not is_current(row, interpreter, experiments):
        return ""
    pinned = find_packages(experiments[row.experiment], row.program, interpreter.version)
    if row.packages == pinned:
        return ""
    return f"it ran with {_tell_pins(row.packages)}, but {_tell_pins(pinned)} are pinned"


def find_impossible_gains(rows: Sequence[Record], experiments: Experiments) -> Iterator[str]:
    """Find programs that took too little time or CPU time for what their baseline computed."""
    baselines = {_list_terms(row): row for row in rows if _is_computing_baseline(row, experiments)}
    for row in rows:
        baseline = baselines.get(_list_terms(row))
        if baseline is None or not row.wall_s:
            continue
        gain = median(baseline.wall_s) / median(row.wall_s)
        if gain > LARGEST_GAIN_PER_CORE * row.cores:
            yield f"{row.variant}: it is {gain:.0f} times as fast as {baseline.program}"
        share = _find_cpu(row) / _find_cpu(baseline)
        if share < LEAST_CPU_RATIO:
            yield f"{row.variant}: it took {share:.2g} of the CPU time of {baseline.program}"


def find_disturbed(rows: Sequence[Record]) -> Iterator[str]:
    """Find experiments in which other programs disturbed too many timed trials."""
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in rows:
        trials = (*row.timed, *row.disturbed)
        found[row.interpreter, row.experiment] += [one.is_disturbed(row.cores) for one in trials]
    for (interpreter, experiment), disturbed in found.items():
        count = sum(disturbed)
        if count > max(1, LARGEST_DISTURBED_SHARE * len(disturbed)):
            yield (
                f"{experiment} with {interpreter}: other programs disturbed {count} of"
                f" {len(disturbed)} timed trials; end them and measure it again: make measure FRESH=1"
                f" ONLY={experiment}"
            )


def _find_cpu(row: Record) -> float:
    """The median CPU time of the timed trials."""
    return median(row.list_values("cpu_s") or [0.0])


def _list_terms(row: Record) -> tuple[object, ...]:
    """List what rows have in common that did the same work in the same place."""
    place = (row.interpreter, row.profile, row.experiment, row.family, row.cores, row.tasks)
    return (*place, *sorted(row.params.items()))


def _is_computing_baseline(row: Record, experiments: Experiments) -> bool:
    """Tell whether a row is of a sequential baseline that keeps one core busy."""
    experiment = experiments.get(row.experiment)
    if not experiment or not row.wall_s:
        return False
    baselines = {family.name: family.baseline for family in experiment.families}
    if baselines.get(row.family) != row.program:
        return False
    if experiment.program(row.program).kind != "sequential":
        return False
    return _find_cpu(row) >= LEAST_COMPUTING_SHARE * median(row.wall_s)


def _tell_pins(pins: Mapping[str, str]) -> str:
    return ", ".join(f"{pin[:100]!a}" for _, pin in sorted(pins.items())) or "no packages"
