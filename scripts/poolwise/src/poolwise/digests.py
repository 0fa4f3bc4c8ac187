"""Digests of values by their structure: equal values have equal digests, in any process and Python.

Type and value count, recursively: floats and arrays by dtype, shape and bytes (any NaN equals any
other, -0.0 isn't 0.0), sets and dicts without order, objects by class and state. Addresses don't
count, nor whether equal parts are one object. ``attempt`` loads this into the user's Python: it knows
the standard library alone, and needs Python 3.11.
"""

import copyreg
import ctypes
import io
import marshal
import queue
import re
import reprlib
import sys
import types
import warnings
from array import array
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum
from hashlib import blake2b
from math import inf
from operator import attrgetter, methodcaller
from pathlib import PurePath
from typing import Any

# Types whose values have no parts, and no other form than their bytes.
PLAIN = frozenset({type(None), bool, int, float, str, bytes})
# Modules of objects that hold no result: a lock inside an object counts by its type.
STATELESS = (
    *("_thread", "asyncio.locks", "logging", "multiprocessing.synchronize", "threading"),
    "weakref",
)
DEEPEST = 100_000  # the recursion limit while values are looked at
_BY_NAME = (
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.ModuleType,
)
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_LONGEST_TEXT = 60
_OBJECT_BYTES = 64  # what each object counts for, besides its contents


class TooLarge(Exception):
    """A value has more bytes than may be looked at."""


class _Cycle(Exception):
    """A value contains itself."""


class Digester:
    """Makes digests of values; ``size`` counts the bytes that it looked at.

    ``uncompared`` is the type of the first part that has no state to compare, such as a socket.
    """

    def __init__(self, most_bytes: float = inf) -> None:
        self.size = 0
        self.uncompared = ""
        self._most_bytes = most_bytes
        # The object too, so that no id comes twice.
        self._memo: dict[int, tuple[bytes, object]] = {}
        self._path: set[int] = set()
        # Parts of a value that contains itself are told by the order in which they are met.
        self._numbers: dict[int, tuple[int, object]] | None = None

    def digest(self, value: object) -> str:
        """Return the digest of a value."""
        if type(value).__module__ in STATELESS:
            self.uncompared = name_type(type(value))
        deepest = sys.getrecursionlimit()
        sys.setrecursionlimit(max(deepest, DEEPEST))
        try:
            with warnings.catch_warnings(action="ignore"):
                try:
                    return self._fold(value).hex()
                except _Cycle:
                    self._path.clear()
                    self._numbers = {}
                    return self._fold(value).hex()
        except TooLarge:
            raise
        except Exception:  # it may be nested too deeply, or change meanwhile
            self.uncompared = self.uncompared or name_type(type(value))
            return self._hash(self.uncompared).hex()
        finally:
            self._path.clear()
            self._numbers = None
            sys.setrecursionlimit(deepest)

    def has_met(self, value: object) -> bool:
        """Tell whether a value was part of those that it made digests of."""
        return id(value) in self._memo

    def _hash(self, kind: str, *parts: bytes) -> bytes:
        hashed = blake2b(f"{kind} {len(parts)}".encode(errors="replace"), digest_size=9)
        self.size += _OBJECT_BYTES
        for part in parts:
            self.size += len(part)
            hashed.update(len(part).to_bytes(8, "big"))
            hashed.update(part)
        if self.size > self._most_bytes:
            raise TooLarge
        return hashed.digest()

    def _fold(self, value: Any) -> bytes:
        kind = type(value)
        if kind in PLAIN:
            is_nan = kind is float and value != value
            return self._hash("nan") if is_nan else self._hash("", marshal.dumps(value, 2))
        key = id(value)
        if self._numbers is not None:
            if key in self._numbers:
                return self._hash("again", str(self._numbers[key][0]).encode())
            self._numbers[key] = (len(self._numbers), value)
            return self._fold_parts(value, kind)
        if key in self._memo:
            return self._memo[key][0]
        if key in self._path:
            raise _Cycle
        self._path.add(key)
        data = self._fold_parts(value, kind)
        self._path.discard(key)
        self._memo[key] = (data, value)
        return data

    def _fold_parts(self, value: Any, kind: type) -> bytes:
        name = name_type(kind)
        if kind is list or kind is tuple:
            return self._fold_all(name, value)
        if kind is dict:
            return self._fold_pairs(name, value)
        if isinstance(value, (set, frozenset)):
            is_text = set(map(type, value)) == {str}
            members = [marshal.dumps(sorted(value), 2)] if is_text else sorted(self._list(value))
            return self._hash(name, *members, self._fold(getattr(value, "__dict__", None)))
        if isinstance(value, type) or kind in _BY_NAME:
            return self._fold_named(value)
        if hasattr(kind, "__array__") and hasattr(value, "dtype") and "pandas" not in name:
            return self._fold_array(name, value)
        if kind.__module__ in STATELESS:
            return self._hash(name)
        try:
            parts = find_state(value)
        except Exception:
            self.uncompared = self.uncompared or name
            return self._hash(name)
        return self._hash("Path" if isinstance(value, PurePath) else name, *self._list(parts))

    def _list(self, values: Iterable[Any]) -> list[bytes]:
        folded = []
        for value in values:
            folded.append(self._fold(value))  # noqa: PERF401 - a comprehension has no place in deep recursion
        return folded

    def _fold_all(self, name: str, values: Any) -> bytes:
        kinds = set(map(type, values))
        if kinds <= PLAIN and not (float in kinds and any(value != value for value in values)):
            return self._hash(name, marshal.dumps(values, 2))
        return self._hash(name, *self._list(values))

    def _fold_pairs(self, name: str, pairs: dict[Any, Any]) -> bytes:
        if set(map(type, pairs)) == {str}:
            names = sorted(pairs)
            values = self._fold_all("values", [pairs[key] for key in names])
            return self._hash(name, marshal.dumps(names, 2), values)
        keyed = [
            (marshal.dumps(key, 2) if type(key) in PLAIN else self._fold(key), place)
            for place, key in enumerate(pairs)
        ]
        members = list(pairs.values())
        folded = []
        for key, place in sorted(keyed):
            folded += [key, self._fold(members[place])]
        return self._hash(name, *folded)

    def _fold_named(self, value: Any) -> bytes:
        """Fold what is known by its name: a class, a module, a function with what it closes over."""
        if isinstance(value, types.MethodType):
            return self._hash("method", self._fold(value.__func__), self._fold(value.__self__))
        module = getattr(value, "__module__", "")
        name = getattr(value, "__qualname__", None) or value.__name__
        parts: list[Any] = []
        if isinstance(value, types.FunctionType):
            with suppress(ValueError):  # a cell that is empty yet
                parts = [cell.cell_contents for cell in value.__closure__ or ()]
            line = value.__code__.co_firstlineno if value.__name__ == "<lambda>" else 0
            parts += [line, value.__defaults__, value.__kwdefaults__]
        elif not isinstance(owner := getattr(value, "__self__", None), types.ModuleType):
            parts = [owner]
        return self._hash(f"{module}.{name}", *self._list(parts))

    def _fold_array(self, name: str, value: Any) -> bytes:
        """Fold an array of NumPy, or of another library that can be read as one."""
        numpy = sys.modules.get("numpy")
        try:
            cells: Any = numpy.asarray(value)  # type: ignore[union-attr]
            mask = getattr(value, "mask", None)
            form = f"{value.dtype} {cells.shape}".encode()
        except Exception:
            self.uncompared = self.uncompared or name
            return self._hash(name)
        if cells.dtype.names:
            parts = [cells[field] for field in cells.dtype.names]
        elif cells.dtype.hasobject or cells.dtype.kind == "T":
            parts = cells.ravel().tolist()
        else:
            if cells.dtype.kind in "fc" and (cells != cells).any():
                cells = numpy.where(cells != cells, cells.dtype.type("nan"), cells)  # type: ignore[union-attr]
            return self._hash(name, form, self._fold(mask), cells.tobytes())
        return self._hash(name, form, self._fold(mask), *self._list(parts))


