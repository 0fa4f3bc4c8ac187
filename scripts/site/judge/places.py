"""Places: where the programs of a family were run, machine by core count and Python.

Each place is judged by itself: what is compared between places is what a program gains on the
plainest one of its family there, never their times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scripts.harness.pythons import Interpreter, order_interpreters
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import choose_largest, list_sizes, select_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A core count of an interpreter of a machine, and what programs of a family gave, by name.

    Of one measured with several numbers of tasks it is that with most, of several numbers of
    workers or start methods the fastest.
    """

    evidence: Evidence
    interpreter: Interpreter
    cores: int
    cells: Mapping[str, Judgement]


def list_places(
    evidences: Sequence[Evidence], family: str, most: int | None = None
) -> tuple[list[Place], int]:
    """The places where a family was measured, and how many more there are than are wanted.

    Args:
        evidences: of one experiment, one of each machine.
        family: its name.
        most: how many to give; the most cores of every machine go before fewer, the first
            interpreters of all machines before their others.

    Returns:
        the places, machine by machine, of each those with most cores first, then by Python, the
        newest first; and how many were left out.
    """
    found = []
    for number, evidence in enumerate(evidences):
        pythons = order_interpreters(evidence.interpreters)
        own = _list_own(evidence, family)
        for place in own:
            age = pythons.index(place.interpreter)
            is_first = place.interpreter == evidence.interpreters[0]
            fewer = max(one.cores for one in own) - place.cores
            chosen_by = (fewer > 0, not is_first, age, number, fewer)
            found.append((chosen_by, (number, -place.cores, age), place))
    shown = sorted(found, key=lambda one: one[0])[:most]
    places = [place for _, _, place in sorted(shown, key=lambda one: one[1])]
    return places, len(found) - len(places)


def _list_own(evidence: Evidence, family: str) -> list[Place]:
    """The places of one machine where something of a family can be held against its baseline."""
    members = select_cells(choose_largest(evidence.judgements), family=family)
    places = [
        Place(
            evidence=evidence,
            interpreter=interpreter,
            cores=cores,
            cells=_choose_fastest(select_cells(members, interpreter=interpreter.id, cores=cores)),
        )
        for interpreter in evidence.interpreters
        for cores in list_sizes(members, "cores")
    ]
    return [one for one in places if any(judged.speedup for judged in one.cells.values())]


def _choose_fastest(judgements: Sequence[Judgement]) -> dict[str, Judgement]:
    def rank(judged: Judgement) -> tuple[bool, float]:
        return not judged.record.is_measured, judged.median(judged.time) or 0.0

    found: dict[str, Judgement] = {}
    for judged in sorted(judgements, key=rank):
        found.setdefault(judged.record.variant.program, judged)
    return found
