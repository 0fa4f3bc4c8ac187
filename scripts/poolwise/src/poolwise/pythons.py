"""Discovery: which Pythons there are on this machine."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from glob import glob
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from packaging.version import Version as Release

from poolwise.experiment import StartMethod
from poolwise.machine import Line, Name, Seconds, Version
from poolwise.paths import CACHE, write_whole

PROBE_TIMEOUT_S = 20.0
_VERSION = re.compile(r"\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?", re.ASCII)

# Runs in the interpreter that it describes, on Python 3.6 and later.
_PROBE = """
import json, multiprocessing, os, platform, sys, sysconfig, time
gil = getattr(sys, "_is_gil_enabled", lambda: True)()
jit = getattr(sys, "_jit", None)
names = "CONFIG_ARGS", "PY_CFLAGS", "PY_CORE_CFLAGS", "PY_CFLAGS_NODIST", "PY_LDFLAGS_NODIST"
options = " ".join(str(sysconfig.get_config_var(name) or "") for name in names).strip()
def has(wanted, unwanted):
    if any(option in options for option in unwanted):
        return False
    return True if any(option in options for option in wanted) else None
def time_loop():
    time.sleep(0.02)  # what slows a core often lasts as long as all the loops would
    began_s, total = time.process_time(), 0
    for number in range(50000):
        total = total + number % 7 if number & 3 else total ^ number
    return time.process_time() - began_s
print(json.dumps({
    "implementation": platform.python_implementation().lower(),
    "version": platform.python_version(),
    "compiler": platform.python_compiler(),
    "build": " ".join(platform.python_build()),
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "gil": "on" if gil else "off",
    "debug": bool(sysconfig.get_config_var("Py_DEBUG")),
    "jit": bool(jit and jit.is_enabled()) or "pypyjit" in sys.builtin_module_names,
    "pgo": has(
        ["--enable-optimizations", "-fprofile-use", "-fprofile-instr-use"],
        ["--enable-optimizations=no", "--disable-optimizations"],
    ),
    "lto": has(["--with-lto", "-flto"], ["--with-lto=no", "--without-lto"]),
    "loop_s": min(time_loop() for _ in range(10)) or None,
    "start_method": multiprocessing.get_start_method(),
    "path": sys.executable,
}))
"""
# Also on Python 3.6 and later. What a broken package raises may be anything.
_IMPORT = """
import sys
try:
    import MODULE
except BaseException as error:
    print(" ".join("{}: {}".format(type(error).__name__, error).split())[:500])
else:
    print("on" if getattr(sys, "_is_gil_enabled", lambda: True)() else "off")
