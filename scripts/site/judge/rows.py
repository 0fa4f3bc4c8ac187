"""Rows to show: a family in one place, and its places on all machines."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

from poolwise.pythons import Interpreter, rank_interpreter
from poolwise.record import Record
from scripts.site.judge.evidence import Evidence, Judgement, Rows


def list_records(evidences: Iterable[Evidence]) -> list[Record]:
    """List what was measured on a machine."""
    records: list[Record] = []
    for evidence in evidences:
        records += (row.record for row in evidence.judgements if row.record.timed)
    return records


def select_family(evidence: Evidence, family: str, programs: Sequence[str] = ()) -> Rows:
    """Choose a family on the most cores and the first Python that has any, in the order of ``programs``."""
    members = evidence.rows.where(family=family)
    known: dict[str, None] = {}
    for program in evidence.experiment.programs:
        if family in program.families:
            known[program.name] = None
    # Records of another machine may be older than a family, or newer than what is declared.
    known |= dict.fromkeys(members.by("program"))
    if unknown := sorted(set(programs) - known.keys()):
        raise ValueError(f"no {', '.join(unknown)} in {family}; there are {', '.join(known)}")
    rows = members.first_python(evidence.interpreters)
    cores = max(rows.measured.values("cores"), default=None)
    groups = rows.where(cores=cores).by("program")
    return Rows(chain.from_iterable(groups.get(program, ()) for program in programs or known))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A core count of a Python of a machine, and what programs of a family gave there, by name.

    Between places gains over the plainest program there are compared, never times. Of a program it has
    the most tasks that the baseline has too, of these the fastest.
    """

    evidence: Evidence
    interpreter: Interpreter
    cores: int
    cells: Mapping[str, Judgement]


def list_places(
    evidences: Sequence[Evidence], family: str, limit: int | None = None
) -> tuple[list[Place], int]:
    """List the places where a family was measured, machine by machine; count those beyond the limit."""
    ranked = []
    for number, evidence in enumerate(evidences):
        # The newest first, as most readers have one of these; of one version the plain build first.
        pythons = sorted(evidence.interpreters, key=lambda python: rank_interpreter(python.id))
        pythons.sort(key=lambda python: rank_interpreter(python.version), reverse=True)
        places = _list_machine_places(evidence, family)
        most = max((place.cores for place in places), default=0)
        for place in places:
            age, fewer = pythons.index(place.interpreter), most - place.cores
            is_first = place.interpreter == evidence.interpreters[0]
            # Where room is short, the most cores of every machine go before fewer, first Pythons too.
            urgency = (fewer > 0, not is_first, age, number, fewer)
            ranked.append((urgency, (number, fewer, age), place))
    ranked.sort(key=itemgetter(0))
    kept = sorted(ranked[:limit], key=itemgetter(1))
    return [place for _, _, place in kept], len(ranked) - len(kept)


def _list_machine_places(evidence: Evidence, family: str) -> list[Place]:
    """List the places of one machine where something can be held against the family's baseline."""
    members: list[Judgement] = []
    for group in evidence.rows.where(family=family).by("program", "interpreter", "cores").values():
        # A size that the baseline lacks shows nothing where there is one that it has.
        members += Rows(row for row in group if row.speedup) or group
    table = Rows(members).largest().pivot(["interpreter", "cores"], ["program"])
    pythons = {python.id: python for python in evidence.interpreters}
    places = []
    for (name, cores), cells in table.items():
        if name in pythons and any(row.speedup for row in cells.values()):
            python = pythons[name]
            places.append(Place(evidence=evidence, interpreter=python, cores=cores, cells=cells))
    return places


def order_releases(interpreters: Iterable[Interpreter]) -> list[Interpreter]:
    """Put the oldest first; of one version the plain build comes before others."""
    return sorted(interpreters, key=lambda python: (rank_interpreter(python.version), python.id))
