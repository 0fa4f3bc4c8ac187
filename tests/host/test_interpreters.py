"""Every usable Python is found once and told apart."""

import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scripts.host.interpreters import (
    Installation,
    Interpreter,
    describe,
    discover,
    make_id,
    prepare,
    select,
)
from scripts.host import interpreters


def make_installation(version: str = "3.13.0", **changes: Any) -> Installation:
    facts: dict[str, Any] = {
        "implementation": "cpython",
        "version": version,
        "compiler": "GCC 12.2.0",
        "build": "main May 9 2026",
        "free_threaded": False,
        "gil": "on",
        "debug": False,
        "jit": False,
        "start_method": "fork",
    }
    facts |= changes
    return Installation(
        interpreter=Interpreter(id=make_id(**facts), **facts),
        path=Path(f"/opt/{version}/bin/python3"),
    )


CURRENT = make_installation()
OLD = make_installation("3.8.18")
NEW = make_installation("3.14.7")
FREE = make_installation("3.14.7", free_threaded=True, gil="off")
FREE_WITH_GIL = make_installation("3.14.7", free_threaded=True)
PYPY = make_installation("3.11.13", implementation="pypy")
FOUND = (CURRENT, OLD, NEW, FREE, FREE_WITH_GIL, PYPY)


@pytest.fixture(autouse=True)
def _memory_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What tests make up of interpreters is not remembered for real."""
    monkeypatch.setattr(interpreters, "MEMORY", tmp_path / "interpreters.json")


def test_id_names_the_build_and_whether_the_gil_is_on() -> None:
    assert [one.interpreter.id for one in FOUND] == [
        "cpython-3.13.0",
        "cpython-3.8.18",
        "cpython-3.14.7",
        "cpython-3.14.7t",
        "cpython-3.14.7t-gil",
        "pypy-3.11.13",
    ]


@pytest.mark.parametrize("wanted", ["auto", "current"])
def test_unless_named_it_is_the_one_that_runs_the_engine(wanted: str) -> None:
    assert select(wanted, FOUND) == (CURRENT,)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("3.14t,3.13", (FREE, CURRENT)),
        ("3.14t-gil", (FREE_WITH_GIL,)),
        (" 3.14 , 3.8 ", (NEW, OLD)),
        ("cpython-3.14.7t,3.14.7t", (FREE,)),
        ("current,3.13,3.14", (CURRENT, NEW)),
        ("pypy-3.11", (PYPY,)),
    ],
)
def test_list_selects_in_its_own_order_and_nothing_twice(
    wanted: str, expected: tuple[Installation, ...]
) -> None:
    assert select(wanted, FOUND) == expected


@pytest.mark.parametrize("wanted", ["3.99", "3.13,", "", "3.1"])
def test_unknown_one_names_the_possible_values(wanted: str) -> None:
    with pytest.raises(ValueError, match=r"possible are auto, current, 3\.13, 3\.8, 3\.14, 3\.14t"):
        select(wanted, FOUND)


def test_running_interpreter_is_described() -> None:
    installation = describe(Path(sys.executable))
    one = installation.interpreter
    assert one.version == platform.python_version()
    assert one.compiler == platform.python_compiler()
    assert one.gil in ("on", "off")
    assert one.start_method in ("fork", "forkserver", "spawn")
    assert one.id.startswith(f"{one.implementation}-{one.version}")
    assert installation.path == Path(sys.executable)


def test_nobodys_own_python_variables_reach_an_interpreter_that_is_described(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\nenv > {seen}\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv("PYTHON_JIT", "1")
    monkeypatch.setenv("PYTHON_GIL", "0")
    monkeypatch.setenv("UNTOUCHED", "yes")
    describe(python, {"PYTHON_GIL": "1"})
    variables = dict(line.split("=", 1) for line in seen.read_text().splitlines() if "=" in line)
    assert variables["UNTOUCHED"] == "yes"
    assert {name: text for name, text in variables.items() if name.startswith("PYTHON")} == {
        "PYTHON_GIL": "1"
    }


def test_what_is_no_python_is_refused() -> None:
    with pytest.raises(ValueError, match="is no usable Python"):
        describe(Path("/bin/false"))
    with pytest.raises(ValueError, match="is no usable Python"):
        describe(Path("/no/such/python"))


def test_discovery_begins_with_the_running_one_and_lists_nothing_twice() -> None:
    found = discover()
    assert found[0].interpreter.version == platform.python_version()
    assert len({one.interpreter.id for one in found}) == len(found)


def test_free_threaded_build_is_found_with_and_without_the_gil(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fake(path: Path, env: Mapping[str, str] | None = None) -> Installation:
        return FREE_WITH_GIL if env else CURRENT if path == Path(sys.executable) else FREE

    monkeypatch.setattr(interpreters, "describe", fake)
    monkeypatch.setattr(interpreters, "_list_paths", lambda: [FREE.path, FREE.path])
    assert discover() == (CURRENT, FREE, FREE_WITH_GIL)


def test_of_each_minor_version_the_first_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [make_installation(version) for version in ("3.13.9", "3.14.7", "3.14.2", "3.8.18")]
    known = {one.path: one for one in others}
    monkeypatch.setattr(interpreters, "describe", lambda path, env=None: known.get(path, CURRENT))
    monkeypatch.setattr(interpreters, "_list_paths", lambda: list(known))
    assert discover() == (CURRENT, OLD, NEW)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Which interpreters are asked what they are; beside the running one there is ``NEW``."""
    python = tmp_path / "python3.14"
    python.touch()
    asked = []

    def fake(path: Path, env: Mapping[str, str] | None = None) -> Installation:
        asked.append(path)
        return NEW if path == python else CURRENT

    monkeypatch.setattr(interpreters, "describe", fake)
    monkeypatch.setattr(interpreters, "_list_paths", lambda: [python])
    return asked


