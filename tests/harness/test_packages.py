"""An interpreter gets the packages that there are wheels of, and what is missing is known."""

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from scripts.harness import packages
from scripts.harness.declaration import Reason
from scripts.harness.packages import prepare
from tests.harness.pythons import FREE, FREE_WITH_GIL, NEW

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


def test_an_environment_is_made_once_from_wheels_with_pinned_hashes(
    uv: Uv, requirements: Path, tmp_path: Path
) -> None:
    prepared = prepare(NEW, PINS, requirements)
    assert prepared.installation.interpreter == NEW.interpreter
    python = tmp_path / "venvs" / "cpython-3.14.7" / "bin" / "python"
    assert prepared.installation.path == python
    assert prepared.missing == {}
    assert [call[0] for call in uv.calls] == ["venv", "pip"]
    assert {"--require-hashes", "--only-binary", str(requirements)} <= set(uv.calls[1])
    assert prepare(NEW, PINS, requirements) == prepared
    assert len(uv.calls) == 2


def test_what_has_no_wheel_is_missing_and_the_rest_is_installed(uv: Uv, requirements: Path) -> None:
    uv.answer = refuse_gevent
    missing = prepare(FREE, PINS, requirements).missing
    assert missing == {"gevent": Reason("no-wheel", {"package": "gevent"})}
    assert uv.installs == [tuple(PINS.values()), (PINS["aiohttp"],), (PINS["gevent"],)]


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


def test_an_environment_is_made_anew_when_the_pins_change_and_not_for_a_comment(
    uv: Uv, requirements: Path
) -> None:
    prepare(NEW, PINS, requirements)
    requirements.write_text("# said\n" + requirements.read_text() + " \\\n    --hash=sha256:0")
    prepare(NEW, PINS, requirements)
    assert len(uv.calls) == 2
    requirements.write_text("aiohttp==3.14.6\ngevent==26.9.0\n")
    prepare(NEW, PINS, requirements)
    assert [call[0] for call in uv.calls] == ["venv", "pip"] * 2


@pytest.mark.parametrize("damage", ["{", "[]", '{"digest": 3}'])
def test_an_environment_of_which_nothing_is_known_is_made_anew(
    uv: Uv, requirements: Path, tmp_path: Path, damage: str
) -> None:
    prepare(NEW, PINS, requirements)
    stamp = tmp_path / "venvs" / "cpython-3.14.7" / "packages.json"
    stamp.write_text(damage)
    prepare(NEW, PINS, requirements)
    assert [call[0] for call in uv.calls] == ["venv", "pip"] * 2


def test_an_environment_is_the_same_with_the_gil_on_and_off(uv: Uv, requirements: Path) -> None:
    free, locked = (prepare(one, PINS, requirements) for one in (FREE, FREE_WITH_GIL))
    assert free.installation.path == locked.installation.path
    assert len(uv.calls) == 2
