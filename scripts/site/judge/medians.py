"""Medians: what a build adds to the history, from what is judged."""

from collections.abc import Iterable, Iterator
from typing import cast

from scripts.harness.experiment import ProfileName
from scripts.site.judge.history import Median, is_true
from scripts.site.judge.judge import Evidence
from scripts.site.judge.selection import find_largest, select_cells, select_measured

_NO_FORMULA = "=+-@\t\r\n "
"""A spreadsheet takes what begins so for a formula."""


def list_medians(evidences: Iterable[Evidence]) -> Iterator[Median]:
    """A median for each program of each family on each interpreter that has a baseline to compare."""
    for evidence in evidences:
        pythons = {one.id: one.name for one in evidence.interpreters}
        measured = [
            one for one in select_measured(evidence.judgements) if one.speedup and one.can_decide
        ]
        cells = ((one.record.variant, one) for one in measured)
        keys = dict.fromkeys((at.interpreter, at.family, at.program) for at, _ in cells)
        for interpreter, family, program in keys:
            members = select_cells(
                measured, interpreter=interpreter, family=family, program=program
            )
            found = find_largest(members)
            if found is None or not found.speedup or not (time_s := found.median(found.time)):
                continue
            median = Median(
                date=found.record.measured_at.date(),
                machine=evidence.machine.id,
                cpu_model=(evidence.machine.cpu_model or "").lstrip(_NO_FORMULA)[:200],
                interpreter=interpreter,
                python=pythons.get(interpreter, interpreter),
                profile=cast("ProfileName", evidence.profile),
                experiment=evidence.experiment.name,
                family=family,
                program=program,
                cores=found.record.variant.cores,
                tasks=found.record.variant.tasks,
                speedup=round(found.speedup.median, 4),
                low=round(found.speedup.low, 4),
                high=round(found.speedup.high, 4),
                time_s=round(time_s, 6),
            )
            if is_true(median):
                yield median
