"""Entry: a function found in its module, its items made, and what keeps it from being called.

Each ``Fault`` is a message with what to do. ``attempt`` loads this into the user's Python: it knows the
standard library alone, and needs Python 3.11.
"""

import importlib
import inspect
import json
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from inspect import getattr_static
from itertools import islice
from pathlib import Path
from types import MethodType, ModuleType
from typing import Any

Function = Callable[[Any], Any]

MOST_ITEMS = 1_000_000
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_SHADOWED = re.compile(r"(?:partially initialized module '|consider renaming '(?:[^']*/)?)(\w+)")
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*", re.IGNORECASE)
_UNPICKLED = re.compile(r"pickl|local object|NotShareable", re.IGNORECASE)
_LONGEST_TEXT = 300


class Fault(Exception):
    """A reason why a task can't be carried out, and ``answer``, the message that says it."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key, values)
        self.answer = {"key": key, "values": values}


def describe_error(error: BaseException) -> str:
    """Say in a line what was raised."""
    text = _ADDRESS.sub("", f"{type(error).__name__}: {error}")
    return " ".join(text.split())[:_LONGEST_TEXT].rstrip(": .")


def find_function(task: Mapping[str, Any]) -> Function:
    """Return the function of a task."""
    name = task["function"]
    function: Function = _find_attribute(_import_module(task["module"], task), name)
    if not callable(function):
        raise Fault("entry.no-callable", name=name, kind=type(function).__name__)
    return function


def make_items(task: Mapping[str, Any]) -> list[Any]:
    """Return the items of a task, from its file or by the function that makes them."""
    if not task["items_from"]:
        values: list[Any] = json.loads(Path(task["items"]).read_text(encoding="utf-8"))
        return values
    module, _, name = task["items_from"].partition(":")
    maker = _find_attribute(_import_module(module, task), name)
    if not callable(maker):
        raise Fault("entry.maker-no-callable", name=name)
    items: list[Any] = []
    try:
        made = maker()
        if isinstance(made, Iterable) and not isinstance(made, str | bytes | dict):
            items += islice(made, MOST_ITEMS + 1)
    except BaseException as error:  # it may also exit
        raise Fault("entry.maker-failed", name=name, error=describe_error(error)) from None
    if not items:
        raise Fault("entry.maker-no-items", name=name, kind=type(made).__name__)
    if len(items) > MOST_ITEMS:
        raise Fault("entry.maker-too-many", name=name, most=MOST_ITEMS)
    return items


def _import_module(name: str, task: Mapping[str, Any]) -> ModuleType:
    try:
        return importlib.import_module(name)
    except BaseException as error:  # it may also exit
        if isinstance(error, ModuleNotFoundError) and error.name:
            raise _explain_missing(error.name, name, task) from None
        text = describe_error(error)
        if shadow := _SHADOWED.search(text):
            raise Fault("entry.shadow", module=shadow[1], error=text) from None
        if "relative import" in text:
            raise Fault("entry.relative", module=name, function=task["function"]) from None
        raise Fault("entry.no-import", module=name, error=text) from None


def _explain_missing(missing: str, name: str, task: Mapping[str, Any]) -> Fault:
    folder, here = Path(task["folder"]), Path.cwd()
    if f"{name}.".startswith(f"{missing}."):
        names = [path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()]
        if near := get_close_matches(missing, names, 1):
            place = f"{near[0]}{name.removeprefix(missing)}"
            return Fault("entry.no-module-near", module=missing, near=place)
        return Fault("entry.no-module", module=missing, folder=str(folder))
    top = missing.partition(".")[0]
    is_here = (here / top).is_dir() or (here / f"{top}.py").is_file()
    if is_here and folder != here and folder.is_relative_to(here):
        place = ".".join([*folder.relative_to(here).parts, f"{name}:{task['function']}"])
        return Fault("entry.from-here", module=name, missing=missing, place=place)
    return Fault("entry.no-package", module=name, missing=missing, python=sys.executable)


def _find_attribute(module: ModuleType, path: str) -> Any:  # noqa: ANN401 - anything may stand there
    """Return what a dotted name stands for in a module."""
    value: Any = module
    for name in path.split("."):
        holder = value
        try:
            value = getattr(holder, name)
        except AttributeError:
            values = {"place": getattr(holder, "__name__", type(holder).__name__), "name": name}
            names = [part for part in dir(holder) if callable(getattr_static(holder, part, None))]
            if near := get_close_matches(name, names, 1):
                raise Fault("entry.no-attribute-near", **values, near=near[0]) from None
            raise Fault("entry.no-attribute", **values) from None
        if isinstance(holder, type) and inspect.isfunction(getattr_static(holder, name, None)):
            raise _explain_method(module, holder, name)
    return value


def _explain_method(module: ModuleType, kind: type, name: str) -> Fault:
    for key, value in vars(module).items():
        if isinstance(value, kind):
            method = f"{key}.{name}"
            return Fault("entry.method-of", name=name, kind=kind.__name__, method=method)
    example = kind.__name__.lower()
    return Fault("entry.method", name=name, kind=kind.__name__, example=example)


def check_arguments(function: Function, item: object, task: Mapping[str, Any]) -> None:
    """Hold the first item against the arguments that a function takes."""
    signature = _read_signature(function)
    name = task["function"]
    if task["is_spread"]:
        if not isinstance(item, list | tuple | dict):
            raise Fault("entry.star-single", kind=type(item).__name__)
        if signature:
            try:
                _bind(signature, item)
            except TypeError as error:
                values = {"call": f"{name}{signature}", "item": f"{item!r:.60}"}
                raise Fault("entry.star-misfit", **values, error=str(error)) from None
    elif signature:
        try:
            signature.bind(item)
        except TypeError:
            raise _explain_arguments(name, signature, item) from None


def _read_signature(function: Function) -> inspect.Signature | None:
    """Return the arguments that a function takes; what is written in C may not tell."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def _bind(signature: inspect.Signature, item: list[Any] | tuple[Any, ...] | dict[str, Any]) -> None:
    if isinstance(item, dict):
        signature.bind(**item)
    else:
        signature.bind(*item)


