"""The home of a published site: the runner and the Python whose numbers its pages show.

Jobs on runners of one name get several processors, so the home may be several machines.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from poolwise.store import list_files, read_results
from scripts.site.declare.claims import list_sides, name_release
from scripts.site.declare.declarations import Declarations

# A machine and an interpreter, by their ids.
Place = tuple[str, str]
MOST_NAMED = 5  # of the programs that a home lacks


def list_home(folders: Iterable[Path], column: str) -> list[Place]:
    """List the machines of a runner that have records by a Python: ``ubuntu-24.04-3.14`` names both.

    What its jobs have handed on is in folders named ``records-<runner>-<Pythons>-<part>``.
    """
    runner, _, python = column.rpartition("-")
    name = re.compile(rf"records-{re.escape(runner)}-\d")
    places: set[Place] = set()
    for folder in folders:
        for path in folder.glob("*/*/*.json"):
            if name.match(path.parent.parent.name) and _is_build(path.stem, python):
                places.add((path.parent.name, path.stem))
    return sorted(places)


def _is_build(interpreter: str, python: str) -> bool:
    """Tell whether an interpreter is a build of ``3.14`` or, without the GIL, of ``3.14t``."""
    release = name_release(interpreter)
    version = release.startswith(f"{python.removesuffix('t')}.")
    return version and release.endswith("t") == python.endswith("t")


def list_lacking(home: Sequence[Place], results: Path, declared: Declarations) -> list[str]:
    """List the programs, ``experiment/program``, that Home or an answer compares and the home lacks.

    A claim about another Python may have its records from any that the home's machines ran.
    """
    recorded: dict[bool, set[tuple[str, str, str]]] = {True: set(), False: set()}
    for machine in {machine for machine, _ in home}:
        for path in list_files(results, machine):
            file = read_results(path)
            for record in file.records if file else ():
                row = (record.experiment, record.program, record.family)
                recorded[False].add(row)
                if (machine, path.stem) in home:
                    recorded[True].add(row)
    lacking = set()
    for experiment, claims in declared.claims.items():
        for claim in claims:
            scope = claim.where
            is_usual = not (scope.gil == "off" or scope.python or scope.release)
            if claim.id in declared.first and not scope.system:
                for side in list_sides(claim):
                    if (experiment, side.program, side.family) not in recorded[is_usual]:
                        lacking.add(f"{experiment}/{side.program}")
    return sorted(lacking)


def tell_home(column: str, home: Sequence[Place], lacking: Sequence[str]) -> Iterator[str]:
    """Tell in lines which machines the pages are of, or why there are none."""
    yield f"Home: {column}, machines: {len({machine for machine, _ in home})}"
    yield from (f"  - {machine}: {python}" for machine, python in home)
    if lacking:
        more = f" and {len(lacking) - MOST_NAMED} more" if len(lacking) > MOST_NAMED else ""
        yield (
            f"Nothing is published: the home lacks {', '.join(lacking[:MOST_NAMED])}{more}, which Home"
            " and the answers compare. The last site stays up. Run Publish again, or name another"
            " home in the repository's variables HOME_RUNNER and HOME_PYTHON."
        )
