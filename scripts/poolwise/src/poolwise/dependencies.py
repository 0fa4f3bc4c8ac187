"""Dependencies: what a record of a program is valid for, and the packages that the program needs.

Both follow from its source and the code it shares. An interpreter gets those packages in an
environment of its own, as far as there are wheels of them.
"""

import ast
import hashlib
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path

import msgspec
from packaging.requirements import Requirement

from poolwise.declaration import Reason, read_text
from poolwise.experiment import Experiment
from poolwise.paths import REQUIREMENTS, VENVS, identify
from poolwise.pythons import Installation, Interpreter, find_uv, try_import
from poolwise.record import Variant

# Version of how trials are run and counted; raise it when old and new records must not mix.
PROTOCOL = 4
# The Python whose syntax is understood: the oldest that runs the engine, whichever runs it now.
_OLDEST = (3, 11)
_PIN = re.compile(r"^([\w.-]+)==[^\\#\n]+", re.MULTILINE)
# What parsing a program may raise.
_UNREADABLE = (SyntaxError, ValueError, MemoryError, RecursionError)


def take_fingerprint(
    experiment: Experiment, variant: Variant, profile: str, interpreter: Interpreter
) -> str:
    """Digest of the program, its shared code, the interpreter's version and the way it was built, the profile.

    And of the pinned versions of the packages that it imports, without what those need in turn,
    and of what decides whether a trial did its work: result, ending and time limit. Machine and
    parameters are in the variant. The load server counts as shared code where the experiment
    needs it. Code counts by what it does: comments, docstrings and layout do not. Nor do
    titles, questions and claims. Nor does the day of a build: one with the same compiler and options
    is the same Python, as images of it are made anew every week.
    """
    program, sizes = experiment.program(variant.program), experiment.profiles[profile]
    files = [experiment.folder / name for name in (program.file, *experiment.shared)]
    if experiment.server_path:
        files.append(experiment.server_path)
    facts = [str(PROTOCOL), profile, repr(variant), interpreter.version]
    facts += map(str, interpreter.options)
    facts += [experiment.tracer, *experiment.readings]
    facts += [program.ends, program.says, repr(program.timeout_s or sizes.timeout_s)]
    facts += [repr(sizes.find_result(variant.family, variant.tasks)), *sizes.server_args]
    facts += find_packages(experiment, program.name, interpreter.version).values()
    for path in files:
        text = read_source(path)
        facts.append(reduce_code(text) if path.suffix == ".py" else text)
    digest = hashlib.sha256()
    for part in facts:
        digest.update(f"{len(part)}:{part}".encode())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1024)
def reduce_code(text: str) -> str:
    """Code as its syntax tree, the same on every Python; as its text if the oldest cannot read it.

    Without comments, layout, and strings that stand alone, such as docstrings. Code that reads
    ``__doc__`` stays text too.
    """
    if "__doc__" in text:
        return text
    try:
        return _write(ast.parse(text, feature_version=_OLDEST))
    except _UNREADABLE:
        return text


def _write(part: object) -> str:
    """A part of a syntax tree as text, where ``ast.dump`` says something else on each Python.

    Empty fields are left out, as newer versions have more of them, and the others are in the order
    of their names. Which characters are printable depends on the version, so only ASCII stays.
    """
    name = type(part).__name__
    match part:
        case list():
            return f"[{','.join(filter(None, map(_write, part)))}]"
        case ast.Expr(value=ast.Constant(value=str())):
            return ""  # a statement that is nothing but a string
        case ast.Constant() | ast.MatchSingleton():  # an empty one says something
            return f"{name}({part.value!a})"
        case ast.JoinedStr():
            return f"{name}({_write(_join_texts(part.values))})"
        case ast.AST():  # whether it is read or written, ``ctx``, its place says
            values = {name: value for name, value in ast.iter_fields(part) if value}
            names = sorted(values.keys() - {"ctx"})
            return f"{name}({','.join(f'{field}={_write(values[field])}' for field in names)})"
    return ascii(part)


def _join_texts(values: Sequence[ast.expr]) -> list[ast.expr]:
    """The parts of an f-string, whose texts some versions split, or leave empty."""
    joined: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.Constant) and joined and isinstance(joined[-1], ast.Constant):
            joined[-1] = ast.Constant(str(joined[-1].value) + str(value.value))
        elif not (isinstance(value, ast.Constant) and value.value == ""):
            joined.append(value)
    return joined


