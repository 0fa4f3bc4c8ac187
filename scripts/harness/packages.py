"""Packages: environments of interpreters, with those packages that there are wheels of."""

import ast
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path

import msgspec
from packaging.requirements import Requirement

from scripts.harness.declaration import Reason
from scripts.harness.experiment import Experiment
from scripts.harness.paths import REQUIREMENTS, SERVER, VENVS
from scripts.harness.pythons import Installation, find_uv, try_import

_PIN = re.compile(r"^([\w.-]+)==[^\\#\n]+", re.MULTILINE)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def find_packages(
    experiment: Experiment, program: str, python: str, requirements: Path = REQUIREMENTS
) -> dict[str, str]:
    """Find what a program imports besides Python and its own folder: the pin of each by its name.

    Of the shared code counts what it calls: a program that only waits does not need the client
    that another function imports. A package that is imported by another name than it is installed
    by is not found. ``python`` is the version that is to run it, ``3.13.0``.
    """
    pins = _choose_pins(read_source(requirements), python)
    return {name: pins[name] for name in _list_packages(experiment, program) if name in pins}


def find_all_packages(experiment: Experiment) -> dict[str, Sequence[str]]:
    """Find what all programs of an experiment import, and its load server if it needs one.

    The pins of each for all versions of Python, by its name.
    """
    names = {name for one in experiment.programs for name in _list_packages(experiment, one.name)}
    if experiment.needs_server:
        names |= _find_imports(read_source(SERVER), ())
    pinned = _parse_pins(read_source(REQUIREMENTS))
    return {name: pins for name, pins in pinned.items() if name in names}


def _list_packages(experiment: Experiment, program: str) -> list[str]:
    """The modules that a program imports, by the names of packages."""
    shared = (experiment.folder / name for name in experiment.shared if name.endswith(".py"))
    path = experiment.folder / experiment.program(program).file
    imported = _find_imports(read_source(path), tuple(map(read_source, shared)))
    return sorted(name.replace("_", "-") for name in imported)


@lru_cache
def _choose_pins(text: str, python: str) -> Mapping[str, str]:
    """Choose the pins that are for a version of Python, as ``name==version``."""
    chosen = {}
    for name, pins in _parse_pins(text).items():
        for one in map(Requirement, pins):
            if one.marker is None or one.marker.evaluate({"python_full_version": python}):
                chosen[name] = f"{name}{one.specifier}"
    return chosen


@lru_cache
def _parse_pins(text: str) -> Mapping[str, Sequence[str]]:
    """The pins of a requirements file, ``name==version ; marker``, by name."""
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
    found: set[str] = set()
    for node in nodes:  # which grows by what each name in it leads to
        names: list[str] = []
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                names = [name]
            case ast.Import(names=aliases):
                found.update(alias.name.partition(".")[0] for alias in aliases)
            case ast.ImportFrom(module=module, names=aliases, level=level):
                names = [alias.name for alias in aliases]
                if module and not level:
                    found.add(module.partition(".")[0])
        for name in names:
            nodes += (inner for one in definitions.pop(name, ()) for inner in _walk(one))
    return frozenset(found)


@lru_cache
def _parse(shared: str) -> ast.Module:
    """The syntax tree of code that many programs share, read once."""
    return ast.parse(shared)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, without what is for type checkers only."""
    left = [node]
    for one in left:  # which grows by what is below each
        if not (isinstance(one, ast.If) and "TYPE_CHECKING" in ast.unparse(one.test)):
            yield one
            left += ast.iter_child_nodes(one)


def read_source(path: Path) -> str:
    """The text of a file that many cells depend on, read once for each state of it."""
    found = path.stat()
    return _read(path, (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns))


@lru_cache(maxsize=1024)
def _read(path: Path, _state: tuple[int, ...]) -> str:
    return path.read_text(encoding="utf-8")


_NO_WHEEL = "No solution found"
_OFFLINE = "the network was disabled"
"""Words of uv about a package without a wheel for an interpreter, and also where it may not look."""
_CHECKED = "each is imported once"
"""The check that packages passed: what is known by another one does not count."""
_Lacking = dict[str, Reason | None]
"""Packages that were asked for: why one cannot be used, ``None`` if it can."""


class _NoPackagesError(RuntimeError):
    """Packages could not be fetched, or an environment not be made; says why in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """An interpreter with packages, but for the ``missing`` ones, each with the reason.

    ``problem`` is a sentence, if it is no matter of the packages that they are missing.
    """

    installation: Installation
    missing: Mapping[str, Reason] = field(default_factory=dict)
    problem: str = ""


