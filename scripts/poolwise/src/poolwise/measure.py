"""The command ``run``: measures the programs of an experiment, prints a table, keeps the records."""

from argparse import Namespace
from datetime import UTC, datetime

from poolwise.experiment import BUDGETS_S, load_experiment
from poolwise.load import Meter
from poolwise.machine import describe_machine, usable_cores
from poolwise.output import align
from poolwise.plan import begin_cell, count_trials, list_variants, plan_job, select_variants
from poolwise.progress import report
from poolwise.pythons import select
from poolwise.record import Record
from poolwise.run import collect, describe_job, keep_lacking, take_turn
from poolwise.samplers import Pacer
from poolwise.statistics import estimate_median
from poolwise.store import RecordsError, Store
from poolwise.trace import record_trace
from poolwise.trial import LoadServerError
from poolwise.words import Refused, Words

HEADS = ("program", "family", "python", "cores", "tasks", "workers", "median", "interval", "trials")
ALIGNED_LEFT = 3  # a program's name is read from the left, a number from the right


def print_measured(chosen: Namespace, words: Words) -> int:
    """Measure the chosen experiment and print its table; the status is 1 if a program failed."""
    if chosen.trace:
        return record_trace(chosen)
    try:
        records = measure(chosen)
    except (RecordsError, LoadServerError) as error:
        raise Refused(str(error)) from None
    head = [words.text(f"cli.column-{column}") for column in HEADS]
    print(*align([head, *map(_make_row, records)], ALIGNED_LEFT), sep="\n")
    return int(any(record.status in ("failed", "timeout") for record in records))


def measure(chosen: Namespace) -> list[Record]:
    """Run what the chosen experiment lacks in its folder of records; gives all of its records."""
    experiment = load_experiment(chosen.experiment.resolve())
    profile = experiment.profiles[chosen.profile]
    machine, usable, installations = describe_machine(), usable_cores(), select(chosen.interpreters)
    pythons = [installation.interpreter for installation in installations]
    interpreters = {python.id: python for python in pythons}
    variants = list_variants(experiment, profile, machine, pythons, pythons, len(usable))
    selected = select_variants(variants, chosen.only)
    store = Store(chosen.into, machine, pythons, report)
    # Where nothing is decided by few trials, the pace of cores tells nothing either.
    pacer = Pacer() if BUDGETS_S[profile.name] else None
    with take_turn(chosen.into):
        store.read()
        store.begin_session(datetime.now(UTC))
        records = {}
        for variant in selected:
            new = begin_cell(experiment, variant, profile.name, interpreters[variant.interpreter])
            records[variant] = store.find(variant, profile.name) or new
            known = records[variant]
            if known.fingerprint != new.fingerprint or known.may_change:
                records[variant] = new
        runs = [variant for variant, record in records.items() if record.status == "ok"]
        counts = {variant: count_trials(profile, variant) for variant in runs}
        job = plan_job(experiment, profile, records, counts, store, installations, installations)
        keep_lacking([job], store)
        if job.steps:
            report(describe_job(job))
            collect([job], store, usable, Meter(usable), pacer=pacer)
    measured = (store.find(variant, profile.name) for variant in selected)
    return [record for record in measured if record]


def _make_row(record: Record) -> tuple[str, ...]:
    """The cells of a record; in the place of its numbers, why there are none."""
    program, interval = record.program, ""
    time: str = record.status
    if record.start_method:
        program += f" ({record.start_method})"
    if record.is_measured:
        median = estimate_median(record.wall_s)
        time, interval = f"{median.median:.4g}", f"{median.low:.4g}–{median.high:.4g}"
    counts = map(str, (record.cores, record.tasks, record.workers, len(record.wall_s)))
    *size, trials = counts
    return (program, record.family, record.interpreter, *size, time, interval, trials)
