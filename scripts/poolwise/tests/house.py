"""Count what makes a module hard to read: the tool's tests and those of the site share it."""

import ast
import io
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

SHARED = {"main", "TYPE_CHECKING"}  # names that mean the same in each module that has them
# They name nothing: a thing has the field's noun, a loop variable the singular of what it loops
# over.
DIALECT = {"one", "found", "told", "own", "shown", "asked", "named"}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
TRUTHS = (ast.Compare, ast.BoolOp, ast.Attribute, ast.Call)


def find_name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            return name
        case ast.keyword(arg=str(name)) | ast.MatchAs(name=str(name)):
            return name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
    return ""


def is_dialect(node: ast.AST) -> bool:
    return find_name(node).strip("_").lower() in DIALECT


def is_nested(node: ast.AST) -> bool:
    if not isinstance(node, COMPREHENSIONS):
        return False
    inner = [child for child in ast.walk(node) if isinstance(child, COMPREHENSIONS)]
    return len(node.generators) > 1 or len(inner) > 1


def multiplies_text(node: ast.AST) -> bool:
    """Tell whether a text is taken or left by multiplying it with a condition."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
        return False
    texts = (ast.Constant, ast.JoinedStr, ast.List)
    sides = (node.left, node.right), (node.right, node.left)
    return any(
        isinstance(text, texts)
        and not (isinstance(text, ast.Constant) and not isinstance(text.value, str))
        and isinstance(condition, TRUTHS)
        and ast.unparse(condition).partition("(")[0] != "len"
        for text, condition in sides
    )


def count(path: Path) -> Counter[str]:
    text = path.read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    nodes = list(ast.walk(ast.parse(text)))
    return Counter(
        {
            "lines": len(text.splitlines()),
            "signatures": sum(isinstance(node, ast.arg) and is_dialect(node) for node in nodes),
            "dialect": sum(map(is_dialect, nodes)),
            "comprehensions": sum(isinstance(node, COMPREHENSIONS) for node in nodes),
            "nested": sum(map(is_nested, nodes)),
            "conditional": sum(isinstance(node, ast.IfExp) for node in nodes),
            "text x condition": sum(map(multiplies_text, nodes)),
            "comments": sum(token.type == tokenize.COMMENT for token in tokens),
        }
    )


def list_defined(path: Path) -> Iterator[str]:
    """List the public constants and functions of a module."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if name.isupper():
                    yield name


def find_homonyms(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Find public names that several modules define, each with these modules."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for name in list_defined(path):
            if not name.startswith("_") and name not in SHARED:
                homes[name].append(path.stem)
    return {name: stems for name, stems in homes.items() if len(stems) > 1}
