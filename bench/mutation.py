"""Mutation: how many small mistakes, planted at random into what counts, the tests find.

cosmic-ray plants them, one at a time, in a copy of the repository. A survivor is a line that may
be wrong without a test noticing, or a change that makes no difference; the score counts both.
"""

import ast
import os
import random
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome

from bench.benchmark import estimate_share
from scripts.site.paths import ROOT

TESTED: Mapping[str, str] = {
    "scripts/poolwise/src": "scripts/poolwise/tests",
    "scripts/site/judge": "tests/site/judge",
}
"""What is mutated, and the tests that ought to notice."""
SPARED = ("launcher.py",)
"""It kills processes by their numbers; a mutant of it might kill those of others."""
MUTANTS = 60
SEED = 20_260_101  # fixed, so that the same code always meets the same mistakes
LONGEST_RATIO = 5  # a mutant that takes so many times as long as the tests without it has hung
IRRELEVANT = re.compile(r"RemoveDecorator|BinaryOperator_BitOr")
"""These break the import nearly always (``|`` stands in annotations), which any test would find."""
DECLARED = re.compile(r"\s*(@|class |from |import )")
"""Lines that say what a record is like, such as ``frozen=True``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How many of ``planted`` mutants were killed; the survivors as file, line and mutated text."""

    planted: int
    survivors: tuple[str, ...]

    @property
    def killed(self) -> float:
        """The share that was killed."""
        return 1 - len(self.survivors) / self.planted

    @property
    def bounds(self) -> tuple[float, float]:
        """The interval of the share in all the mutants there are."""
        return estimate_share(self.planted - len(self.survivors), self.planted)


def score_tests(tested: Mapping[str, str] = TESTED, mutants: int = MUTANTS) -> Score:
    """Plant mistakes into a copy, one after another, and run the tests that belong to each.

    Raises:
        RuntimeError: tests fail already where nothing is planted, or a mutant cannot be made.
    """
    longest_s: dict[str, float] = {}
    survivors = []
    with tempfile.TemporaryDirectory() as name, chdir(name):
        shutil.copytree(ROOT, "copy", ignore=_leave_out)
        os.chdir("copy")
        # What killed tests leave behind goes with the copy; nor is that in the folder for it.
        (left := Path(name, "left")).mkdir()
        runner = ("env", f"TMPDIR={left}", sys.executable, "-m", "pytest", "-x", "-m", "not slow")
        chosen = choose_mutants(list_mutants(tested), mutants, SEED)
        for mutant in chosen:
            folder = tested[mutant.module_path.parent.as_posix()]
            command = shlex.join([*runner, *list_tests(mutant.module_path, folder)])
            if folder not in longest_s:
                longest_s[folder] = LONGEST_RATIO * _time_tests(command)
            result = mutate_and_test([mutant], command, longest_s[folder])
            if result.worker_outcome != WorkerOutcome.NORMAL:
                raise RuntimeError(f"{mutant.module_path}: no mutant was made\n{result.output}")
            if result.test_outcome != TestOutcome.KILLED:
                planted = re.findall(r"^\+(?!\+\+)[ \t]*(.*?)[ \t]*$", result.diff, re.MULTILINE)
                line = f"{mutant.module_path}:{mutant.start_pos[0]}"
                survivors.append(f"{line} {' '.join(planted)}")
    return Score(planted=len(chosen), survivors=tuple(survivors))


def _leave_out(folder: str, names: list[str]) -> set[str]:
    """Leave environments, records and built sites where they are."""
    if Path(folder) != ROOT:
        return set()
    return {name for name in names if name.startswith(".") or name in ("site", "results")}


def list_mutants(tested: Mapping[str, str]) -> list[MutationSpec]:
    """List every mutant of the modules in these folders that is worth a test."""
    paths = [path for folder in tested for path in sorted(Path(folder).glob("*.py"))]
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path in paths}
    with use_db("mutants.sqlite", WorkDB.Mode.create) as session:
        init([path for path in paths if path.name not in SPARED], session, {})
        mutants = [item.mutations[0] for item in session.pending_work_items]
    return [
        mutant
        for mutant in mutants
        if not IRRELEVANT.search(mutant.operator_name)
        and not DECLARED.match(lines[mutant.module_path][mutant.start_pos[0] - 1])
    ]


def choose_mutants(mutants: list[MutationSpec], count: int, seed: int) -> list[MutationSpec]:
    """Choose a mutant at ``count`` places at most: a place with ten weighs no more than others."""
    places: dict[tuple[str, tuple[int, int]], list[MutationSpec]] = {}
    for mutant in sorted(mutants, key=lambda one: (one.operator_name, one.occurrence)):
        places.setdefault((str(mutant.module_path), mutant.start_pos), []).append(mutant)
    chance = random.Random(seed)
    taken = chance.sample(sorted(places), min(count, len(places)))
    return [one for one in (chance.choice(places[place]) for place in taken) if is_python(one)]


def is_python(mutant: MutationSpec) -> bool:
    """Tell whether a mutant can be made and read; ``if not a := b`` cannot, and proves nothing."""
    operator = get_operator(mutant.operator_name)(**mutant.operator_args)
    source = mutant.module_path.read_text(encoding="utf-8")
    try:
        ast.parse(mutate_code(source, operator, mutant.occurrence))
    except (SyntaxError, AttributeError):  # the latter of ``except a.b``, which it cannot replace
        return False
    return True


def list_tests(module: Path, folder: str) -> list[str]:
    """List the test files of a folder: first the module's own, then those that import it."""
    name = ".".join(module.with_suffix("").parts)
    files = sorted(
        Path(folder).glob("test_*.py"),
        key=lambda path: (
            path.stem != f"test_{module.stem}",
            name not in path.read_text(encoding="utf-8"),
            path,
        ),
    )
    return list(map(str, files))


def _time_tests(command: str) -> float:
    began_s = perf_counter()
    outcome, output = run_tests(command, timeout=None)
    if outcome != TestOutcome.SURVIVED:
        raise RuntimeError(f"tests fail without a mutant\n{output}")
    return perf_counter() - began_s
