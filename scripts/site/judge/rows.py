"""Rows: the judged cells of an experiment, and how to choose among them.

A program is measured on several Pythons and core counts, with several numbers of tasks and of
workers, and under several start methods. Whoever compares or shows some of these chooses them here;
so does whoever follows a program from one release to the next, among builds made alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from poolwise.pythons import Interpreter, rank_interpreter
from poolwise.record import Record
from scripts.site.judge.evidence import Evidence, Judgement, Rows

Track = Mapping[tuple[str, str], Judgement]  # cells by version and GIL, the oldest first
Tracks = Mapping[tuple[str, str, int], Track]  # by family, program and number of workers


def list_records(evidences: Iterable[Evidence]) -> list[Record]:
    """List what was measured on a machine."""
    return [row.record for one in evidences for row in one.judgements if row.record.timed]


def select_family(evidence: Evidence, family: str, programs: Sequence[str] = ()) -> Rows:
    """Choose a family on the most cores and the first Python that has any, in the order of ``programs``."""
    members = evidence.rows.where(family=family)
    # Records of another machine may be older than a family, or newer than what is declared.
    declared = [one.name for one in evidence.experiment.programs if family in one.families]
    known = list(dict.fromkeys((*declared, *members.by("program"))))
    if unknown := sorted(set(programs) - set(known)):
        raise ValueError(f"no {', '.join(unknown)} in {family}; there are {', '.join(known)}")
    shown = members.first_python(evidence.interpreters)
    cores = max(shown.measured.values("cores"), default=None)
    groups = shown.where(cores=cores).by("program")
    return Rows(row for program in programs or known for row in groups.get(program, ()))


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
    found = []
    for number, evidence in enumerate(evidences):
        # The newest first, as most readers have one of these; of one version the plain build first.
        pythons = sorted(evidence.interpreters, key=lambda one: rank_interpreter(one.id))
        pythons.sort(key=lambda one: rank_interpreter(one.version), reverse=True)
        own = _list_own(evidence, family)
        most = max((place.cores for place in own), default=0)
        for place in own:
            age, fewer = pythons.index(place.interpreter), most - place.cores
            is_first = place.interpreter == evidence.interpreters[0]
            # Where room is short, the most cores of every machine go before fewer, first Pythons too.
            urgency = (fewer > 0, not is_first, age, number, fewer)
            found.append((urgency, (number, fewer, age), place))
    found.sort(key=lambda one: one[0])
    shown = sorted(found[:limit], key=lambda one: one[1])
    return [place for _, _, place in shown], len(found) - len(shown)


def _list_own(evidence: Evidence, family: str) -> list[Place]:
    """List the places of one machine where something can be held against the family's baseline."""
    members: list[Judgement] = []
    for own in evidence.rows.where(family=family).by("program", "interpreter", "cores").values():
        # A size that the baseline lacks shows nothing where there is one that it has.
        members += Rows(row for row in own if row.speedup) or own
    table = Rows(members).largest().pivot(["interpreter", "cores"], ["program"])
    pythons = {one.id: one for one in evidence.interpreters}
    return [
        Place(evidence=evidence, interpreter=pythons[python], cores=cores, cells=cells)
        for (python, cores), cells in table.items()
        if python in pythons and any(row.speedup for row in cells.values())
    ]


def order_releases(interpreters: Iterable[Interpreter]) -> list[Interpreter]:
    """Put the oldest first; of one version the plain build comes before others."""
    return sorted(interpreters, key=lambda one: (rank_interpreter(one.version), one.id))


def choose_released(evidences: Sequence[Evidence], families: Sequence[str]) -> Evidence:
    """Choose the machine with most releases of builds alike; of equally many the first."""
    return max(evidences, key=lambda one: len(_choose_alike(one, families)))


def list_tracks(evidence: Evidence, families: Sequence[str]) -> Tracks:
    """List the tracks of some families on all cores, of the builds alike that have most versions."""
    builds = _choose_alike(evidence, families)
    rows = Rows(row for row in evidence.rows.measured if row.workers <= row.cores)
    tracks: dict[tuple[str, str, int], dict[tuple[str, str], Judgement]] = {}
    for family in families:
        own = rows.where(family=family).most("cores").largest()
        for key, found in own.by("family", "program", "workers").items():
            cells, by_python = tracks.setdefault(key, {}), {row.interpreter: row for row in found}
            for build in builds:
                if row := by_python.get(build.id):
                    cells.setdefault((build.version, build.gil), row)
    return tracks


def _choose_alike(evidence: Evidence, families: Sequence[str]) -> list[Interpreter]:
    """Choose the builds alike, of most versions, that ran any of the families; the oldest first."""
    used = {row.interpreter for row in evidence.rows.measured if row.family in families}
    groups: dict[object, list[Interpreter]] = {}
    for one in order_releases(evidence.interpreters):
        # A free-threaded build that runs with the GIL is no other release.
        if one.id in used and one.free_threaded == (one.gil == "off"):
            groups.setdefault(one.options, []).append(one)
    return max(groups.values(), key=lambda group: len({one.version for one in group}), default=[])
