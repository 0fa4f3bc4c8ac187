"""Mutation: how many small mistakes, planted at random into what counts, the tests find.

cosmic-ray plants them, one at a time, in a copy of the repository. A survivor is a line that may
be wrong without a test noticing, or a change that makes no difference; the score counts both.
"""

import ast
import math
import os
import random
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from time import perf_counter

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome

from scripts.harness.paths import ROOT

STAGES = ("judge", "measure", "records")
SPARED = "launcher.py"
"""It kills processes by their numbers; a mutant of it might kill those of others."""
MUTANTS = 60
SEED = 20_260_101
"""Fixed, so that the same code always meets the same mistakes."""
PATIENCE = 5
"""A mutant that takes so many times as long as the tests without it has hung: it is killed."""
IRRELEVANT = re.compile(r"RemoveDecorator|BinaryOperator_BitOr")
"""These break the import nearly always (``|`` stands in annotations), which any test would find."""
DECLARED = re.compile(r"\s*(@|class |from |import )")
"""Lines that say what a record is like, such as ``frozen=True``."""


CONFIDENCE = 0.95


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
        """Wilson's interval of the share (Journal of the American Statistical Association, 1927)."""
        z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        weight = z * z / self.planted
        middle = (self.killed + weight / 2) / (1 + weight)
        spread = math.sqrt(self.killed * (1 - self.killed) * weight + weight**2 / 4) / (1 + weight)
        return middle - spread, middle + spread


def score_tests(
    stages: tuple[str, ...] = STAGES, mutants: int = MUTANTS, seed: int = SEED
) -> Score:
    """Plant ``mutants`` mistakes into the modules of ``stages``, run the tests that belong to each.

    Raises:
        RuntimeError: tests fail already where nothing is planted, or a mutant cannot be made.
    """
    limits_s: dict[Path, float] = {}
    survivors = []
    with tempfile.TemporaryDirectory() as name, chdir(Path(name)):
        # What is hidden or built stays where it is: environments, records, sites.
        left_out = shutil.ignore_patterns(".*", "site", "results")
        os.chdir(shutil.copytree(ROOT, "copy", ignore=left_out))
        # What killed tests leave behind goes with the copy; nor is that in the folder for it.
        (left := Path(name, "left")).mkdir()
        runner = ("env", f"TMPDIR={left}", sys.executable, "-m", "pytest", "-x")
        chosen = list(filter(is_python, choose_mutants(list_mutants(stages), mutants, seed)))
        for mutant in chosen:
            command = shlex.join([*runner, *list_tests(mutant)])
            stage = mutant.module_path.parent
            if stage not in limits_s:
                limits_s[stage] = PATIENCE * _time_tests(command)
            result = mutate_and_test([mutant], command, limits_s[stage])
            if result.worker_outcome != WorkerOutcome.NORMAL:
                raise RuntimeError(f"{mutant.module_path}: no mutant was made\n{result.output}")
            if result.test_outcome != TestOutcome.KILLED:
                planted = re.findall(r"^\+(?!\+\+)[ \t]*(.*?)[ \t]*$", result.diff, re.MULTILINE)
                line = f"{mutant.module_path}:{mutant.start_pos[0]}"
                survivors.append(f"{line} {' '.join(planted)}")
    return Score(planted=len(chosen), survivors=tuple(survivors))


def list_mutants(stages: tuple[str, ...]) -> list[MutationSpec]:
    """Every mutant of the modules in the current folder's ``scripts`` that is worth a test."""
    found = (path for stage in stages for path in sorted(Path("scripts/site", stage).glob("*.py")))
    paths = [path for path in found if path.name != SPARED]
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path in paths}
    with use_db("mutants.sqlite", WorkDB.Mode.create) as session:
        init(paths, session, {})
        mutants = [item.mutations[0] for item in session.pending_work_items]
    return [
        mutant
        for mutant in mutants
        if not IRRELEVANT.search(mutant.operator_name)
        and not DECLARED.match(lines[mutant.module_path][mutant.start_pos[0] - 1])
    ]


def choose_mutants(mutants: list[MutationSpec], count: int, seed: int) -> Iterator[MutationSpec]:
    """One mutant each at ``count`` places at most: a place with ten weighs no more than others."""
    places: dict[tuple[str, tuple[int, int]], list[MutationSpec]] = {}
    for mutant in mutants:
        places.setdefault((str(mutant.module_path), mutant.start_pos), []).append(mutant)
    chance = random.Random(seed)
    for place in chance.sample(sorted(places), min(count, len(places))):
        yield chance.choice(
            sorted(places[place], key=lambda one: (one.operator_name, one.occurrence))
        )


def is_python(mutant: MutationSpec) -> bool:
    """Whether a mutated module can be read; ``if not a := b`` cannot, and proves nothing."""
    operator = get_operator(mutant.operator_name)(**mutant.operator_args)
    source = mutant.module_path.read_text(encoding="utf-8")
    try:
        ast.parse(mutate_code(source, operator, mutant.occurrence))
    except SyntaxError:
        return False
    return True


def list_tests(mutant: MutationSpec) -> list[str]:
    """The test files of the mutated module's stage, and of the pipeline, which runs all stages.

    First come the module's own, then those that import it.
    """
    stage, module = mutant.module_path.parts[-2:]
    name = f"scripts.{stage}.{Path(module).stem}"
    files = sorted(
        [*Path("tests", stage).glob("test_*.py"), *Path("tests").glob("test_pipeline.py")],
        key=lambda path: (
            path.name != f"test_{module}",
            name not in path.read_text(encoding="utf-8"),
            path,
        ),
    )
    return list(map(str, files))


def _time_tests(command: str) -> float:
    """Seconds of the tests where nothing is planted."""
    began_s = perf_counter()
    outcome, output = run_tests(command, timeout=None)
    if outcome != TestOutcome.SURVIVED:
        raise RuntimeError(f"tests fail without a mutant\n{output}")
    return perf_counter() - began_s
