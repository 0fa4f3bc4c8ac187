"""Regret: how far a program is from the best of its family, in the quantity that the question weighs."""

from dataclasses import dataclass

from poolwise.declaration import MalformedDeclaration
from poolwise.experiment import name_unknown
from poolwise.statistics import Estimate
from scripts.site.judge.evidence import Evidence, Judgement, Rows
from scripts.site.judge.judge import find_asked_sizes
from scripts.site.judge.rows import select_family
from scripts.site.judge.samples import estimate_ratio

LARGEST_REGRET = 1.5  # times the best: whoever chose a way within it has chosen well


@dataclass(frozen=True, slots=True, kw_only=True)
class Regret:
    """A program beside the best of its family: ``ratio`` is what it takes of ``metric`` over that."""

    row: Judgement
    best: Judgement
    metric: str
    ratio: Estimate

    @property
    def is_accepted(self) -> bool:
        """Tell whether it is within the limit, and does nothing that no speed makes up for."""
        return self.row.verdict != "disqualified" and self.ratio.median <= LARGEST_REGRET

    @property
    def is_unsure(self) -> bool:
        """Tell whether it is above the limit, and too few or too unlike trials say so to be sure."""
        return self.ratio.low <= LARGEST_REGRET < self.ratio.median


def find_regret(evidence: Evidence, family: str, program: str) -> Judgement | Regret | None:
    """Find the regret of a program at the asked size; the row alone where it has no result, if any.

    Raises:
        MalformedDeclaration: the family has no such program.
        KeyError: it has no question.
    """
    experiment = evidence.experiment
    members = {known.name for known in experiment.programs if family in known.families}
    if program not in members:
        raise MalformedDeclaration(name_unknown("program", program, members))
    metric = experiment.questions[family].weigh
    size = find_asked_sizes(experiment, (row.record for row in evidence.judgements)).get(family)
    rows = Rows(row for row in select_family(evidence, family) if row.tasks == size)
    measured = [row for row in rows if row.median(metric) is not None]
    measured.sort(key=lambda row: row.median(metric) or 0.0)
    chosen = next((row for row in measured if row.program == program), None)
    if chosen is None:
        return next((row for row in rows if row.program == program), None)
    best = next((row for row in measured if row.verdict != "disqualified"), chosen)
    ratio = estimate_ratio(chosen.sample(metric), best.sample(metric))
    return Regret(row=chosen, best=best, metric=metric, ratio=ratio)
