"""An interpreter gets the packages that its programs import and there are wheels of; what is missing is known."""

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from scripts.harness import packages
from scripts.harness.declaration import Reason
from scripts.harness.experiment import load_experiment
from scripts.harness.packages import find_packages, prepare
from tests.factories import write_experiment
from tests.harness.pythons import FREE, FREE_WITH_GIL, NEW

PINNED = """\
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
def pinned(tmp_path: Path) -> Path:
    path = tmp_path / "examples.txt"
    path.write_text(PINNED)
    return path


def find(folder: Path, program: str, shared: str = "pass", python: str = "3.13.0") -> list[str]:
    write_experiment(folder / "lab")
    (folder / "lab" / "one.py").write_text(program)
    (folder / "lab" / "tasks.py").write_text(shared)
    experiment = load_experiment(folder / "lab")
    return list(find_packages(experiment, "one", python, folder / "examples.txt").values())


@pytest.mark.parametrize(
    ("python", "version"),
    [("3.6.15", "1.26.20"), ("3.7.0", "2.8.0"), ("3.15.0b1", "2.8.0")],
)
@pytest.mark.usefixtures("pinned")
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
@pytest.mark.usefixtures("pinned")
def test_a_program_needs_the_packages_that_it_imports(
    tmp_path: Path, program: str, pins: list[str]
) -> None:
    assert find(tmp_path, program) == pins


@pytest.mark.parametrize(
    ("program", "shared", "pins"),
    [
        ("from tasks import compute", SHARED, []),
        ("from tasks import fetch", SHARED, ["urllib3==2.8.0"]),
        ("import tasks\ntasks.visit()", SHARED, ["urllib3==2.8.0"]),
        ("from tasks import Client, compute", SHARED, ["aiohttp==3.14.5"]),
        # What it does on being imported counts whatever a program takes of it.
        ("import tasks", f"{SHARED}\nCLIENTS = [fetch]\n", ["urllib3==2.8.0"]),
        ("import tasks", "import aiohttp", ["aiohttp==3.14.5"]),
    ],
)
@pytest.mark.usefixtures("pinned")
def test_of_shared_code_counts_what_a_program_reaches(
    tmp_path: Path, program: str, shared: str, pins: list[str]
) -> None:
    assert find(tmp_path, program, shared) == pins


PINS = {"aiohttp": "aiohttp==3.14.5", "gevent": "gevent==26.9.0"}
NO_WHEEL = """\
Using Python 3.15.0 environment at: somewhere
error: No solution found when resolving dependencies
  cause: Because gevent==26.9.0 has no usable wheels, your requirements are unsatisfiable.
"""
UNREACHABLE = """\
error: Request failed after 3 retries in 7.6s
  cause: Failed to fetch: http://somewhere/gevent/
  cause: Connection refused
"""
OFFLINE = """\
error: No solution found when resolving dependencies
  cause: Because gevent was not found in the cache, your requirements are unsatisfiable.

