"""Effects: what a function's code can change in its process and in its folder, before and after calls.

The code is followed from the function through the names that it uses, into the functions, methods and
classes of the user's own modules: the installed ones don't count. ``attempt`` loads this into the user's
Python: it knows the standard library alone, and needs Python 3.11.
"""

import importlib.util
import io
import os
import sys
import sysconfig
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import partial
from itertools import chain
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or "poolwise_digests" not in sys.modules:
    from poolwise import digests
else:
    digests = sys.modules["poolwise_digests"]

MOST_BYTES = 50_000_000
MOST_FILES = 3_000
MOST_VARIABLES = 3_000
_MOST_KEYS = 100  # a dict of more keys is compared as a whole, or not at all
ABSENT = ""  # the digest of what isn't there
_DEEPEST = 4
# Names by which code can change any name of its module.
_INDIRECT = {"globals", "vars", "exec", "eval", "setattr", "modules", "__dict__"}
# Modules of what belongs to one thread or loop, or to the random state: none of it is a result.
_PRIVATE = (
    *("_asyncio", "_contextvars", "_random", "_thread", "asyncio", "concurrent", "contextvars"),
    *("itertools", "logging", "multiprocessing.context", "multiprocessing.pool"),
    *("multiprocessing.synchronize", "numpy.random", "random", "threading", "weakref"),
)
_PLACES = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
_SKIPPED_FOLDERS = {"__pycache__", "node_modules", "venv", "site-packages"}


