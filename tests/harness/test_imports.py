"""Of a program is known which packages it needs, and of no other."""

import ast
from pathlib import Path

import pytest

from scripts.harness.experiment import load_experiment
from scripts.harness.packages import find_packages, read_pins
from tests.declared import EXPERIMENTS
from tests.factories import write_experiment

PROGRAMS = [(experiment, program) for experiment in EXPERIMENTS for program in experiment.programs]
PINS = """\
# what follows is pinned
aiohttp==3.14.5 \\
    --hash=sha256:0133
gevent==26.9.0 ; python_version < '4' \\
    --hash=sha256:0244
memory-profiler==0.61.0
urllib3==1.26.20 ; python_full_version < '3.7' \\
    --hash=sha256:0355
urllib3==2.8.0 ; python_full_version >= '3.7' and sys_platform != 'none'
"""
SHARED = """\
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import gevent

class Client:
    import aiohttp

def fetch():
    import urllib3.util

def visit():
    return fetch()

async def compute(client: "gevent.Greenlet"):
    return 1
"""


@pytest.fixture
def requirements(tmp_path: Path) -> Path:
    path = tmp_path / "examples.txt"
    path.write_text(PINS)
    return path


def find(folder: Path, program: str, shared: str = "pass", python: str = "3.13.0") -> list[str]:
    write_experiment(folder / "lab")
    (folder / "lab" / "one.py").write_text(program)
    (folder / "lab" / "tasks.py").write_text(shared)
    experiment = load_experiment(folder / "lab")
    return list(find_packages(experiment, "one", python, folder / "examples.txt").values())


def test_pins_are_read_without_comments_and_hashes(requirements: Path) -> None:
    assert read_pins(requirements) == {
        "aiohttp": ["aiohttp==3.14.5"],
        "gevent": ["gevent==26.9.0 ; python_version < '4'"],
        "memory-profiler": ["memory-profiler==0.61.0"],
        "urllib3": [
            "urllib3==1.26.20 ; python_full_version < '3.7'",
            "urllib3==2.8.0 ; python_full_version >= '3.7' and sys_platform != 'none'",
        ],
    }


@pytest.mark.parametrize(
    ("python", "version"),
    [("3.6.15", "1.26.20"), ("3.7.0", "2.8.0"), ("3.15.0b1", "2.8.0")],
)
@pytest.mark.usefixtures("requirements")
def test_a_python_gets_the_pin_that_is_for_it_and_the_pin_says_no_more(
    tmp_path: Path, python: str, version: str
) -> None:
    assert find(tmp_path, "import urllib3", python=python) == [f"urllib3=={version}"]


@pytest.mark.parametrize(
    ("program", "pins"),
    [
        ("import asyncio, os.path", []),
        ("import urllib3", ["urllib3==2.8.0"]),
        ("def work():\n    import urllib3, aiohttp", ["aiohttp==3.14.5", "urllib3==2.8.0"]),
        ("def broken(:\n    import urllib3", []),
    ],
    ids=["Python's own", "plain", "inside", "no Python"],
)
@pytest.mark.usefixtures("requirements")
def test_a_program_needs_the_packages_that_it_imports(
    tmp_path: Path, program: str, pins: list[str]
) -> None:
    assert find(tmp_path, program) == pins


@pytest.mark.parametrize(
    ("program", "pins"),
    [
        ("from tasks import compute", []),
        ("from tasks import fetch", ["urllib3==2.8.0"]),
        ("import tasks\ntasks.visit()", ["urllib3==2.8.0"]),
        ("from tasks import Client, compute", ["aiohttp==3.14.5"]),
    ],
)
@pytest.mark.usefixtures("requirements")
def test_of_shared_code_counts_what_a_program_reaches(
    tmp_path: Path, program: str, pins: list[str]
) -> None:
    assert find(tmp_path, program, SHARED) == pins


@pytest.mark.usefixtures("requirements")
def test_what_shared_code_imports_or_calls_on_being_imported_counts(tmp_path: Path) -> None:
    calls = "def fetch():\n    import urllib3\nCLIENTS = [fetch]\n"
    assert find(tmp_path, "import tasks", calls) == ["urllib3==2.8.0"]
    assert find(tmp_path, "import tasks", "import aiohttp") == ["aiohttp==3.14.5"]


@pytest.mark.slow
def test_every_python_that_may_run_a_program_has_pins_of_all_that_it_imports() -> None:
    for experiment, program in PROGRAMS:
        newest = find_packages(experiment, program.name, "3.15.0")
        oldest = find_packages(experiment, program.name, f"{program.python or '3.6'}.0")
        assert oldest.keys() == newest.keys(), (experiment.name, program.name)


def test_what_an_old_python_is_declared_to_run_it_can_read() -> None:
    read = {
        (experiment.folder / name, int((program.python or "3.6").removeprefix("3.")))
        for experiment, program in PROGRAMS
        for name in (program.file, *experiment.shared)
    }
    for path, minor in read:
        source = path.read_text(encoding="utf-8")
        ast.parse(source, path, feature_version=(3, minor))
        assert minor >= 7 or "from __future__ import annotations" not in source, path
