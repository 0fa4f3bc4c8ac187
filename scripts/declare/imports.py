"""Imports: which of the pinned packages a program needs, found by reading it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from packaging.requirements import Requirement

from scripts.declare.experiment import Experiment
from scripts.paths import REQUIREMENTS, SERVER

_PIN = re.compile(r"^([\w.-]+)==[^\\#\n]+", re.MULTILINE)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def find_packages(
    experiment: Experiment, program: str, python: str, requirements: Path = REQUIREMENTS
) -> dict[str, str]:
    """What a program imports besides Python and its own folder: the pin of each by its name.

    Of the shared code counts what it calls: a program that only waits does not need the client
    that another function imports. A package that is imported by another name than it is installed
    by is not found. ``python`` is the version that is to run it, ``3.13.0``.
    """
    pins = _choose_pins(read_source(requirements), python)
    return {name: pins[name] for name in _list_packages(experiment, program) if name in pins}


def find_all_packages(experiment: Experiment) -> dict[str, Sequence[str]]:
    """What all programs of an experiment import, and its load server if it needs one.

    The pins of each for all versions of Python, by its name.
    """
    names = {name for one in experiment.programs for name in _list_packages(experiment, one.name)}
    if experiment.needs_server:
        names |= _find_imports(read_source(SERVER), ())
    return {name: pins for name, pins in read_pins(REQUIREMENTS).items() if name in names}


def read_pins(path: Path) -> Mapping[str, Sequence[str]]:
    """The pins of a requirements file, ``name==version ; marker``, by name."""
    return _parse_pins(read_source(path))


def _list_packages(experiment: Experiment, program: str) -> list[str]:
    """The modules that a program imports, by the names of packages."""
    shared = (experiment.folder / name for name in experiment.shared if name.endswith(".py"))
    path = experiment.folder / experiment.program(program).file
    imported = _find_imports(read_source(path), tuple(map(read_source, shared)))
    return sorted(name.replace("_", "-") for name in imported)


@lru_cache
def _choose_pins(text: str, python: str) -> Mapping[str, str]:
    """What of the pins is for a version of Python, as ``name==version``."""
    chosen = {}
    for name, pins in _parse_pins(text).items():
        for one in map(Requirement, pins):
            if one.marker is None or one.marker.evaluate({"python_full_version": python}):
                chosen[name] = f"{name}{one.specifier}"
    return chosen


@lru_cache
def _parse_pins(text: str) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for pin in _PIN.finditer(text):
        found[pin[1]].append(pin[0].strip())
    return found


@lru_cache(maxsize=1024)
def _find_imports(program: str, shared: tuple[str, ...]) -> frozenset[str]:
    """The modules, without what is below them, of a program and of the shared code it reaches."""
    try:
        nodes = list(_walk(ast.parse(program)))
        statements = [one for text in shared for one in _parse(text).body]
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return frozenset()  # it will fail, and that is then its result
    definitions: dict[str, list[ast.AST]] = defaultdict(list)
    for statement in statements:
        if isinstance(statement, _DEFINITIONS):
            definitions[statement.name].append(statement)
        else:
            nodes += _walk(statement)
    for node in nodes:  # which grows by what each name in it leads to
        for name in _list_names(node):
            nodes += (inner for one in definitions.pop(name, ()) for inner in _walk(one))
    return frozenset(name for node in nodes for name in _list_imports(node))


@lru_cache
def _parse(shared: str) -> ast.Module:
    """What many programs share, read once."""
    return ast.parse(shared)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, without what is for type checkers only."""
    left = [node]
    for one in left:  # which grows by what is below each
        if not (isinstance(one, ast.If) and "TYPE_CHECKING" in ast.unparse(one.test)):
            yield one
            left += ast.iter_child_nodes(one)


def _list_names(node: ast.AST) -> Iterable[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return [name]
        case ast.ImportFrom(names=aliases):
            return [alias.name for alias in aliases]
    return []


def _list_imports(node: ast.AST) -> Iterable[str]:
    match node:
        case ast.Import(names=aliases):
            return [alias.name.partition(".")[0] for alias in aliases]
        case ast.ImportFrom(module=str(module), level=0):
            return [module.partition(".")[0]]
    return []


def read_source(path: Path) -> str:
    """What is in a file that many cells depend on, read once for each state of it."""
    found = path.stat()
    return _read(path, (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns))


@lru_cache(maxsize=1024)
def _read(path: Path, _state: tuple[int, ...]) -> str:
    return path.read_text(encoding="utf-8")
