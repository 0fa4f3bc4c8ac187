"""Docstrings of the harness open with a noun or a verb, and so does what stands below a constant."""

import ast

import pytest

from scripts.harness.paths import ROOT

FRAGMENTS = ("What", "That", "Of", "Whether")


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("scripts/harness/**/*.py")), ids=lambda it: it.name
)
def test_no_docstring_opens_like_a_fragment(path: object) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    texts = [one.value.value for one in ast.walk(tree) if is_text(one)]  # type: ignore[attr-defined]
    assert [text for text in texts if text.split(None, 1)[0] in FRAGMENTS] == []


def is_text(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False
