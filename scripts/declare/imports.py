"""Imports: which of the pinned packages a program needs, found by reading it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from scripts.declare.experiment import Experiment
from scripts.paths import REQUIREMENTS, SERVER

_PIN = re.compile(r"^([\w.-]+)==[^\\#\n]+", re.MULTILINE)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def find_packages(
    experiment: Experiment, program: str, requirements: Path = REQUIREMENTS
) -> dict[str, str]:
    """What a program imports besides Python and its own folder: the pin of each by its name.

    Of the shared code counts what it calls: a program that only waits does not need the client
    that another function imports. A package that is imported by another name than it is installed
    by is not found.
    """
    shared = (experiment.folder / name for name in experiment.shared if name.endswith(".py"))
    path = experiment.folder / experiment.program(program).file
    return _pin(_find_imports(read_source(path), tuple(map(read_source, shared))), requirements)


def find_all_packages(experiment: Experiment) -> dict[str, str]:
    """What all programs of an experiment import, and its load server if it needs one."""
    found: dict[str, str] = {}
    for program in experiment.programs:
        found |= find_packages(experiment, program.name)
    return found | (_pin(_find_imports(read_source(SERVER), ())) if experiment.needs_server else {})


def read_pins(path: Path) -> Mapping[str, str]:
    """The pins of a requirements file, ``name==version ; marker``, by name."""
    return _parse_pins(read_source(path))


def _pin(imported: Iterable[str], requirements: Path = REQUIREMENTS) -> dict[str, str]:
    pins = read_pins(requirements)
    names = sorted(name.replace("_", "-") for name in imported)
    return {name: pins[name] for name in names if name in pins}


@lru_cache
def _parse_pins(text: str) -> Mapping[str, str]:
    return {found[1]: found[0].strip() for found in _PIN.finditer(text)}


@lru_cache(maxsize=1024)
def _find_imports(program: str, shared: tuple[str, ...]) -> frozenset[str]:
    """The modules, without what is below them, of a program and of the shared code it reaches."""
    try:
        nodes = list(_walk(ast.parse(program)))
        statements = [one for text in shared for one in ast.parse(text).body]
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


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, without what is for type checkers only."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


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
