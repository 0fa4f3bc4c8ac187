"""Interpreters: which Pythons there are, what they are, and how to run programs with them."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Self

from scripts.paths import CACHE, VENVS

PROBE_TIMEOUT_S = 20.0
MEMORY = CACHE / "interpreters.json"

_NAME = re.compile(r"python3\.\d+t?$")

# Runs in the interpreter that it describes, on Python 3.6 and later.
_PROBE = """
import json, multiprocessing, os, platform, sys, sysconfig
gil = getattr(sys, "_is_gil_enabled", lambda: True)()
jit = getattr(sys, "_jit", None)
print(json.dumps({
    "implementation": platform.python_implementation().lower(),
    "version": platform.python_version(),
    "compiler": platform.python_compiler(),
    "build": " ".join(platform.python_build()),
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "gil": "on" if gil else "off",
    "debug": bool(sysconfig.get_config_var("Py_DEBUG")),
    "jit": bool(jit is not None and jit.is_enabled()),
    "start_method": multiprocessing.get_start_method(),
    "path": sys.executable,
}))
"""
_PROBE_ID = hashlib.sha256(_PROBE.encode()).hexdigest()[:8]
"""Of the question: an answer to an older one is not good enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """One Python build under one setting of the GIL. Published as it is.

    ``id`` is like ``cpython-3.13.0``, with ``t`` for a free-threaded build and ``-gil`` when that
    runs with the GIL nevertheless. ``gil`` is what is in effect, ``start_method`` what
    ``multiprocessing`` does by default.
    """

    id: str
    implementation: str
    version: str
    compiler: str
    build: str
    free_threaded: bool
    gil: Literal["on", "off"]
    debug: bool
    jit: bool
    start_method: str

    @property
    def minor(self) -> tuple[int, int]:
        """The version of the language: 3 and 14."""
        major, minor = self.version.split(".")[:2]
        return int(major), int(minor)

    @property
    def name(self) -> str:
        """What ``INTERPRETERS`` calls it: the minor version, like ``3.14`` or ``3.14t``."""
        prefix = "" if self.implementation == "cpython" else f"{self.implementation}-"
        return "{}{}.{}{}".format(prefix, *self.minor, self.id.partition(self.version)[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """Where an interpreter is on this machine, and the variables that make it so.

    ``env`` must be set for everything that it runs (``PYTHON_GIL``). Never published.
    """

    interpreter: Interpreter
    path: Path
    env: Mapping[str, str] = field(default_factory=dict, hash=False)


def strip_environment(base: Mapping[str, str]) -> dict[str, str]:
    """The environment variables without anybody's own ``PYTHON…``: they change what Python does."""
    return {name: value for name, value in base.items() if not name.startswith("PYTHON")}


def describe(path: Path, env: Mapping[str, str] | None = None) -> Installation:
    """Ask an interpreter what it is, in the environment in which it will run programs.

    Args:
        path: its executable.
        env: variables to set for it, such as ``PYTHON_GIL``.

    Raises:
        ValueError: it does not run, or is older than Python 3.6.
    """
    env = dict(env or {})
    try:
        done = subprocess.run(
            [str(path), "-c", _PROBE],
            env=strip_environment(os.environ) | env,
            capture_output=True,
            check=True,
            timeout=PROBE_TIMEOUT_S,
        )
        facts = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise ValueError(f"{path} is no usable Python: {error}") from error
    path = Path(facts.pop("path"))
    return Installation(interpreter=Interpreter(id=make_id(**facts), **facts), path=path, env=env)


class _Memory:
    """What interpreters said of themselves, kept until their files change: asking takes long."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        self._used: dict[str, Any] = {}

    def __enter__(self) -> Self:
        with suppress(OSError, ValueError):
            known = json.loads(self._path.read_text(encoding="utf-8"))
            self._known = known if isinstance(known, dict) else {}
        return self

    def __exit__(self, *_: object) -> None:
        if self._used == self._known:
            return
        with suppress(OSError):  # then they are asked again the next time
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part = self._path.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(self._used, indent=1), encoding="utf-8")
            part.replace(self._path)

    def describe(self, path: Path, env: Mapping[str, str]) -> Installation:
        """As ``describe``, from memory if the file has not changed."""
        try:
            state = path.stat()
        except OSError:
            return describe(path, env)
        key = f"{path} {env} {state.st_mtime_ns} {state.st_size} {_PROBE_ID}"
        facts = self._known.get(key)
        if facts is None:
            asked = describe(path, env)
            facts = {"path": str(asked.path), "interpreter": asdict(asked.interpreter)}
        self._used[key] = facts
        interpreter = Interpreter(**facts["interpreter"])
        return Installation(interpreter=interpreter, path=Path(facts["path"]), env=env)


def make_id(
    *,
    implementation: str,
    version: str,
    free_threaded: bool,
    gil: str,
    debug: bool,
    jit: bool,
    **_others: str,
) -> str:
    """The id of an interpreter of which these facts are known; usable as a file name."""
    flags = "t" * free_threaded + "d" * debug + "-jit" * jit
    return f"{implementation}-{version}{flags}" + "-gil" * (free_threaded and gil == "on")


def discover() -> tuple[Installation, ...]:
    """The Pythons found on this machine, the running one first, then by version.

    Of each minor version the first that is found among pyenv's, uv's and the ``python3.X`` on
    PATH. A free-threaded build is listed twice, with the GIL off and on.
    """
    found = [describe(Path(sys.executable))]
    with _Memory(MEMORY) as memory:
        seen = {found[0].path.resolve()}
        for path in _list_paths():
            real = path.resolve()
            if real in seen:
                continue
            seen.add(real)
            try:
                found.append(memory.describe(path, {}))
            except ValueError:
                continue  # a shim without a Python behind it, or one too old
        found += [
            memory.describe(one.path, {"PYTHON_GIL": "1"})
            for one in found
            if one.interpreter.gil == "off"
        ]
    unique = {one.interpreter.name: one for one in reversed(found)}
    current = unique.pop(found[0].interpreter.name)
    return (current, *sorted(unique.values(), key=_rank))


def select(wanted: str, found: Sequence[Installation] | None = None) -> tuple[Installation, ...]:
    """Those that ``wanted`` names: ``auto``, ``current`` (the running one), or a list of names.

    ``auto`` is the running one too, beside which a family may ask for each that is found. A name
    is an id (``cpython-3.14.7t``), a version (``3.14.7t``) or a minor version (``3.14t``).

    Args:
        wanted: the value of ``INTERPRETERS``.
        found: what there is, the running one first; looked for when needed, if not given.

    Raises:
        ValueError: a name fits none; says what there is.
    """
    if wanted in ("auto", "current") and found is None:
        return (describe(Path(sys.executable)),)
    found = discover() if found is None else found
    selected = []
    for word in (word.strip() for word in wanted.split(",")):
        running = word in ("auto", "current")
        fitting = [found[0]] if running else [one for one in found if _fits(word, one)]
        if not fitting:
            names = dict.fromkeys(["auto", "current", *(one.interpreter.name for one in found)])
            possible = ", ".join(names)
            raise ValueError(f"INTERPRETERS={wanted}: no {word!r} here; possible are {possible}")
        selected += fitting
    return tuple({one.interpreter.id: one for one in selected}.values())


def prepare(installation: Installation, requirements: Path) -> Installation:
    """The interpreter with the hash-pinned packages: the running one, or a virtual environment.

    Made by uv once for the contents of ``requirements``, then reused.

    Raises:
        RuntimeError: uv is missing or failed; holds what it said.
    """
    if installation.path == Path(sys.executable):
        return installation
    digest = hashlib.sha256(requirements.read_bytes() + bytes(installation.path)).hexdigest()
    # The GIL is a matter of the environment variables, not of the packages.
    folder = VENVS / installation.interpreter.id.removesuffix("-gil")
    python = folder / "bin" / "python"
    stamp = folder / "requirements.sha256"
    prepared = replace(installation, path=python)
    if python.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return prepared
    shutil.rmtree(folder, ignore_errors=True)
    _run_uv("venv", "--python", str(installation.path), str(folder))
    _run_uv("pip", "install", "--python", str(python), "--require-hashes", "-r", str(requirements))
    stamp.write_text(digest, encoding="ascii")
    return prepared


def _fits(word: str, installation: Installation) -> bool:
    one = installation.interpreter
    return word in (one.id, one.id.removeprefix("cpython-"), one.name)


def _list_paths() -> Iterable[Path]:
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(pyenv.glob("versions/*/bin/python3"))
    if uv := _find_uv():
        # Its list of interpreters would ask each of them, as we do, and takes seconds.
        found = subprocess.run([uv, "python", "dir"], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            paths = Path(found.stdout.strip()).glob("*/bin/python3.*")
            yield from (path for path in sorted(paths) if _NAME.match(path.name))
    for folder in map(Path, os.get_exec_path()):
        if folder != pyenv / "shims":  # scripts that take seconds to find what is listed above
            yield from (path for path in sorted(folder.glob("python3.*")) if _NAME.match(path.name))


def _find_uv() -> str | None:
    """Uv beside the running interpreter, where the project installs it, or on PATH."""
    beside = Path(sys.executable).parent / "uv"
    return str(beside) if beside.exists() else shutil.which("uv")


def _run_uv(*arguments: str) -> None:
    uv = _find_uv()
    if uv is None:
        raise RuntimeError("uv is needed to install packages for another interpreter")
    done = subprocess.run([uv, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"uv {' '.join(arguments)} failed:\n{done.stderr.strip()}")


def _rank(installation: Installation) -> tuple[str, tuple[int, int], str]:
    one = installation.interpreter
    return one.implementation, one.minor, one.id
