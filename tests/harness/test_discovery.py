"""Every usable Python is found once and told apart."""

import platform
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from scripts.harness import pythons as discovery
from scripts.harness.pythons import Installation, discover, select
from tests.harness.pythons import (
    CURRENT,
    FOUND,
    FREE,
    FREE_WITH_GIL,
    NEW,
    OLD,
    PYPY,
    make_installation,
)


@pytest.fixture(autouse=True)
def _memory_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What tests make up of interpreters is not remembered for real."""
    monkeypatch.setattr(discovery, "MEMORY", tmp_path / "interpreters.json")


def test_auto_is_each_that_is_found_and_of_a_minor_version_the_first() -> None:
    newer = make_installation("3.14.9")
    assert select("auto", (*FOUND, newer)) == FOUND
    assert select("3.14.9", (*FOUND, newer)) == (newer,)


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


@pytest.mark.parametrize("wanted", ["3.99", "3.13,", "3.1"])
def test_unknown_one_names_the_possible_values(wanted: str) -> None:
    with pytest.raises(ValueError, match=r"possible are auto, current, 3\.13, 3\.8, 3\.14, 3\.14t"):
        select(wanted, FOUND)


@pytest.mark.slow
def test_discovery_begins_with_the_running_one_and_lists_nothing_twice() -> None:
    found = discover()
    assert found[0].interpreter.version == platform.python_version()
    assert len({one.interpreter.id for one in found}) == len(found)


def test_free_threaded_build_is_found_with_and_without_the_gil(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fake(path: Path, env: Mapping[str, str] | None = None) -> Installation:
        return FREE_WITH_GIL if env else CURRENT if path == Path(sys.executable) else FREE

    monkeypatch.setattr(discovery, "describe", fake)
    monkeypatch.setattr(discovery, "_list_paths", lambda: [FREE.path, FREE.path])
    assert discover() == (CURRENT, FREE, FREE_WITH_GIL)


def find(monkeypatch: pytest.MonkeyPatch, *others: Installation) -> tuple[Installation, ...]:
    """What is discovered where these stand beside the running one, in this order."""
    known = {path: one for number, one in enumerate(others) for path in [Path(f"/opt/{number}")]}
    monkeypatch.setattr(discovery, "describe", lambda path, env=None: known.get(path, CURRENT))
    monkeypatch.setattr(discovery, "_list_paths", lambda: list(known))
    return discover()


def test_of_a_minor_version_the_newest_release_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    others = [make_installation(version) for version in ("3.14.2", "3.14.10", "3.13.9", "3.8.18")]
    assert find(monkeypatch, *others) == (CURRENT, OLD, others[2], others[1], others[0])


def test_of_two_builds_of_one_version_the_later_gets_an_id_of_its_own_and_keeps_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fast = make_installation("3.14.7", pgo=True)
    current, first, second = find(monkeypatch, NEW, fast, fast)
    assert (current, first) == (CURRENT, NEW)
    assert re.fullmatch(r"cpython-3\.14\.7-[0-9a-f]{6}", second.interpreter.id)
    assert find(monkeypatch, NEW, fast)[2] == second
    assert select("auto", (current, first, second)) == (current, first)
    name = second.interpreter.id.removeprefix("cpython-")
    assert select(f"3.14,{name}", (current, first, second)) == (first, second)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Which interpreters are asked what they are; beside the running one there is ``NEW``."""
    python = tmp_path / "python3.14"
    python.touch()
    asked = []

    def fake(path: Path, env: Mapping[str, str] | None = None) -> Installation:
        asked.append(path)
        return NEW if path == python else CURRENT

    monkeypatch.setattr(discovery, "describe", fake)
    monkeypatch.setattr(discovery, "_list_paths", lambda: [python])
    return asked


def test_an_interpreter_is_asked_again_only_when_its_file_has_changed(
    asked: list[Path], tmp_path: Path
) -> None:
    python = tmp_path / "python3.14"
    for contents in ("old", "newer"):
        python.write_text(contents)
        assert discover() == discover() == (CURRENT, NEW)
    assert asked.count(python) == 2


@pytest.mark.parametrize("kept", ["{", "[]"])
@pytest.mark.usefixtures("asked")
def test_what_was_kept_of_interpreters_may_be_damaged(kept: str) -> None:
    discovery.MEMORY.write_text(kept)
    assert discover() == (CURRENT, NEW)


def test_same_python_under_two_names_is_found_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    link = tmp_path / "python3.13"
    link.symlink_to(Path(sys.executable).resolve())
    monkeypatch.setattr(discovery, "_list_paths", lambda: [link])
    assert len(discover()) == 1


def test_shim_without_a_python_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shim = tmp_path / "python3.12"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setattr(discovery, "_list_paths", lambda: [shim])
    assert len(discover()) == 1


def test_a_folder_that_may_not_be_entered_does_not_end_the_search(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """``Path.glob`` raises there before Python 3.13, and for root nothing is forbidden."""
    glob = Path.glob

    def refuse(folder: Path, pattern: str):
        if folder == tmp_path / "forbidden":
            raise PermissionError(folder)
        return glob(folder, pattern)

    python = tmp_path / "open" / "python3.14"
    for folder in ("forbidden", "open"):
        (tmp_path / folder).mkdir()
    python.touch()
    monkeypatch.setattr(Path, "glob", refuse)
    monkeypatch.setenv("PATH", f"{tmp_path / 'forbidden'}:{tmp_path / 'open'}")
    assert python in list(discovery._list_paths())