"""
# With -c the current folder is on the path, whose files may have the names of modules.
_ALONE = "import sys\ndel sys.path[0]\n"
# Digest of the question: an answer to an older one is not good enough.
PROBE_ID = hashlib.sha256(_PROBE.encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """One Python build under one setting of the GIL. Published as it is.

    ``id`` is like ``cpython-3.13.0``, with ``t`` for a free-threaded build and ``-gil`` when that
    runs with the GIL nevertheless. ``gil`` is what is in effect, ``start_method`` the default of
    ``multiprocessing``. ``pgo`` and ``lto`` are ``None`` where no option names them, which proves
    nothing: distributors optimise by other ways. ``loop_s`` is the CPU time of a fixed loop of
    bytecode, the best of ten. ``other`` ends the id of a build that is recorded beside others of its version.
    """

    id: Name
    implementation: Name
    version: Version
    compiler: Line
    build: Line
    free_threaded: bool
    gil: Literal["on", "off"]
    debug: bool
    jit: bool
    start_method: StartMethod
    pgo: bool | None = None
    lto: bool | None = None
    loop_s: Seconds | None = field(default=None, compare=False)
    other: Annotated[str, Meta(pattern="^([0-9a-f]{6})?$(?!\\n)")] = ""

    @property
    def minor(self) -> tuple[int, int]:
        """The version of the language: 3 and 14."""
        major, minor = self.version.split(".")[:2]
        return int(major), int(minor)

    @property
    def options(self) -> tuple[object, ...]:
        """The way it was built: seconds are compared only between builds that agree in it."""
        return self.implementation, self.compiler, self.pgo, self.lto, self.debug, self.jit

    @property
    def title(self) -> str:
        """The name for people: ``cpython 3.14.7t-gil``."""
        return f"{self.implementation} {self.id.removeprefix(f'{self.implementation}-')}"

    @property
    def name(self) -> str:
        """The name in ``INTERPRETERS``: the minor version, like ``3.14`` or ``3.14t``."""
        before, _, flags = self.id.partition(self.version)
        major, minor = self.minor
        return f"{before.replace('cpython-', '')}{major}.{minor}{flags}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """An interpreter on this machine, never published; it runs everything with ``env`` (``PYTHON_GIL``)."""

    interpreter: Interpreter
    path: Path
    env: Mapping[str, str] = field(default_factory=dict, hash=False)


@lru_cache(maxsize=1024)
def rank_interpreter(name: str) -> tuple[str, Release, str]:
    """Make a key to sort ids and versions of interpreters by: ``3.9.18`` comes before ``3.10.0rc2``."""
    version = _VERSION.search(name)
    if not version:
        return name, Release("0"), ""
    return name[: version.start()], Release(version[0]), name[version.end() :]


def strip_environment(base: Mapping[str, str]) -> dict[str, str]:
    """Leave out the variables ``PYTHON…`` that somebody has set: they change what Python does."""
    return {name: value for name, value in base.items() if not name.startswith("PYTHON")}


def describe_python(path: Path, env: Mapping[str, str] | None = None) -> Installation:
    """Ask an interpreter what it is, as it will run programs; ``ValueError`` if it is no usable one."""
    env = dict(env or {})
    try:
        facts = msgspec.json.decode(ask_python(path, _PROBE, env), type=dict[str, Any])
        executable = Path(facts.pop("path"))
        interpreter = msgspec.convert({"id": "unnamed", **facts}, Interpreter)
    except (OSError, subprocess.SubprocessError, LookupError, ValueError) as error:
        raise ValueError(f"{path} is no usable Python: {error}") from error
    interpreter = replace(interpreter, id=make_python_id(interpreter))
    return Installation(interpreter=interpreter, path=executable, env=env)


def make_python_id(python: Interpreter) -> str:
    """Make the id of an interpreter from its other facts; usable as a file name."""
    flags = {
        "t": python.free_threaded,
        "d": python.debug,
        "-jit": python.jit and python.implementation == "cpython",  # others never go without
        f"-{python.other}": python.other,
        "-gil": python.free_threaded and python.gil == "on",
    }
    suffix = "".join(flag for flag, is_set in flags.items() if is_set)
    return f"{python.implementation}-{python.version}{suffix}"


def try_import(path: Path, module: str) -> str:
    """Import a module: gives the state of the GIL then, ``on`` or ``off``, or the error in a line."""
    code = _IMPORT.replace("MODULE", module)
    try:
        return ask_python(path, code, {}).decode(errors="replace").strip().splitlines()[-1]
    except (OSError, subprocess.SubprocessError, LookupError) as error:
        return f"{type(error).__name__} on import"


def ask_python(path: Path, code: str, env: Mapping[str, str]) -> bytes:
    """Run code in a Python; gives what it prints."""
    env = {**strip_environment(os.environ), **env}
    quiet = subprocess.DEVNULL
    return subprocess.check_output(
        [str(path), "-c", _ALONE + code],
        env=env,
        stdin=quiet,
        stderr=quiet,
        timeout=PROBE_TIMEOUT_S,
    )


RECALLED = CACHE / "interpreters.json"
_NAME = re.compile(r"python3(\.\d+t?)?$")


def recall(path: Path, env: Mapping[str, str]) -> Installation:
    """Describe a Python, from memory if the file has not changed: asking takes long.

    Besides, processes that build at once then agree on the loop that was timed.
    """
    try:
        state = path.stat()
    except OSError:
        return describe_python(path, env)
    key = f"{path} {env} {state.st_mtime_ns} {state.st_size} {PROBE_ID}"
    known: dict[str, tuple[str, Interpreter]] = {}
    with suppress(OSError, ValueError):  # there is no memory yet, or it is damaged
        known = msgspec.json.decode(RECALLED.read_bytes(), type=dict[str, tuple[str, Interpreter]])
    if key not in known:
        installation = describe_python(path, env)
        known[key] = str(installation.path), installation.interpreter
        with suppress(OSError):  # then it is asked again the next time
            RECALLED.parent.mkdir(parents=True, exist_ok=True)
            write_whole(RECALLED, msgspec.json.encode(known))
    executable, interpreter = known[key]
    return Installation(interpreter=interpreter, path=Path(executable), env=env)


def discover() -> tuple[Installation, ...]:
    """Find the Pythons of this machine, the running one first, then by version.

    In each minor version the newest release comes first; of one release pyenv's, uv's, the
    ``python3.X`` on PATH. A free-threaded build is listed twice, with the GIL off and on. Of several
    builds of one version the first is taken.
    """
    running = recall(Path(sys.executable), {})
    paths = {os.path.realpath(running.path): running.path}  # which a loop of links does not stop
    for path in _list_paths():
        paths.setdefault(os.path.realpath(path), path)
    installations = [running]
    for path in [*paths.values()][1:]:
        with suppress(ValueError):  # a shim without a Python behind it, or one too old
            installations.append(recall(path, {}))
    free = [python for python in installations if python.interpreter.gil == "off"]
    installations += [recall(python.path, {"PYTHON_GIL": "1"}) for python in free]
    unique: dict[str, Installation] = {}
    for installation in installations:
        unique.setdefault(installation.interpreter.id, installation)
    _, *others = unique.values()
    others.sort(key=lambda other: rank_interpreter(other.interpreter.version), reverse=True)
    place = attrgetter("interpreter.implementation", "interpreter.minor", "interpreter.name")
    return (running, *sorted(others, key=place))


def select(wanted: str, every: Sequence[Installation] | None = None) -> tuple[Installation, ...]:
    """Select the Pythons that ``wanted`` names, in its order: names with commas between, or none for ``current``.

    A name is an id (``cpython-3.14.7t``), a version (``3.14.7t``) or a minor version (``3.14t``);
    ``current`` is the running one, ``auto`` the first of each minor version. They are looked for
    among ``every`` one, by default those that are discovered. A path, such as ``.venv/bin/python``, names
    the Python of an environment.
    """
    if wanted in ("", "current") and every is None:
        return (recall(Path(sys.executable), {}),)
    every = discover() if every is None else every
    known: dict[str, list[Installation]] = {"auto": [], "current": [every[0]]}
    shortest = []
    for installation in every:
        python = installation.interpreter
        release = python.id.removeprefix("cpython-")
        for name in (python.id, release, python.name):
            known.setdefault(name, [installation])
        is_first = known[python.name] == [installation]
        shortest.append(python.name if is_first else release)
        if is_first:
            known["auto"].append(installation)
    selected: dict[str, Installation] = {}
    for name in map(str.strip, (wanted or "current").split(",")):
        if "/" in name:
            known[name] = [recall(Path(name).absolute(), {})]
        if name not in known:
            possible = ", ".join(["auto", "current", *shortest])
            raise ValueError(f"INTERPRETERS={wanted}: no {name!r} here; possible are {possible}")
        for installation in known[name]:
            selected.setdefault(installation.interpreter.id, installation)
    return tuple(selected.values())


def find_current() -> str:
    """Name the Python of the active environment: that of pipx or uvx has none of its packages."""
    folder = Path(os.environ.get("VIRTUAL_ENV") or sys.prefix)
    python = folder / "bin/python"
    if folder.resolve() == Path(sys.prefix).resolve() or not python.is_file():
        return "current"
    return str(python.absolute())


def _list_paths() -> Iterable[Path]:
    home = os.path.expanduser("~")  # noqa: PTH111 - not everybody has one
    pyenv = Path(os.environ.get("PYENV_ROOT", f"{home}/.pyenv"))
    yield from _search(pyenv, "versions/*/bin/python3")
    if uv := find_uv():
        # Its list of interpreters would ask each of them, as we do, and takes seconds.
        done = subprocess.run([uv, "python", "dir"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            yield from _search(Path(done.stdout.strip()), "*/bin/python3.*")
    for folder in map(Path, os.get_exec_path()):
        if folder != pyenv / "shims":  # scripts that take seconds to find what is listed above
            yield from _search(folder, "python3.*")


def _search(folder: Path, pattern: str) -> list[Path]:
    """List the Pythons in a folder; none where it may not be entered."""
    names = sorted(glob(pattern, root_dir=folder))  # noqa: PTH207 - before 3.13 Path.glob raises
    return [folder / name for name in names if _NAME.search(name)]


def find_uv() -> str | None:
    """Find uv next to the running interpreter, where the project installs it, or on PATH."""
    beside = Path(sys.executable).parent / "uv"
    return str(beside) if beside.exists() else shutil.which("uv")