def is_mine(module: str) -> bool:
    """Tell whether a module is the user's: neither built in nor installed."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if not file or "site-packages" in file or "dist-packages" in file:
        return False
    return not any(file.startswith(f"{place}{os.sep}") for place in _PLACES)


class Variables:
    """The variables that the code of a function can change, by name; those of its module go without it."""

    def __init__(self, function: Any, home: str, name: str) -> None:
        self.values: dict[str, Any] = {
            f"os.environ[{key!r}]": text for key, text in os.environ.items()
        }
        with suppress(OSError):
            self.values["os.getcwd()"] = os.getcwd()
        self.private: set[str] = set()
        self._home = f"{home}."
        self._seen: set[int] = set()
        self._looked: set[tuple[int, frozenset[str]]] = set()
        self._todo: deque[tuple[str, Any, int]] = deque([(f"{home}.{name}", function, 0)])
        while self._todo and len(self.values) < MOST_VARIABLES:
            with suppress(Exception):  # what others wrote may raise anything when it is looked at
                self._visit(*self._todo.popleft())

    def _visit(self, name: str, value: Any, depth: int) -> None:
        match value:
            case types.MethodType():
                self._visit(name, value.__func__, depth)
                self._visit(name.rpartition(".")[0], value.__self__, depth)
            case staticmethod() | classmethod():
                self._visit(name, value.__func__, depth)
            case property():
                for part in filter(None, (value.fget, value.fset)):
                    self._visit(name, part, depth)
            case partial():
                self._visit(name, value.func, depth)
                self._add_all(name, {"args": value.args, "keywords": value.keywords}, depth)
            case types.FunctionType():
                self._visit_function(value)
            case type():
                self._visit_class(value)
            case types.ModuleType() | types.BuiltinFunctionType() | Enum():
                pass
            case _ if depth < _DEEPEST and hasattr(value, "__wrapped__"):  # counters don't count
                self._visit(name, value.__wrapped__, depth + 1)
            case _:
                self._visit_value(name, value, depth)

    def _visit_value(self, name: str, value: Any, depth: int) -> None:
        kind = type(value)
        self._visit_class(kind)
        if is_mine(kind.__module__):
            if depth < _DEEPEST and list_attributes(value) is not None:
                self._visit_object(name, value, depth)
                return
        elif kind.__module__.startswith(_PRIVATE):
            self.private.add(name.removeprefix(self._home))
            return
        self.values[name.removeprefix(self._home)] = value
        for part in list_members(value):
            if type(part) not in digests.PLAIN:
                self._visit_code(part)

    def _visit_code(self, value: Any) -> None:
        """Follow the code of a part of a container, whose state is part of the container's."""
        value = getattr(value, "__func__", value)
        if isinstance(value, types.FunctionType):
            self._visit_function(value)
        else:
            self._visit_class(value if isinstance(value, type) else type(value))

    def _visit_object(self, name: str, value: Any, depth: int) -> None:
        if id(value) not in self._seen:
            self._seen.add(id(value))
            self._add_all(name, list_attributes(value) or {}, depth + 1)
            if isinstance(value, (list, dict, set, bytearray)):
                self.values[name.removeprefix(self._home)] = value

    def _visit_class(self, kind: type) -> None:
        for owner in kind.__mro__:
            if id(owner) not in self._seen and is_mine(owner.__module__):
                self._seen.add(id(owner))
                members = {}
                for name, value in vars(owner).items():
                    is_ours = not name.startswith(("__", "_abc_")) and name not in _list_slots(
                        owner
                    )
                    if is_ours or isinstance(value, types.FunctionType):
                        members[name] = value
                self._add_all(f"{owner.__module__}.{owner.__qualname__}", members)

    def _visit_function(self, function: types.FunctionType) -> None:
        space = function.__globals__
        module = space.get("__name__", "")
        if id(function) in self._seen or not is_mine(module):
            return
        self._seen.add(id(function))
        names = set(list_code_names(function.__code__))
        if names & _INDIRECT:
            names.update(name for name in space if not name.startswith("__"))
        self._add_names(module, space, names)
        name = f"{module}.{function.__qualname__.replace('.<locals>', '')}"
        code = function.__code__
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        for variable, cell in cells.items():
            with suppress(ValueError):  # it is empty yet
                self._todo.append((f"{name}.{variable}", cell.cell_contents, 0))
        arguments = code.co_varnames[code.co_argcount - 1 :: -1]  # the last first, as defaults go
        defaults = (function.__defaults__ or ())[::-1]
        self._add_all(name, dict(zip(arguments, defaults, strict=False)))
        self._add_all(name, {**(function.__kwdefaults__ or {}), **vars(function)})

    def _add_names(self, module: str, space: Mapping[str, Any], names: set[str]) -> None:
        """Add the variables of a module that code names, and of the modules that it names."""
        for name in sorted(names):
            value = space.get(name, sys.modules.get(name))
            if not isinstance(value, types.ModuleType):
                if name in space:
                    self._todo.append((f"{module}.{name}", value, 0))
                continue
            look = (id(value), frozenset(names))
            if is_mine(value.__name__) and look not in self._looked:
                self._looked.add(look)
                self._add_names(value.__name__, vars(value), names)

    def _add_all(self, name: str, parts: Mapping[Any, Any], depth: int = 0) -> None:
        self._todo += [(f"{name}.{key}", value, depth) for key, value in parts.items()]