def name_type(kind: type) -> str:
    """Return the name of a type with its module, which built-in types don't show."""
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return module + kind.__qualname__


def _read_buffer(value: Any) -> Any:
    view = memoryview(value)
    return view.format, view.shape, view.tobytes()


# How to read values that can't be pickled, or not in the same way by each Python.
_READERS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    ((bytearray, array, memoryview, ctypes.Array, ctypes.Structure), _read_buffer),
    (ctypes.c_int.__base__, attrgetter("value")),
    (PurePath, str),
    (Enum, attrgetter("name", "value")),
    ((io.StringIO, io.BytesIO), methodcaller("getvalue")),
    (queue.Queue, lambda waiting: list(waiting.queue)),
    (types.MappingProxyType, dict),
)


def find_state(value: Any) -> list[Any]:
    """Return the parts that make up an object; raises whatever keeps it from telling them."""
    for kinds, read in _READERS:
        if isinstance(value, kinds):
            return [read(value)]
    if type(value).__module__ == "multiprocessing.sharedctypes":
        return [value.get_obj()]
    if type(value).__module__ == "multiprocessing.managers" and hasattr(value, "_getvalue"):
        return [value._getvalue()]  # noqa: SLF001 - the one way to a copy of what it stands for
    reduce = copyreg.dispatch_table.get(type(value))
    reduced = reduce(value) if reduce else value.__reduce_ex__(4)
    if isinstance(reduced, str):
        return [reduced]
    make, arguments, state, members, pairs = (*reduced, None, None, None)[:5]
    return [make, arguments, state, list(members or ()), dict(pairs or ())]


def describe_value(value: object) -> str:
    """Say in a few letters what a value is, without addresses."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = short.maxlong = _LONGEST_TEXT
    try:
        if type(value).__repr__ is object.__repr__ and hasattr(value, "__dict__"):
            parts = [f"{name}={short.repr(part)}" for name, part in vars(value).items()]
            text = f"{type(value).__name__}({', '.join(parts[:9])})"
        else:
            text = short.repr(value)
    except Exception:
        text = name_type(type(value))
    text = " ".join(_ADDRESS.sub("", text).split())
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"