hint: Packages were unavailable because the network was disabled.
"""
Answer = Callable[[tuple[str, ...]], str]


class Uv:
    """What uv is asked for, and what it says to requests to install; nothing is well."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.answer: Answer = lambda wanted: ""
        self.venv = ""

    @property
    def installs(self) -> list[tuple[str, ...]]:
        """The packages of each request to install some."""
        return [_read_wanted(call) for call in self.calls if call[0] == "pip"]

    def run(self, *arguments: str) -> CompletedProcess[str]:
        self.calls.append(arguments)
        said = self.venv if arguments[0] == "venv" else self.answer(_read_wanted(arguments))
        if arguments[0] == "venv" and not said:
            python = Path(arguments[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.touch()
        return CompletedProcess(arguments, 1 if said else 0, "", said)


def _read_wanted(arguments: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in arguments if "==" in one)


@pytest.fixture
def uv(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Uv:
    uv = Uv()
    monkeypatch.setattr(packages, "VENVS", tmp_path / "venvs")
    monkeypatch.setattr(packages, "_run_uv", uv.run)
    monkeypatch.setattr(packages, "try_import", lambda path, module: "off")
    return uv


@pytest.fixture
def requirements(tmp_path: Path) -> Path:
    path = tmp_path / "examples.txt"
    path.write_text("\n".join(PINS.values()))
    return path


def refuse_gevent(wanted: tuple[str, ...]) -> str:
    return NO_WHEEL if PINS["gevent"] in wanted else ""


@pytest.mark.parametrize("damage", ["{", "[]", '{"digest": 3}'])
def test_an_environment_is_made_once_from_wheels_and_anew_when_pins_change_or_nothing_is_known(
    uv: Uv, requirements: Path, tmp_path: Path, damage: str
) -> None:
    prepared = prepare(FREE, PINS, requirements)
    assert prepared.installation.interpreter == FREE.interpreter
    folder = tmp_path / "venvs" / "cpython-3.14.7t"
    assert prepared.installation.path == folder / "bin" / "python"
    assert prepared.missing == {}
    assert [call[0] for call in uv.calls] == ["venv", "pip", "pip"]
    assert {"--require-hashes", "--only-binary", str(requirements)} <= set(uv.calls[1])
    requirements.write_text("# said\n" + requirements.read_text() + " \\\n    --hash=sha256:0")
    assert prepare(FREE, PINS, requirements) == prepared
    locked = prepare(FREE_WITH_GIL, PINS, requirements)
    assert locked.installation.path == prepared.installation.path
    assert len(uv.calls) == 3
    requirements.write_text("aiohttp==3.14.6\ngevent==26.9.0\n")
    prepare(FREE, PINS, requirements)
    (folder / "packages.json").write_text(damage)
    prepare(FREE, PINS, requirements)
    assert [call[0] for call in uv.calls] == ["venv", "pip", "pip"] * 3


def test_what_has_no_wheel_is_missing_and_the_rest_is_installed(uv: Uv, requirements: Path) -> None:
    uv.answer = refuse_gevent
    missing = prepare(FREE, PINS, requirements).missing
    assert missing == {"gevent": Reason("no-wheel", {"package": "gevent"})}
    assert uv.installs == [(PINS["aiohttp"],), (PINS["gevent"],)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (UNREACHABLE, "gevent cannot be fetched: Request failed .*; Connection refused$"),
        (OFFLINE, "gevent cannot be fetched: No solution found .*; .*network was disabled.$"),
    ],
)
def test_what_cannot_be_fetched_is_not_said_to_have_no_wheel_and_is_tried_again(
    uv: Uv, requirements: Path, said: str, told: str
) -> None:
    assert prepare(FREE, {"aiohttp": PINS["aiohttp"]}, requirements).missing == {}
    uv.answer = lambda wanted: said
    prepared = prepare(FREE, PINS, requirements)
    assert prepared.missing == {"gevent": Reason("not-fetched", {"package": "gevent"})}
    assert re.search(f"^cpython-3.14.7t: {told}", prepared.problem)
    assert "\n" not in prepared.problem
    uv.answer = lambda wanted: ""
    again = prepare(FREE, PINS, requirements)
    assert (again.missing, again.problem) == ({}, "")


def test_where_no_environment_can_be_made_every_package_is_missing_and_a_sentence_says_why(
    uv: Uv, requirements: Path
) -> None:
    uv.venv = "error: Python 3.6 is too old\n"
    prepared = prepare(NEW, PINS, requirements)
    told = "cpython-3.14.7: uv cannot make an environment: Python 3.6 is too old"
    assert (prepared.installation, prepared.problem) == (NEW, told)
    assert {reason.code for reason in prepared.missing.values()} == {"not-fetched"}
    assert prepared.missing.keys() == PINS.keys()


def test_without_uv_what_needs_no_package_still_runs(
    monkeypatch: pytest.MonkeyPatch, requirements: Path
) -> None:
    monkeypatch.setattr(packages, "find_uv", lambda: None)
    assert prepare(NEW, {}, requirements).missing == {}
    assert "uv is needed" in prepare(NEW, PINS, requirements).problem


def test_what_turns_the_gil_on_again_is_missing_where_the_gil_is_to_be_off(
    uv: Uv, requirements: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def ask(path: Path, module: str) -> str:
        asked.append(module)
        return "on" if module == "gevent" else "off"

    monkeypatch.setattr(packages, "try_import", ask)
    reason = Reason("package-needs-gil", {"package": "gevent"})
    assert prepare(FREE, PINS, requirements).missing == {"gevent": reason}
    assert prepare(FREE_WITH_GIL, PINS, requirements).missing == {}
    assert prepare(FREE, PINS, requirements).missing == {"gevent": reason}
    assert asked == ["aiohttp", "gevent"]


def test_what_is_installed_and_cannot_be_imported_is_missing_with_its_error(
    uv: Uv, requirements: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(path: Path, module: str) -> str:
        return f"ImportError: {packages.VENVS}/x/a.so" if module == "aiohttp" else "on"

    monkeypatch.setattr(packages, "try_import", ask)
    reason = Reason("package-broken", {"package": "aiohttp", "error": "ImportError: x/a.so"})
    assert prepare(NEW, PINS, requirements).missing == {"aiohttp": reason}
