"""Releases: what each program earns on every Python of a machine, and whether that depends on which."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from scripts.harness.pythons import Interpreter, rank_interpreter
from scripts.site.declare.claims import UNSETTLED, Verdict
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.places import list_places

UNCLEAR: tuple[Verdict | None, ...] = (None, *UNSETTLED)
"""Verdicts that leave open what a program earns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A program of a family on so many cores, by the ids of the Pythons that ran it, the oldest first."""

    family: str
    program: str
    cores: int
    cells: Mapping[str, Judgement]

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """The clear ones, by the ids of their Pythons."""
        found = ((id_, one.verdict) for id_, one in self.cells.items())
        return {id_: verdict for id_, verdict in found if verdict and verdict not in UNCLEAR}

    @property
    def differs(self) -> bool:
        """Whether the verdict depends on the Python."""
        return len(set(self.verdicts.values())) > 1


def order_releases(interpreters: Sequence[Interpreter]) -> list[Interpreter]:
    """The oldest first; of one version the plain build comes before others."""
    return sorted(interpreters, key=lambda one: (rank_interpreter(one.version), one.id))


def choose_released(evidences: Sequence[Evidence], families: Sequence[str]) -> Evidence:
    """Of several machines the first on which programs of any of these families ran on several Pythons.

    The first of all if there is none.
    """
    several = (
        one for one in evidences if any(any(list_careers(one, family)) for family in families)
    )
    return next(several, evidences[0])


def list_careers(evidence: Evidence, family: str) -> Iterator[Career]:
    """Every program of a family, but its baseline, that can be held against that on several Pythons.

    Those on the most cores come first, then in the order of their declaration.
    """
    places, _ = list_places([evidence], family)
    ages = {one.id: age for age, one in enumerate(order_releases(evidence.interpreters))}
    ordered = sorted(places, key=lambda one: (-one.cores, ages[one.interpreter.id]))
    for cores, group in groupby(ordered, key=lambda one: one.cores):
        own = list(group)
        for program in evidence.experiment.programs:
            if program.name == evidence.experiment.family(family).baseline:
                continue
            cells = {
                one.interpreter.id: judged
                for one in own
                if (judged := one.cells.get(program.name)) and judged.speedup
            }
            if len(cells) > 1:
                yield Career(family=family, program=program.name, cores=cores, cells=cells)