def prepare(
    installation: Installation, packages: Mapping[str, str], requirements: Path = REQUIREMENTS
) -> Environment:
    """The interpreter with packages: the running one, which has them, or a virtual environment.

    Nothing is built, which may take minutes and need compilers: what has no wheel is missing. So is
    what cannot be imported, and what turns the GIL on again where it was to be off. What an environment
    has holds as long as the pins of ``requirements``; what could not be fetched is tried again.
    """
    if installation.path == Path(sys.executable) or not packages:
        return Environment(installation=installation)
    # The GIL is a matter of the environment variables, not of the packages.
    folder = VENVS / installation.interpreter.id.removesuffix("-gil")
    python, stamp = folder / "bin" / "python", folder / "packages.json"
    pins = chain.from_iterable(_parse_pins(read_source(requirements)).values())
    facts = "\n".join([_CHECKED, str(installation.path), *pins])
    digest = hashlib.sha256(facts.encode()).hexdigest()
    known = _recall(stamp, digest)
    try:
        if known is None or not python.exists():
            known = _make(folder, installation)
        if unknown := sorted(packages.keys() - known):
            own = replace(installation, path=python)
            for name in unknown:
                known[name] = _install(own, name, packages[name], requirements)
            stamp.write_bytes(msgspec.json.encode({"digest": digest, "lacking": known}))
    except _NoPackagesError as error:
        lost: _Lacking = {name: Reason("not-fetched", {"package": name}) for name in packages}
        known = lost | (known or {})
        problem = f"{installation.interpreter.id}: {error}"
    else:
        problem = ""
    ignored = "package-needs-gil" if installation.interpreter.gil == "on" else None
    lacking = {name: reason for name, reason in known.items() if reason and name in packages}
    return Environment(
        installation=replace(installation, path=python) if python.exists() else installation,
        missing={name: reason for name, reason in lacking.items() if reason.code != ignored},
        problem=problem,
    )


def _make(folder: Path, installation: Installation) -> _Lacking:
    """Make an empty environment in the place of whatever is there."""
    shutil.rmtree(folder, ignore_errors=True)
    done = _run_uv("venv", "--python", str(installation.path), str(folder))
    if done.returncode:
        raise _NoPackagesError(_explain("uv cannot make an environment", done.stderr))
    return {}


def _recall(stamp: Path, digest: str) -> _Lacking | None:
    """Which packages are known to be installed or not; ``None`` if the pins were others."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        noted = json.loads(stamp.read_text(encoding="utf-8"))
        if noted["digest"] == digest:
            return msgspec.convert(noted["lacking"], _Lacking)
    return None


def _install(
    installation: Installation, package: str, pin: str, requirements: Path
) -> Reason | None:
    """Install a package with what it needs; tells why it cannot be used, ``None`` if it can."""
    options = ["--python", str(installation.path), "--only-binary", ":all:", "--require-hashes"]
    done = _run_uv("pip", "install", *options, "--constraints", str(requirements), pin)
    if done.returncode == 0:
        return _check_import(installation, package)
    if _NO_WHEEL not in done.stderr or _OFFLINE in done.stderr:
        raise _NoPackagesError(_explain(f"{package} cannot be fetched", done.stderr))
    return Reason("no-wheel", {"package": package})


def _check_import(installation: Installation, package: str) -> Reason | None:
    """Why an installed package cannot be used; it may have been built for another ABI.

    A module in C that has not declared that it can do without the GIL turns it on again.
    """
    found = try_import(installation.path, package.replace("-", "_"))
    if found not in ("on", "off"):
        error = found.replace(f"{VENVS}/", "")
        return Reason("package-broken", {"package": package, "error": error})
    is_on = installation.interpreter.free_threaded and found == "on"
    return Reason("package-needs-gil", {"package": package}) if is_on else None


def _run_uv(*arguments: str) -> subprocess.CompletedProcess[str]:
    uv = find_uv()
    if uv is None:
        raise _NoPackagesError("uv is needed to install packages for another interpreter")
    return subprocess.run(
        [uv, "--color=never", *arguments], capture_output=True, text=True, check=False
    )


def _explain(what: str, stderr: str) -> str:
    """A sentence with the first and the last of what uv says went wrong."""
    lines = [line.strip() for line in stderr.splitlines()]
    causes = [line for line in lines if line.startswith(("error:", "cause:", "hint:"))]
    told = [line.partition(": ")[2] for line in causes or lines[-1:]]
    return f"{what}: {'; '.join(dict.fromkeys([*told[:1], *told[-1:]]))}"
