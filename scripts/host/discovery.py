"""Discovery: which Pythons there are on this machine."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from glob import glob
from pathlib import Path
from typing import Any, Self

import msgspec

from scripts.host.interpreters import (
    PROBE_ID,
    Installation,
    Interpreter,
    describe,
    tell_apart,
)
from scripts.paths import CACHE

MEMORY = CACHE / "interpreters.json"

_NAME = re.compile(r"python3(\.\d+t?)?$")


class _Memory:
    """What interpreters said of themselves, kept until their files change: asking takes long.

    Besides, processes that build at once then say the same of the loop that was timed.
    """

    def __init__(self, path: Path, *, forgets: bool = True) -> None:
        """``forgets`` says whether those that nobody asks about are dropped."""
        self._path = path
        self._forgets = forgets
        self._known: dict[str, Any] = {}
        self._used: dict[str, Any] = {}

    def __enter__(self) -> Self:
        with suppress(OSError, ValueError):
            known = json.loads(self._path.read_text(encoding="utf-8"))
            self._known = known if isinstance(known, dict) else {}
        return self

    def __exit__(self, *_: object) -> None:
        kept = self._used if self._forgets else self._known | self._used
        if kept == self._known:
            return
        with suppress(OSError):  # then they are asked again the next time
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part = self._path.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(kept, indent=1), encoding="utf-8")
            part.replace(self._path)

    def describe(self, path: Path, env: Mapping[str, str]) -> Installation:
        """As ``describe``, from memory if the file has not changed."""
        try:
            state = path.stat()
        except OSError:
            return describe(path, env)
        key = f"{path} {env} {state.st_mtime_ns} {state.st_size} {PROBE_ID}"
        with suppress(LookupError, TypeError, ValueError):  # not known, or damaged
            facts = self._known[key]
            interpreter = msgspec.convert(facts["interpreter"], Interpreter)
            found = Installation(interpreter=interpreter, path=Path(facts["path"]), env=env)
            self._used[key] = facts
            return found
        found = describe(path, env)
        self._used[key] = {"path": str(found.path), "interpreter": asdict(found.interpreter)}
        return found


def discover() -> tuple[Installation, ...]:
    """The Pythons found on this machine, the running one first, then by version.

    In each minor version they come as they are found: pyenv's, uv's, the ``python3.X`` on PATH. A
    free-threaded build is listed twice, with the GIL off and on. Of two builds of one version with
    other options the later has an id of its own.
    """
    with _Memory(MEMORY) as memory:
        found = [memory.describe(Path(sys.executable), {})]
        seen = {found[0].path.resolve()}
        for path in _list_paths():
            real = Path(os.path.realpath(path))  # which a loop of links does not stop
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
    unique: dict[str, Installation] = {}
    for one in found:
        first = unique.setdefault(one.interpreter.id, one)
        if one.interpreter != first.interpreter:
            other = tell_apart(one)
            unique.setdefault(other.interpreter.id, other)
    current, *others = unique.values()
    return (current, *sorted(others, key=_rank))


def select(wanted: str, found: Sequence[Installation] | None = None) -> tuple[Installation, ...]:
    """Those that ``wanted`` names, in its order: a list of names, each of which may be a word.

    The words are ``current``, the running one, and ``auto``, of each minor version the first. A
    name is an id (``cpython-3.14.7t``), a version (``3.14.7t``) or a minor version (``3.14t``).

    Args:
        wanted: the value of ``INTERPRETERS``; empty for the running one.
        found: what there is, the running one first; looked for when needed, if not given.

    Raises:
        ValueError: a name fits none; says what there is.
    """
    if wanted in ("", "current") and found is None:
        with _Memory(MEMORY, forgets=False) as memory:
            return (memory.describe(Path(sys.executable), {}),)
    found = discover() if found is None else found
    first = {one.interpreter.name: one for one in reversed(found)}
    plain = [one for one in found if one is first[one.interpreter.name]]
    words = {
        "current": [found[0]],
        "auto": [one for one in plain if not one.interpreter.other],
    }
    selected: list[Installation] = []
    for word in (word.strip() for word in (wanted or "current").split(",")):
        fitting = words.get(word) or [one for one in found if _fits(word, one)]
        if word in first:
            fitting = [first[word]]
        if not fitting:
            names = (_name(one, first) for one in found)
            possible = ", ".join(dict.fromkeys([*reversed(words), *names]))
            raise ValueError(f"INTERPRETERS={wanted}: no {word!r} here; possible are {possible}")
        selected += fitting
    return tuple({one.interpreter.id: one for one in selected}.values())


def _fits(word: str, installation: Installation) -> bool:
    id_ = installation.interpreter.id
    return word in (id_, id_.removeprefix("cpython-"))


def _name(installation: Installation, first: Mapping[str, Installation]) -> str:
    """The shortest that ``INTERPRETERS`` may call it."""
    one = installation.interpreter
    return one.name if first[one.name] is installation else one.id.removeprefix("cpython-")


def _list_paths() -> Iterable[Path]:
    home = os.path.expanduser("~")  # noqa: PTH111 - not everybody has one
    pyenv = Path(os.environ.get("PYENV_ROOT", f"{home}/.pyenv"))
    yield from _search(pyenv, "versions/*/bin/python3")
    if uv := find_uv():
        # Its list of interpreters would ask each of them, as we do, and takes seconds.
        found = subprocess.run([uv, "python", "dir"], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            yield from _search(Path(found.stdout.strip()), "*/bin/python3.*")
    for folder in map(Path, os.get_exec_path()):
        if folder != pyenv / "shims":  # scripts that take seconds to find what is listed above
            yield from _search(folder, "python3.*")


def _search(folder: Path, pattern: str) -> list[Path]:
    """The Pythons in a folder; none where it may not be entered."""
    found = sorted(glob(pattern, root_dir=folder))  # noqa: PTH207 - before 3.13 Path.glob raises
    return [folder / name for name in found if _NAME.search(name)]


def find_uv() -> str | None:
    """Uv beside the running interpreter, where the project installs it, or on PATH."""
    beside = Path(sys.executable).parent / "uv"
    return str(beside) if beside.exists() else shutil.which("uv")


def _rank(installation: Installation) -> tuple[str, tuple[int, int], str]:
    one = installation.interpreter
    return one.implementation, one.minor, one.name
