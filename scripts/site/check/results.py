"""Results files against their schema, the rules of records, and what is declared.

What strangers send is refused for nothing else: a value that can be may still be invented, and so it enters
no page but the table of what was contributed.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from poolwise.declaration import read_text
from poolwise.experiment import Experiment
from poolwise.metrics import METRICS
from poolwise.pythons import rank_interpreter
from poolwise.record import Record
from poolwise.store import RecordsError, list_files, locate_contributed, read_results
from scripts.site.judge.noise import find_too_short
from scripts.site.study.snippets import FILE, list_snippets, locate, read_printed
from scripts.site.study.timeline import list_timelines, read_timeline


def find_bad_results(results: Path, experiments: Mapping[str, Experiment]) -> Iterator[str]:
    """Find everything in results files and timelines that cannot be, or cannot be read."""
    for folder in (results, locate_contributed(results)):
        for path in list_files(folder):
            try:
                if kept := read_results(path):
                    for fault in find_untrue(kept.records, experiments):
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
            path = f"examples/snippets/{locate(name).name}"
            yield f"{results / FILE}: {path} has changed since; make site MEASURE=0 runs it"


def find_released(results: Path) -> Iterator[str]:
    """Find the measured pre-releases of a Python that has come out since; a sentence a release."""
    path = results / "releases.toml"
    days = tomllib.loads(read_text(path)) if path.exists() else {}
    measured = defaultdict(set)
    for file in list_files(results):
        version = rank_interpreter(file.stem)[1]
        if version.is_prerelease:
            measured[version.base_version].add(version)
    for release in sorted(days.keys() & measured.keys()):
        names = ", ".join(map(str, sorted(measured[release])))
        yield f"{results}: Python {release} is out since {days[release]}; measure it after {names}"


def find_untrue(rows: Sequence[Record], experiments: Mapping[str, Experiment]) -> Iterator[str]:
    """Find what of a file's rows cannot be, by what is declared; a sentence each."""
    names = dict.fromkeys(row.experiment for row in rows)
    for name in names if experiments else ():  # there are none if a declaration is wrong
        if name not in experiments:
            yield f"no experiment {name!r} is declared"
    yield from filter(None, (find_too_short(experiments, row) for row in rows))


def find_undeclared(row: Record, experiments: Mapping[str, Experiment]) -> Iterator[str]:
    """Find what a row of a declared experiment has that is not declared; a sentence each.

    Any parameter may be there: with one that is not declared now, the row is of an older program.
    """
    experiment = experiments.get(row.experiment)
    if experiment is None:
        return
    families = {program.name: program.families for program in experiment.programs}
    if row.family not in families.get(row.program, ()):
        yield f"{row.variant}: no such program is declared in the family {row.family!r}"
        return
    disturbed = {name for values in row.disturbed_values for name in values}
    for what, unknown in (
        ("reading", row.readings.keys() - {*experiment.readings}),
        ("metric", disturbed - METRICS.keys()),
    ):
        if unknown:
            yield f"{row.variant}: no {what} {', '.join(sorted(unknown))} is declared"
