"""Releases: how the time of each program moves from one to the next, among builds made alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scripts.harness.pythons import Interpreter, rank_interpreter
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Rows, order_releases


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A program with so many workers, by the version of each release that ran it, the oldest first."""

    family: str
    program: str
    workers: int
    gil: str
    cells: Mapping[str, Judgement]


def choose_released(evidences: Sequence[Evidence], families: Sequence[str]) -> Evidence:
    """Choose the machine with most versions of builds alike; of equally many the first."""
    return max(evidences, key=lambda one: len(list_versions(list_tracks(one, families))))


def list_tracks(evidence: Evidence, families: Sequence[str]) -> list[Track]:
    """List the tracks of some families on all cores, of the builds alike that have most versions.

    A free-threaded build that runs with the GIL is left out: it is no other release.
    """
    builds = _choose_alike(evidence, families)
    rows = Rows(row for row in evidence.rows.measured if row.workers <= row.cores)
    tracks = []
    for family in families:
        own = rows.where(family=family).most("cores").largest()
        for (program, workers), found in own.by("program", "workers").items():
            cells: dict[str, dict[str, Judgement]] = {"on": {}, "off": {}}
            by_python = {row.interpreter: row for row in found}
            for build in builds:
                if row := by_python.get(build.id):
                    cells[build.gil].setdefault(build.version, row)
            tracks += [
                Track(family=family, program=program, workers=workers, gil=gil, cells=one)
                for gil, one in cells.items()
            ]
    return tracks


def _choose_alike(evidence: Evidence, families: Sequence[str]) -> list[Interpreter]:
    """Choose the builds alike that ran any of the families, of those with most versions; oldest first."""
    used = {row.interpreter for row in evidence.rows.measured if row.family in families}
    groups: dict[tuple[object, ...], list[Interpreter]] = {}
    for one in order_releases(evidence.interpreters):
        if one.id in used and one.free_threaded == (one.gil == "off"):
            groups.setdefault(one.options, []).append(one)
    return max(groups.values(), key=lambda group: len({one.version for one in group}), default=[])


def list_versions(tracks: Sequence[Track]) -> list[str]:
    """List the versions of tracks, the oldest first."""
    found = {version for track in tracks for version in track.cells}
    return sorted(found, key=rank_interpreter)
