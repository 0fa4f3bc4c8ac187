"""The programs of the answers: each runs alone in an empty folder, with one package at most."""

import ast
import shutil
import sys
from pathlib import Path

import pytest

from scripts.harness.experiment import Program, load_experiment
from scripts.harness.paths import EXAMPLES
from tests.examples.conftest import run

ANSWERS = load_experiment(EXAMPLES / "answers")
PROGRAMS = [pytest.param(program, id=program.name) for program in ANSWERS.programs]


def list_packages(source: str) -> set[str]:
    """Whatever a program imports that is no part of Python."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            found.add(node.module.partition(".")[0])
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
    return found - sys.stdlib_module_names


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_runs_alone_in_an_empty_folder(
    program: Program, server: dict[str, str], tmp_path: Path
):
    shutil.copy(ANSWERS.folder / program.file, tmp_path)
    (family,) = program.families
    expected = ANSWERS.profiles["quick"].results.get(family, "")

    done = run(tmp_path, program.file, server)

    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert expected in done.stdout
    assert done.stdout.strip()


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_takes_one_package_at_most(program: Program):
    source = (ANSWERS.folder / program.file).read_text(encoding="utf-8")

    assert len(list_packages(source)) <= 1


@pytest.mark.parametrize(
    "program", [one for one in ANSWERS.programs if one.name[2] == "-"], ids=lambda one: one.name
)
def test_the_plain_version_stands_beside_each_program(program: Program):
    family = ANSWERS.family(*program.families)

    assert family.baseline == program.name.replace("-", "b-", 1) + "-plain"