def _explain_arguments(name: str, signature: inspect.Signature, item: object) -> Fault:
    """Say what to do with a function that doesn't take an item as its only argument."""
    short = name.rpartition(".")[2]
    if not signature.parameters:
        return Fault("entry.no-argument", function=name, short=short)
    needed = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    values = {"function": name, "short": short, "names": needed, "count": len(needed)}
    if isinstance(item, dict):
        return Fault("entry.several-dict", **values)
    if isinstance(item, list | tuple):
        return Fault("entry.several-list", **values)
    return Fault("entry.several", **values)


def check_result(result: object, task: Mapping[str, Any]) -> None:
    """Refuse a result that nothing has been done for yet."""
    values = {"function": task["function"], "short": task["function"].rpartition(".")[2]}
    if inspect.isawaitable(result):
        raise Fault("entry.coroutine", **values)
    if inspect.isgenerator(result):
        raise Fault("entry.generator", **values)
    if inspect.isasyncgen(result):
        raise Fault("entry.async-generator", **values)


def explain_failure(
    function: Function, number: int, item: object, error: BaseException, task: Mapping[str, Any]
) -> Fault:
    """Say which item a function failed on, and what to do where the kind of items is the cause."""
    text = describe_error(error)
    values = {"function": task["function"], "number": number}
    values |= {"item": f"{item!r:.60}", "error": text}
    if number > 1 or task["is_spread"] or task["items_from"]:
        return Fault("entry.failed", **values)
    if isinstance(item, dict) and getattr(error, "obj", None) is item:
        return Fault("entry.failed-dict", **values)
    if isinstance(error, TypeError):
        if isinstance(item, str) and _NUMBER.fullmatch(item):
            return Fault("entry.failed-text", **values)
        if isinstance(item, list) and "unhashable" in text:
            return Fault("entry.failed-unhashable", **values)
        signature = _read_signature(function)
        if isinstance(item, list | dict) and len(item) > 1 and signature:
            with suppress(TypeError):
                _bind(signature, item)
                return Fault("entry.failed-parts", **values)
    return Fault("entry.failed", **values)


def explain_pickling(
    function: Function, items: Sequence[Any], error: BaseException, task: Mapping[str, Any]
) -> Fault:
    """Say what can't be handed to another process, and how to do without."""
    name, text = task["function"], describe_error(error)
    short = name.rpartition(".")[2]
    if _fails(function):
        if isinstance(function, MethodType):
            return Fault("entry.pickle-method", function=name, short=short, error=text)
        return Fault("entry.pickle-function", function=name, error=text)
    for number, item in enumerate(items, 1):
        if _fails(item):
            return Fault("entry.pickle-item", number=number, error=text)
    return Fault("entry.pickle-result", function=name, error=text)


def is_pickling(error: BaseException) -> bool:
    """Tell whether something couldn't be handed to another process."""
    return bool(_UNPICKLED.search(f"{type(error).__name__} {error}"))


def _fails(value: object) -> bool:
    try:
        pickle.dumps(value)
    except Exception:  # what pickling raises may be anything
        return True
    return False
