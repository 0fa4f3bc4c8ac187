"""Places: where the programs of a family were run, machine by core count and Python.

Each place is judged by itself: what is compared between places is what a program gains on the
plainest one of its family there, never their times.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scripts.host.interpreters import Interpreter
from scripts.judge.evidence import Evidence
from scripts.judge.judgement import Judgement
from scripts.judge.selection import choose_largest, is_measured, list_sizes, select_cells


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
        most: how many to give; the first interpreters of all machines go before their others.

    Returns:
        the places, machine by machine, those with most cores first; and how many were left out.
    """
    found = [
        (rank, place)
        for evidence in evidences
        for rank, interpreter in enumerate(evidence.interpreters)
        for place in _list_own(evidence, interpreter, family)
    ]
    chosen = sorted(range(len(found)), key=lambda index: (found[index][0], index))[:most]
    return [found[index][1] for index in sorted(chosen)], len(found) - len(chosen)


def _list_own(evidence: Evidence, interpreter: Interpreter, family: str) -> list[Place]:
    members = select_cells(
        choose_largest(evidence.judgements), family=family, interpreter=interpreter.id
    )
    places = [
        Place(
            evidence=evidence,
            interpreter=interpreter,
            cores=cores,
            cells=_choose_fastest(select_cells(members, cores=cores)),
        )
        for cores in reversed(list_sizes(members, "cores"))
    ]
    return [one for one in places if any(judged.speedup for judged in one.cells.values())]


def _choose_fastest(judgements: Sequence[Judgement]) -> dict[str, Judgement]:
    def rank(judged: Judgement) -> tuple[bool, float]:
        return not is_measured(judged.record), judged.median(judged.time) or 0.0

    found: dict[str, Judgement] = {}
    for judged in sorted(judgements, key=rank):
        found.setdefault(judged.record.variant.program, judged)
    return found
