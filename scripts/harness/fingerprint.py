"""Fingerprints: what a record is valid for."""

import ast
import hashlib
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from scripts.harness.experiment import Experiment
from scripts.harness.packages import find_packages, read_source
from scripts.harness.paths import SERVER
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Variant

PROTOCOL = 4
"""Version of how trials are run and counted; raise it when old and new records must not mix."""
_OLDEST = (3, 11)
"""The Python whose syntax is understood: the oldest that runs the engine, whichever runs it now."""


def take_fingerprint(
    experiment: Experiment,
    variant: Variant,
    profile: str,
    interpreter: Interpreter,
) -> str:
    """Digest of the program, its shared code, the interpreter build, the profile.

    And of the pinned versions of the packages that it imports, without what those need in turn,
    and of what decides whether a trial did its work: result, ending and time limit. Machine and
    parameters are in the variant. The load server counts as shared code where the experiment
    needs it. Code counts by what it does: comments, docstrings and layout do not. Nor do
    titles, questions and claims.
    """
    program, sizes = experiment.program(variant.program), experiment.profiles[profile]
    files = [experiment.folder / program.file]
    files += [experiment.folder / name for name in experiment.shared]
    if experiment.needs_server:
        files.append(SERVER)
    facts = [str(PROTOCOL), profile, repr(variant), interpreter.version, interpreter.build]
    facts += [experiment.tracer, *experiment.readings]
    facts += [program.ends, program.says, repr(program.timeout_s or sizes.timeout_s)]
    facts += [repr(sizes.find_result(variant.family, variant.tasks))]
    facts += find_packages(experiment, program.name, interpreter.version).values()
    digest = hashlib.sha256()
    for part in (*facts, *map(_read_code, files)):
        digest.update(f"{len(part)}:{part}".encode())
    return digest.hexdigest()[:16]


def _read_code(path: Path) -> str:
    """The code of a Python file without what does nothing; the text of any other file."""
    text = read_source(path)
    return reduce_code(text) if path.suffix == ".py" else text


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
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return text


def _write(part: object) -> str:
    """A part of a syntax tree as text, where ``ast.dump`` says something else on each Python.

    Empty fields are left out, as newer versions have more of them, and the others are in the order
    of their names. Which characters are printable depends on the version, so only ASCII stays.
    """
    if isinstance(part, list):
        return f"[{','.join(_write(one) for one in part if not _is_lone_string(one))}]"
    if not isinstance(part, ast.AST):
        return ascii(part)
    name = type(part).__name__
    if isinstance(part, ast.Constant | ast.MatchSingleton):  # an empty one says something
        return f"{name}({part.value!a})"
    if isinstance(part, ast.JoinedStr):
        return f"{name}({_write(_join_texts(part.values))})"
    fields = [(field, getattr(part, field, None)) for field in _order(part._fields)]
    return f"{name}({','.join(f'{field}={_write(value)}' for field, value in fields if value)})"


@cache
def _order(fields: tuple[str, ...]) -> list[str]:
    """The fields of a node, but for whether it is read or written: its place says so."""
    return sorted(set(fields) - {"ctx"})


def _is_lone_string(part: object) -> bool:
    """Tell whether it is a statement that is nothing but a string, such as a docstring."""
    told = part.value if isinstance(part, ast.Expr) else None
    return isinstance(told, ast.Constant) and isinstance(told.value, str)


def _join_texts(values: Sequence[ast.expr]) -> list[ast.expr]:
    """The parts of an f-string, whose texts some versions split, or leave empty."""
    joined: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.Constant) and joined and isinstance(joined[-1], ast.Constant):
            joined[-1] = ast.Constant(str(joined[-1].value) + str(value.value))
        elif not (isinstance(value, ast.Constant) and value.value == ""):
            joined.append(value)
    return joined
