"""Releases: how the time of each program moves from one to the next, among builds made alike."""

from collections.abc import Mapping, Sequence

from scripts.harness.pythons import Interpreter
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Rows, order_releases

Track = Mapping[tuple[str, str], Judgement]
"""The cells of a program by version and GIL (``on`` or ``off``), the oldest first."""
Tracks = Mapping[tuple[str, str, int], Track]
"""Tracks by family, program and number of workers."""


def choose_released(evidences: Sequence[Evidence], families: Sequence[str]) -> Evidence:
    """Choose the machine with most releases of builds alike; of equally many the first."""
    return max(evidences, key=lambda one: len(_choose_alike(one, families)))


def list_tracks(evidence: Evidence, families: Sequence[str]) -> Tracks:
    """List the tracks of some families on all cores, of the builds alike that have most versions."""
    builds = _choose_alike(evidence, families)
    rows = Rows(row for row in evidence.rows.measured if row.workers <= row.cores)
    tracks = {}
    for family in families:
        own = rows.where(family=family).most("cores").largest()
        for key, found in own.by("family", "program", "workers").items():
            by_python = {row.interpreter: row for row in found}
            cells: dict[tuple[str, str], Judgement] = {}
            for build in builds:
                if row := by_python.get(build.id):
                    cells.setdefault((build.version, build.gil), row)
            tracks[key] = cells
    return tracks


def _choose_alike(evidence: Evidence, families: Sequence[str]) -> list[Interpreter]:
    """Choose the builds alike that ran any of the families, of those with most versions; oldest first.

    A free-threaded build that runs with the GIL is left out: it is no other release.
    """
    used = {row.interpreter for row in evidence.rows.measured if row.family in families}
    groups: dict[tuple[object, ...], list[Interpreter]] = {}
    for one in order_releases(evidence.interpreters):
        if one.id in used and one.free_threaded == (one.gil == "off"):
            groups.setdefault(one.options, []).append(one)
    return max(groups.values(), key=lambda group: len({one.version for one in group}), default=[])