def find_packages(experiment: Experiment, program: str, python: str) -> dict[str, str]:
    """Find what a program imports besides Python and its own folder: the pin of each by its name.

    Of the shared code counts what it calls: a program that only waits does not need the client
    that another function imports. A package that is imported by another name than it is installed
    by is not found. ``python`` is the version that is to run it, ``3.13.0``.
    """
    return _choose(_list_modules(experiment, program), python)


def find_imported(path: Path, python: str) -> dict[str, str]:
    """Find what a program that stands alone imports besides Python, as ``find_packages`` does."""
    return _choose(_find_imports(read_source(path), ()), python)


def _choose(modules: Iterable[str], python: str) -> dict[str, str]:
    pins = _choose_pins(_read_pins(), python)
    return {name: pins[name] for name in sorted(map(_name_package, modules)) if name in pins}


def _name_package(module: str) -> str:
    return module.replace("_", "-")


def find_all_packages(experiment: Experiment) -> dict[str, Sequence[str]]:
    """Find what programs of an experiment and its load server import: all pins of each by its name."""
    names = set[str]()
    for program in experiment.programs:
        names.update(map(_name_package, _list_modules(experiment, program.name)))
    if experiment.server_path:
        names |= _find_imports(read_source(experiment.server_path), ())
    pinned = _parse_pins(_read_pins())
    return {name: pins for name, pins in pinned.items() if name in names}


def _list_modules(experiment: Experiment, program: str) -> frozenset[str]:
    shared = (experiment.folder / name for name in experiment.shared if name.endswith(".py"))
    path = experiment.folder / experiment.program(program).file
    return _find_imports(read_source(path), tuple(map(read_source, shared)))


@lru_cache
def _choose_pins(text: str, python: str) -> Mapping[str, str]:
    chosen = {}
    for name, pins in _parse_pins(text).items():
        for pin in map(Requirement, pins):
            if pin.marker is None or pin.marker.evaluate({"python_full_version": python}):
                chosen[name] = f"{name}{pin.specifier}"
    return chosen


@lru_cache
def _parse_pins(text: str) -> Mapping[str, Sequence[str]]:
    """Find the pins of a requirements file, ``name==version ; marker``, by name."""
    pins: dict[str, list[str]] = defaultdict(list)
    for pin in _PIN.finditer(text):
        pins[pin[1]].append(pin[0].strip())
    return pins


@lru_cache(maxsize=1024)
def _find_imports(program: str, shared: tuple[str, ...]) -> frozenset[str]:
    """Find the modules, without what is below them, of a program and of the shared code it reaches."""
    try:
        nodes = list(_walk(ast.parse(program)))
        statements = list(chain.from_iterable(ast.parse(text).body for text in shared))
    except _UNREADABLE:
        return frozenset()  # it will fail, and that is then its result
    definitions: dict[str, list[ast.AST]] = defaultdict(list)
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            definitions[statement.name].append(statement)
        else:
            nodes += _walk(statement)
    modules: set[str] = set()
    for node in nodes:  # which grows by what each name in it leads to
        names: list[str] = []
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                names = [name]
            case ast.Import(names=aliases):
                modules.update(alias.name.partition(".")[0] for alias in aliases)
            case ast.ImportFrom(module=module, names=aliases, level=level):
                names = [alias.name for alias in aliases]
                if module and not level:
                    modules.add(module.partition(".")[0])
        for name in names:
            nodes += chain.from_iterable(map(_walk, definitions.pop(name, ())))
    return frozenset(modules)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a node and all below it, without what is for type checkers only."""
    nodes = [node]
    for child in nodes:  # which grows by what is below each
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield child
            nodes += ast.iter_child_nodes(child)


def _read_pins() -> str:
    """The project's requirements; in a folder without them nothing is installed for programs."""
    return read_source(REQUIREMENTS) if REQUIREMENTS.is_file() else ""


def read_source(path: Path) -> str:
    """Read a file that many cells depend on, once for each state of it."""
    return _read(path, identify(path.stat()))


@lru_cache(maxsize=1024)
def _read(path: Path, _state: tuple[int, ...]) -> str:
    return read_text(path)


# Within an environment: its Python, and what is known of its packages.
_PYTHON, _STAMP = "bin/python", "packages.json"
_NO_WHEEL = "No solution found"
# Words of uv about a package without a wheel for an interpreter, and also where it may not look.
_OFFLINE = "the network was disabled"
# The check that packages passed: what is known by another one does not count.
_CHECKED = "each is imported once"
# Packages that were wanted: why one cannot be used, `None` if it can.
_Lacking = dict[str, Reason | None]


