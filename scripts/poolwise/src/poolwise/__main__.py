"""The command line of the harness alone: ``python -m poolwise examples/json``.

Measures one experiment, prints a table and keeps the records in a folder of their own.
"""

import sys

try:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from datetime import UTC, datetime
    from pathlib import Path
    from typing import get_args

    from poolwise.experiment import BUDGETS_S, ProfileName, load_experiment
    from poolwise.load import Meter
    from poolwise.machine import describe_machine, usable_cores
    from poolwise.mine import COMMANDS, run_mine
    from poolwise.output import align, defuse
    from poolwise.plan import (
        begin_cell,
        count_trials,
        list_variants,
        plan_job,
        select_variants,
    )
    from poolwise.process import LauncherError
    from poolwise.progress import report
    from poolwise.pythons import select
    from poolwise.record import Record
    from poolwise.run import collect, describe_job, keep_lacking, take_turn
    from poolwise.samplers import Pacer
    from poolwise.statistics import estimate_median
    from poolwise.store import RecordsError, Store
    from poolwise.trial import LoadServerError
except KeyboardInterrupt:  # importing takes long enough for a change of mind
    sys.exit(130)

COLUMNS = (
    *("program", "family", "python", "cores", "tasks", "workers"),
    *("median s", "interval s", "trials"),
)
# A program's name is read from the left, a number from the right.
ALIGNED_LEFT = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for; gives the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if arguments[:1] and arguments[0] in COMMANDS:
            return run_mine(arguments)
        records = measure(_make_parser().parse_args(arguments))
    except KeyboardInterrupt:
        print("Stopped. What was measured is kept; the next run goes on from here.")
        return 130
    except (RecordsError, LauncherError, LoadServerError, ValueError) as error:
        print(defuse(str(error)), file=sys.stderr)
        return 2
    print(*align([COLUMNS, *map(_make_row, records)], ALIGNED_LEFT), sep="\n")
    return int(any(record.status in ("failed", "timeout") for record in records))


def _make_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="poolwise",
        description="Measure the programs of an experiment, print a table, keep the records.",
    )
    add = parser.add_argument
    add("experiment", type=Path, help="the folder that has its experiment.toml")
    told = "the folder of the records: MACHINE/INTERPRETER.json in it (harness-results)"
    add("--into", type=Path, default=Path("harness-results"), help=told)
    profiles = get_args(ProfileName)
    add("--profile", choices=profiles, default="quick", help="how large the work is (quick)")
    told = (
        "measure what matches: a program, its number, or EXPERIMENT:FAMILY; !PATTERN for the rest"
    )
    add("--only", default="", help=told)
    told = "auto for all that are found, or names such as 3.14,3.14t (the running one)"
    add("--interpreters", default="", help=told)
    return parser


def measure(chosen: Namespace) -> list[Record]:
    """Run what the chosen experiment lacks in its folder of records; gives all of its records."""
    experiment = load_experiment(chosen.experiment.resolve())
    profile = experiment.profiles[chosen.profile]
    machine, usable, installations = describe_machine(), usable_cores(), select(chosen.interpreters)
    interpreters = {one.interpreter.id: one.interpreter for one in installations}
    pythons = list(interpreters.values())
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
            known = store.find(variant, profile.name)
            is_valid = known and known.fingerprint == new.fingerprint and not known.may_change
            records[variant] = known if known and is_valid else new
        runs = [variant for variant, record in records.items() if record.status == "ok"]
        asked = {variant: count_trials(profile, variant) for variant in runs}
        job = plan_job(experiment, profile, records, asked, store, installations, installations)
        keep_lacking([job], store)
        if job.steps:
            report(describe_job(job))
            collect([job], store, usable, Meter(usable), pacer=pacer)
    found = (store.find(variant, profile.name) for variant in selected)
    return [record for record in found if record]


def _make_row(record: Record) -> tuple[str, ...]:
    """The cells of a record; in the place of its numbers, why there are none."""
    method = f" ({record.start_method})" if record.start_method else ""
    cell = (record.program + method, record.family, record.interpreter)
    numbers: tuple[str, str] = (record.status, "")
    if record.is_measured:
        found = estimate_median(record.wall_s)
        numbers = (f"{found.median:.4g}", f"{found.low:.4g}–{found.high:.4g}")
    trials = len(record.wall_s)
    return (*cell, *map(str, (record.cores, record.tasks, record.workers)), *numbers, str(trials))


if __name__ == "__main__":
    sys.exit(main())
