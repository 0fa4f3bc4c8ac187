"""An interpreter says what it is, undisturbed by anybody's own settings."""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from time import monotonic

import pytest

from scripts.harness import pythons as interpreters
from scripts.harness.packages import find_packages
from scripts.harness.pythons import describe, make_id, tell_apart, try_import
from tests.declared import DECLARED
from tests.harness.pythons import NEW, make_installation

MATRIX = DECLARED.experiments["matrix"]
ANSWER = asdict(NEW.interpreter) | {"path": "/opt/bin/python3.14"}


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


def make_python(path: Path, answer: object) -> Path:
    """A script in place of a Python, which gives this answer whatever it is asked."""
    path.write_text(f"#!/bin/sh\ncat << 'end'\n{json.dumps(answer)}\nend\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    "answer",
    [[], None, {}, ANSWER | {"version": "nightly"}, ANSWER | {"implementation": "../x"}],
)
def test_what_answers_as_no_python_does_is_refused(answer: object, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is no usable Python"):
        describe(make_python(tmp_path / "python3.14", answer))


def test_a_python_that_waits_for_somebody_to_type_is_not_waited_for(tmp_path: Path) -> None:
    python = make_python(tmp_path / "python3.14", ANSWER)
    python.write_text(python.read_text().replace("cat <<", "read yes; cat <<"))
    assert describe(python).interpreter.id == "cpython-3.14.7"


def test_of_what_never_answers_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreters, "PROBE_TIMEOUT_S", 1.0)
    python, held = make_python(tmp_path / "python3.14", ANSWER), tmp_path / "held"
    python.write_text(f"#!/bin/sh\nsleep 60 > {held}\nexit 0\n")  # as a shim starts another
    os.mkfifo(held)
    reader = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
    began_s = monotonic()
    with pytest.raises(ValueError, match="is no usable Python"):
        describe(python)
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""  # at once, or when whoever holds it has slept
    os.close(reader)
    assert monotonic() - began_s < 60


@pytest.mark.parametrize("path", ["", None])
def test_a_python_that_does_not_know_where_it_is_is_called_as_it_was_found(
    path: str | None, tmp_path: Path
) -> None:
    python = make_python(tmp_path / "python3.14", ANSWER | {"path": path})
    assert describe(python).path == python


@pytest.mark.parametrize(
    ("changes", "id_", "name"),
    [
        ({"free_threaded": True, "gil": "off"}, "cpython-3.14.7t", "3.14t"),
        ({"free_threaded": True}, "cpython-3.14.7t-gil", "3.14t-gil"),
        (
            {"version": "3.15.0rc1", "free_threaded": True, "gil": "off", "debug": True},
            "cpython-3.15.0rc1td",
            "3.15td",
        ),
        (
            {"implementation": "pypy", "version": "3.11.13", "jit": True},
            "pypy-3.11.13",
            "pypy-3.11",
        ),
    ],
)
def test_builds_of_every_kind_are_told_apart(
    changes: dict[str, object], id_: str, name: str, tmp_path: Path
) -> None:
    found = describe(make_python(tmp_path / "python3.14t", ANSWER | changes)).interpreter
    assert (found.id, found.name) == (id_, name)
    assert find_packages(MATRIX, "06-io-async", found.version)


def test_an_import_that_turns_the_gil_on_again_is_found_out(tmp_path: Path) -> None:
    """There is no free-threaded build on every machine: a script plays one."""
    python = tmp_path / "python3.14t"
    python.write_text('#!/bin/sh\ncase "$2" in *stubborn*) echo on;; *) echo off;; esac\n')
    python.chmod(0o755)
    assert try_import(python, "stubborn") == "on"
    assert try_import(python, "willing") == "off"


def test_why_a_module_cannot_be_imported_is_told_in_a_line(tmp_path: Path) -> None:
    here = Path(sys.executable)
    assert try_import(here, "json") in ("on", "off")
    assert try_import(here, "no_such_module") == (
        "ModuleNotFoundError: No module named 'no_such_module'"
    )
    assert try_import(tmp_path / "nobody", "json") == "FileNotFoundError on import"


CONFIGURED = "'--enable-shared' 'CC=gcc'"
"""As Debian says of its builds, which are optimised otherwise, and pyenv of its, which are not."""


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
def test_an_option_that_is_not_named_proves_nothing(
    options: str, pgo: bool | None, lto: bool | None, tmp_path: Path
) -> None:
    python = tmp_path / "python3"
    told = f"import sysconfig; sysconfig.get_config_var = dict(CONFIG_ARGS={options!r}).get"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -c "$SAID$2"\n')
    python.chmod(0o755)
    one = describe(python, {"SAID": f"{told}\n"}).interpreter
    assert (one.pgo, one.lto) == (pgo, lto)


def test_two_builds_of_one_version_are_told_apart_by_their_options() -> None:
    plain, fast = make_installation(), make_installation(pgo=True)
    assert tell_apart(plain).interpreter.id != tell_apart(fast).interpreter.id
    assert tell_apart(fast).interpreter == tell_apart(tell_apart(fast)).interpreter
    assert make_id(tell_apart(fast).interpreter) == tell_apart(fast).interpreter.id
    assert make_id(plain.interpreter) == "cpython-3.13.0"