class _Stamp(msgspec.Struct):
    """The state of an environment; ``digest`` is of the pins that it holds for."""

    digest: str
    lacking: _Lacking


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


def prepare(installation: Installation, packages: Mapping[str, str]) -> Environment:
    """Prepare an interpreter with packages: the running one, which has them, or a virtual environment.

    Nothing is built, which may take minutes and need compilers: what has no wheel is missing. So is
    what cannot be imported, and what turns the GIL on again where it was to be off. What an environment
    has holds as long as all pins; what could not be fetched is tried again.
    """
    if installation.path == Path(sys.executable) or not packages:
        return Environment(installation=installation)
    # The GIL is a matter of the environment variables, not of the packages.
    folder = VENVS / installation.interpreter.id.removesuffix("-gil")
    python = replace(installation, path=folder / _PYTHON)
    pins = chain.from_iterable(_parse_pins(_read_pins()).values())
    facts = "\n".join([_CHECKED, str(installation.path), *pins])
    digest = hashlib.sha256(facts.encode()).hexdigest()
    known: _Lacking = {}
    problem = ""
    try:
        known = _recall(folder, digest) or _make(folder, installation)
        if unknown := sorted(packages.keys() - known):
            for name in unknown:
                known[name] = _install(python, name, packages[name])
            (folder / _STAMP).write_bytes(msgspec.json.encode(_Stamp(digest, known)))
    except _NoPackagesError as error:
        for name in packages:
            known.setdefault(name, Reason("not-fetched", {"package": name}))
        problem = f"{installation.interpreter.id}: {error}"
    missing, has_gil = {}, installation.interpreter.gil == "on"
    for name in packages:
        reason = known[name]
        if reason and not (has_gil and reason.code == "package-needs-gil"):
            missing[name] = reason
    if python.path.exists():
        installation = python
    return Environment(installation=installation, missing=missing, problem=problem)


def _make(folder: Path, installation: Installation) -> _Lacking:
    shutil.rmtree(folder, ignore_errors=True)
    done = _run_uv("venv", "--python", str(installation.path), str(folder))
    if done.returncode:
        raise _NoPackagesError(_explain("uv cannot make an environment", done.stderr))
    return {}


def _recall(folder: Path, digest: str) -> _Lacking | None:
    """Recall which packages are installed or cannot be; ``None`` if the pins were others."""
    with suppress(OSError, ValueError):
        noted = msgspec.json.decode((folder / _STAMP).read_bytes(), type=_Stamp)
        if noted.digest == digest and (folder / _PYTHON).exists():
            return noted.lacking
    return None


def _install(installation: Installation, package: str, pin: str) -> Reason | None:
    """Install a package with what it needs; gives why it cannot be used, ``None`` if it can.

    It may have been built for another ABI, and a module in C that has not declared that it can do
    without the GIL turns it on again.
    """
    options = ["--python", str(installation.path), "--only-binary", ":all:", "--require-hashes"]
    done = _run_uv("pip", "install", *options, "--constraints", str(REQUIREMENTS), pin)
    if done.returncode:
        if _NO_WHEEL in done.stderr and _OFFLINE not in done.stderr:
            return Reason("no-wheel", {"package": package})
        raise _NoPackagesError(_explain(f"{package} cannot be fetched", done.stderr))
    gil = try_import(installation.path, package.replace("-", "_"))
    if gil not in ("on", "off"):
        error = gil.replace(f"{VENVS}/", "")
        return Reason("package-broken", {"package": package, "error": error})
    if installation.interpreter.free_threaded and gil == "on":
        return Reason("package-needs-gil", {"package": package})
    return None


def _run_uv(*arguments: str) -> subprocess.CompletedProcess[str]:
    uv = find_uv()
    if uv is None:
        raise _NoPackagesError("uv is needed to install packages for another interpreter")
    return subprocess.run(
        [uv, "--color=never", *arguments], capture_output=True, text=True, check=False
    )


def _explain(what: str, stderr: str) -> str:
    """Make a sentence with the first and the last of what uv says went wrong."""
    lines = [line.strip() for line in stderr.splitlines()]
    causes = [line for line in lines if line.startswith(("error:", "cause:", "hint:"))]
    reasons = [line.partition(": ")[2] for line in causes or lines[-1:]]
    return f"{what}: {'; '.join(dict.fromkeys([*reasons[:1], *reasons[-1:]]))}"
