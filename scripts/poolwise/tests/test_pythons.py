"""Every usable Python is found once, told apart, and says what it is, undisturbed by anybody's own settings."""

import contextlib
import json
import platform
import sys
import venv
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest

from poolwise import pythons
from poolwise.pythons import Installation, describe_python, discover, select, try_import
from pythons import CURRENT, FOUND, FREE, FREE_WITH_GIL, NEW, OLD, PYPY, make_installation


def write_script(path: Path, code: str) -> Path:
    path.write_text(f"#!/bin/sh\n{code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def _memory_of_its_own(monkeypatch, tmp_path):
    """What tests make up of interpreters is not remembered for real."""
    monkeypatch.setattr(pythons, "RECALLED", tmp_path / "interpreters.json")


def test_auto_is_each_that_is_found_and_of_a_minor_version_the_first():
    newer = make_installation("3.14.9")
    assert select("auto", (*FOUND, newer)) == FOUND
    assert select("3.14.9", (*FOUND, newer)) == (newer,)


@pytest.mark.slow
def test_a_path_selects_the_python_of_an_environment(tmp_path):
    venv.create(tmp_path / "env", with_pip=False)
    with contextlib.chdir(tmp_path):
        (installation,) = select("env/bin/python")
        assert installation.path == tmp_path / "env/bin/python"
        with pytest.raises(ValueError, match="is no usable Python"):
            select("gone/bin/python")


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
def test_list_selects_in_its_own_order_and_nothing_twice(wanted, expected):
    assert select(wanted, FOUND) == expected


@pytest.mark.parametrize("wanted", ["3.99", "3.13,", "3.1"])
def test_unknown_one_names_the_possible_values(wanted):
    with pytest.raises(ValueError, match=r"possible are auto, current, 3\.13, 3\.8, 3\.14, 3\.14t"):
        select(wanted, FOUND)


@pytest.mark.slow
def test_discovery_begins_with_the_running_one_and_lists_nothing_twice():
    found = discover()
    assert found[0].interpreter.version == platform.python_version()
    assert len({one.interpreter.id for one in found}) == len(found)


@dataclass
class Shelf:
    """What stands beside the running interpreter; ``asked`` are those that were asked what they are."""

    paths: dict[Path, Installation] = field(default_factory=dict)
    asked: list[Path] = field(default_factory=list)

    def describe(self, path: Path, env: Mapping[str, str] | None = None) -> Installation:
        self.asked.append(path)
        return FREE_WITH_GIL if env else self.paths.get(path, CURRENT)

    def find(self, *others: Installation) -> tuple[Installation, ...]:
        """What is discovered where these stand, in this order."""
        self.paths = {Path(f"/opt/{number}"): one for number, one in enumerate(others)}
        return discover()


@pytest.fixture
def shelf(monkeypatch):
    shelf = Shelf()
    monkeypatch.setattr(pythons, "describe_python", shelf.describe)
    monkeypatch.setattr(pythons, "_list_paths", lambda: [*shelf.paths])
    return shelf


def test_free_threaded_build_is_found_with_and_without_the_gil(shelf):
    assert shelf.find(FREE, FREE) == (CURRENT, FREE, FREE_WITH_GIL)


def test_of_a_minor_version_the_newest_release_comes_first(shelf):
    others = [make_installation(version) for version in ("3.14.2", "3.14.10", "3.13.9", "3.8.18")]
    assert shelf.find(*others) == (CURRENT, OLD, others[2], others[1], others[0])


def test_of_several_builds_of_one_version_the_first_is_taken(shelf):
    assert shelf.find(NEW, make_installation("3.14.7", pgo=True)) == (CURRENT, NEW)


def test_an_interpreter_is_asked_again_only_when_its_file_or_what_was_kept_has_changed(
    shelf, tmp_path
):
    python = tmp_path / "python3.14"
    shelf.paths = {python: NEW}
    for contents in ("old", "newer"):
        python.write_text(contents)
        assert discover() == discover() == (CURRENT, NEW)
    assert shelf.asked.count(python) == 2
    for damaged in ("{", "[]"):
        pythons.RECALLED.write_text(damaged)
        assert discover() == (CURRENT, NEW)


def test_a_shim_without_a_python_and_a_second_name_of_one_are_passed_over(monkeypatch, tmp_path):
    link, shim = tmp_path / "python3.13", tmp_path / "python3.12"
    link.symlink_to(Path(sys.executable).resolve())
    write_script(shim, "exit 127")
    monkeypatch.setattr(pythons, "_list_paths", lambda: [link, shim])
    # A free-threaded Python is there twice, as itself and with the GIL on.
    assert {installation.path for installation in discover()} == {Path(sys.executable)}


def test_pythons_on_the_path_are_looked_for_but_not_among_the_shims_of_pyenv(monkeypatch, tmp_path):
    shim, python = (tmp_path / name / "python3.14" for name in ("shims", "bin"))
    for path in (shim, python):
        path.parent.mkdir()
        path.touch()
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", f"{shim.parent}:{python.parent}")
    found = list(pythons._list_paths())
    assert python in found
    assert shim not in found


ANSWER = asdict(NEW.interpreter) | {"path": "/opt/bin/python3.14"}


def test_nobodys_own_python_variables_reach_an_interpreter_that_is_described(monkeypatch, tmp_path):
    seen = tmp_path / "seen"
    code = f'env | grep -e ^PYTHON -e ^UNTOUCHED > {seen}\nexec {sys.executable} "$@"'
    monkeypatch.setenv("PYTHON_JIT", "1")
    monkeypatch.setenv("PYTHON_GIL", "0")
    monkeypatch.setenv("UNTOUCHED", "yes")
    describe_python(write_script(tmp_path / "python3", code), {"PYTHON_GIL": "1"})
    assert set(seen.read_text().split()) == {"UNTOUCHED=yes", "PYTHON_GIL=1"}


def make_python(path: Path, answer: object) -> Path:
    """A script in place of a Python, which gives this answer whatever it is asked."""
    return write_script(path, f"cat << 'end'\n{json.dumps(answer)}\nend")


@pytest.mark.parametrize(
    "answer", [[], {}, ANSWER | {"version": "nightly"}, ANSWER | {"implementation": "../x"}]
)
def test_what_answers_as_no_python_does_or_not_at_all_is_refused(answer, tmp_path):
    answering = make_python(tmp_path / "python3.14", answer)
    for path in (answering, Path("/bin/false"), Path("/no/such/python")):
        with pytest.raises(ValueError, match="is no usable Python"):
            describe_python(path)


def test_a_python_that_waits_for_somebody_to_type_is_not_waited_for(tmp_path):
    python = make_python(tmp_path / "python3.14", ANSWER)
    python.write_text(python.read_text().replace("cat <<", "read yes; cat <<"))
    assert describe_python(python).interpreter.id == "cpython-3.14.7"


@pytest.mark.parametrize(
    ("changes", "id_", "name"),
    [
        ({"free_threaded": True, "gil": "off"}, "cpython-3.14.7t", "3.14t"),
        ({"free_threaded": True}, "cpython-3.14.7t-gil", "3.14t-gil"),
        ({"version": "3.15.0rc1", "debug": True}, "cpython-3.15.0rc1d", "3.15d"),
        ({"implementation": "pypy", "version": "3.11.13"}, "pypy-3.11.13", "pypy-3.11"),
    ],
)
def test_builds_of_every_kind_are_told_apart(changes, id_, name, tmp_path):
    found = describe_python(make_python(tmp_path / "python3.14t", ANSWER | changes)).interpreter
    assert (found.id, found.name) == (id_, name)


def test_why_a_module_cannot_be_imported_is_told_in_a_line(tmp_path):
    here = Path(sys.executable)
    assert try_import(here, "json") in ("on", "off")
    assert try_import(here, "no_such_module") == (
        "ModuleNotFoundError: No module named 'no_such_module'"
    )
    assert try_import(tmp_path / "nobody", "json") == "FileNotFoundError on import"


# As Debian says of its builds, which are optimised otherwise, and pyenv of its, which are not.
CONFIGURED = "'--enable-shared' 'CC=gcc'"


@pytest.mark.parametrize(
    ("options", "pgo", "lto"),
    [
        (CONFIGURED, None, None),
        (f"{CONFIGURED} '--enable-optimizations' '--with-lto=full'", True, True),
        (f"{CONFIGURED} -fprofile-use -flto=auto", True, True),
        (f"{CONFIGURED} '--disable-optimizations' '--without-lto'", False, False),
        (f"{CONFIGURED} '--enable-optimizations=no' '--with-lto=no'", False, False),
    ],
)
def test_an_option_that_is_not_named_proves_nothing(options, pgo, lto, tmp_path):
    told = f"import sysconfig; sysconfig.get_config_var = dict(CONFIG_ARGS={options!r}).get"
    python = write_script(tmp_path / "python3", f'exec {sys.executable} -c "$SAID$2"')
    one = describe_python(python, {"SAID": f"{told}\n"}).interpreter
    assert (one.pgo, one.lto) == (pgo, lto)