class Snapshot:
    """The state of what a function can change: digests of variables, and sizes and dates of files.

    ``unread`` has the types of what can't be compared, and nothing for what is too large.
    """

    def __init__(
        self, function: Any, home: str, name: str, folders: Sequence[str], ours: str = ""
    ) -> None:
        reached = Variables(function, home, name)
        self.values, self.private = reached.values, reached.private
        self.digests: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self.unread: dict[str, str] = {}
        left = MOST_BYTES
        variables = list(self.values.items())
        for variable, value in variables:
            if isinstance(value, io.IOBase):
                with suppress(Exception):  # so that its file shows what has been written
                    value.flush()
            digester = digests.Digester(left)
            try:
                digest = digester.digest(value)
            except digests.TooLarge:
                self.unread[variable] = ABSENT
                continue
            left -= digester.size
            if digester.uncompared and isinstance(value, dict) and len(value) <= _MOST_KEYS:
                members = {f"{variable}[{key!r}]": member for key, member in value.items()}
                self.values |= members
                variables += members.items()
            elif digester.uncompared:
                self.unread[variable] = digester.uncompared
            else:
                self.digests[variable], self.sizes[variable] = digest, digester.size
        self.files = dict(list_file_states(folders, ours))

    def list_changes(self, after: "Snapshot") -> dict[str, dict[str, Any]]:
        """Return what is another way ``after`` calls, by name."""
        changes: dict[str, dict[str, Any]] = {}
        unread = {*self.unread, *after.unread, *self.private, *after.private}
        for name in sorted({*self.digests, *after.digests} - unread):
            change = {
                "before": self.digests.get(name, ABSENT),
                "after": after.digests.get(name, ABSENT),
            }
            if change["before"] != change["after"]:
                value = after.values.get(name)
                changes[name] = change | {"text": digests.describe_value(value)}
                if isinstance(value, (list, deque)):
                    members = sorted(digests.Digester().digest(member) for member in value)
                    changes[name]["members"] = digests.Digester().digest(members)
        left = MOST_BYTES
        for path in sorted({*self.files, *after.files}):
            old, new = self.files.get(path, (0, 0)), after.files.get(path, (0, 0))
            if old != new:
                left -= new[1]
                name = os.path.relpath(path)
                digest = read_added(path, old[1], new[1]) if left > 0 else "large"
                changes[name] = {"before": "", "after": digest, "text": "", "is_file": True}
        return changes

    def list_grown(self, later: "Snapshot", names: Iterable[str]) -> list[str]:
        """Return which of the names hold more ``later`` on; a number doesn't grow."""
        known = [name for name in names if not isinstance(self.values.get(name), (int, float))]
        return [name for name in known if later.sizes.get(name, 0) > self.sizes.get(name, inf)]


def list_file_states(folders: Sequence[str], ours: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Find the files of folders, with when they were changed and their sizes, up to ``MOST_FILES``.

    Hidden folders are left out, and ``ours``, in which the tool itself writes.
    """
    count = 0
    for folder in folders:
        for place, inner, names in os.walk(folder):
            if place == ours:
                inner.clear()
                continue
            inner[:] = [name for name in inner if name[0] != "." and name not in _SKIPPED_FOLDERS]
            for name in names:
                with suppress(OSError):
                    status = os.stat(os.path.join(place, name))
                    yield os.path.join(place, name), (status.st_mtime_ns, status.st_size)
                count += 1
            if count > MOST_FILES:
                break


def read_added(path: str, old_bytes: int, new_bytes: int) -> str:
    """Return the digest of what a file has more than before, or else of all of it."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return ABSENT
    return digests.Digester().digest(data[old_bytes:] if new_bytes > old_bytes else data)


def list_code_names(code: types.CodeType) -> Iterator[str]:
    """Find the names that code uses, functions within it included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from list_code_names(constant)


def list_attributes(value: Any) -> dict[str, Any] | None:
    """Return the attributes of an object, those in slots too; ``None`` if it can't have any."""
    slots = list(chain.from_iterable(map(_list_slots, type(value).__mro__)))
    if not hasattr(value, "__dict__") and not slots:
        return None
    attributes = dict(getattr(value, "__dict__", {}))
    for slot in slots:
        with suppress(AttributeError):
            attributes[slot] = getattr(value, slot)
    return attributes


def _list_slots(owner: type) -> tuple[str, ...]:
    slots = vars(owner).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def list_members(value: Any) -> list[Any]:
    """Return some parts of a container, whose code calls may run."""
    if isinstance(value, dict):
        value = list(value.values())
    return list(value)[:100] if isinstance(value, (list, tuple, set, frozenset)) else []


def import_early(function: Any, folder: str) -> None:
    """Import the modules of the user's that only calls import, so that their state is known before."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    for name in set(list_code_names(code)) if code else ():
        if name not in sys.modules and os.path.exists(os.path.join(folder, f"{name}.py")):
            with suppress(Exception):
                importlib.import_module(name)
