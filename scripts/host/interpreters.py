"""Interpreters: what a Python is, and how to run programs with it."""

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from scripts.declare.program import StartMethod
from scripts.host.bounds import Line, Name, Version

PROBE_TIMEOUT_S = 20.0

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
PROBE_ID = hashlib.sha256(_PROBE.encode()).hexdigest()[:8]
"""Of the question: an answer to an older one is not good enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """One Python build under one setting of the GIL. Published as it is.

    ``id`` is like ``cpython-3.13.0``, with ``t`` for a free-threaded build and ``-gil`` when that
    runs with the GIL nevertheless. ``gil`` is what is in effect, ``start_method`` what
    ``multiprocessing`` does by default.
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

    @property
    def minor(self) -> tuple[int, int]:
        """The version of the language: 3 and 14."""
        major, minor = self.version.split(".")[:2]
        return int(major), int(minor)

    @property
    def preloads_main(self) -> bool:
        """Whether the server of ``forkserver`` imports the main module, once for all children.

        It was meant to from the first, but did not before these versions (cpython #126631).
        """
        version = tuple(map(int, re.findall(r"\d+", self.version)[:3]))
        return (3, 13, 8) <= version < (3, 14) or version >= (3, 14, 1)

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