def test_an_interpreter_is_asked_again_only_when_its_file_has_changed(
    asked: list[Path], tmp_path: Path
) -> None:
    python = tmp_path / "python3.14"
    for contents in ("old", "newer"):
        python.write_text(contents)
        assert discover() == discover() == (CURRENT, NEW)
    assert asked.count(python) == 2


@pytest.mark.parametrize("kept", ["{", "[]", "3"])
@pytest.mark.usefixtures("asked")
def test_what_was_kept_of_interpreters_may_be_damaged(kept: str) -> None:
    interpreters.MEMORY.write_text(kept)
    assert discover() == (CURRENT, NEW)


@pytest.mark.usefixtures("asked")
def test_what_cannot_be_kept_is_found_nevertheless(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(interpreters, "MEMORY", tmp_path / "python3.14" / "interpreters.json")
    assert discover() == (CURRENT, NEW)


def test_same_python_under_two_names_is_found_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    link = tmp_path / "python3.13"
    link.symlink_to(Path(sys.executable).resolve())
    monkeypatch.setattr(interpreters, "_list_paths", lambda: [link])
    assert len(discover()) == 1


def test_shim_without_a_python_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shim = tmp_path / "python3.12"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setattr(interpreters, "_list_paths", lambda: [shim])
    assert len(discover()) == 1


def test_only_what_is_wanted_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "discover", lambda: FOUND)
    assert [one.path for one in select("current")] == [Path(sys.executable)]
    assert select("3.14") == (NEW,)


def test_running_interpreter_needs_no_environment_of_its_own(tmp_path: Path) -> None:
    here = describe(Path(sys.executable))
    assert prepare(here, tmp_path / "no-such-file") == here


@pytest.fixture
def uv_calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, ...]]:
    """What uv is asked for; the environments are made, but empty."""
    calls = []

    def fake(*arguments: str) -> None:
        calls.append(arguments)
        if arguments[0] == "venv":
            python = Path(arguments[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.touch()

    monkeypatch.setattr(interpreters, "VENVS", tmp_path / "venvs")
    monkeypatch.setattr(interpreters, "_run_uv", fake)
    return calls


def test_environment_is_made_once_from_hash_pinned_requirements(
    uv_calls: list[tuple[str, ...]], tmp_path: Path
) -> None:
    requirements = tmp_path / "examples.txt"
    requirements.write_text("aiohttp==3.13.0")
    prepared = prepare(NEW, requirements)
    assert prepared.interpreter == NEW.interpreter
    assert prepared.path == tmp_path / "venvs" / "cpython-3.14.7" / "bin" / "python"
    assert [call[0] for call in uv_calls] == ["venv", "pip"]
    assert "--require-hashes" in uv_calls[1]
    assert prepare(NEW, requirements) == prepared
    assert len(uv_calls) == 2


def test_environment_is_made_anew_when_the_requirements_change(
    uv_calls: list[tuple[str, ...]], tmp_path: Path
) -> None:
    requirements = tmp_path / "examples.txt"
    for version in ("1", "2"):
        requirements.write_text(f"aiohttp=={version}")
        prepare(NEW, requirements)
    assert [call[0] for call in uv_calls] == ["venv", "pip"] * 2


def test_environment_is_the_same_with_the_gil_on_and_off(
    uv_calls: list[tuple[str, ...]], tmp_path: Path
) -> None:
    requirements = tmp_path / "examples.txt"
    requirements.touch()
    assert prepare(FREE, requirements).path == prepare(FREE_WITH_GIL, requirements).path
    assert len(uv_calls) == 2


def test_half_made_environment_is_not_used(
    uv_calls: list[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requirements = tmp_path / "examples.txt"
    requirements.touch()

    def fail(*arguments: str) -> None:
        if arguments[0] == "pip":
            raise RuntimeError("no such package")

    with monkeypatch.context() as context:
        context.setattr(interpreters, "_run_uv", fail)
        with pytest.raises(RuntimeError, match="no such package"):
            prepare(NEW, requirements)
    prepare(NEW, requirements)
    assert [call[0] for call in uv_calls] == ["venv", "pip"]
