"""Attempts at the programs to fix, right and wrong: each hears what is true of it.

In ``attempts/NN-name.toml`` all programs begin with ``head``, and a line ``{{name}}`` stands for one
of ``parts``. An attempt ``hears`` remarks: each is a kind and perhaps ``: `` and a piece of the text.
"""

import importlib
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from scripts.site.declare.lessons import LESSONS

FILES = sorted(Path(__file__).parent.glob("attempts/*.toml"))
PART = re.compile(r"^( *)\{\{(\w+)\}\}$", re.MULTILINE)


@dataclass(frozen=True)
class Attempt:
    title: str
    code: str
    hears: list[str]
    russian: list[str] | None = None


def load(name: str, *, head: str, attempts: list[Any], parts: dict[str, str] | None = None) -> Any:
    """Return the cases of an exercise: its name, an attempt and the whole program."""
    known = {
        "given": (LESSONS / f"{name}.py").read_text(encoding="utf-8"),
        "solution": (LESSONS / "solutions" / f"{name}.py").read_text(encoding="utf-8"),
    } | (parts or {})
    cases = []
    for attempt in (Attempt(**table) for table in attempts):
        code = PART.sub(lambda part: indent(known[part[2]].rstrip("\n"), part[1]), attempt.code)
        assert "{{" not in code
        cases.append(pytest.param(name, attempt, f"{head}\n\n{code}", id=f"{name} {attempt.title}"))
    return cases


def compare(heard: list[tuple[str, str]], expected: list[str]) -> None:
    pieces = [remark.partition(": ") for remark in expected]
    assert [kind for kind, _ in heard] == [kind for kind, _, _ in pieces] != []
    assert all(piece in text for (_, text), (_, _, piece) in zip(heard, pieces, strict=True)), heard


CASES = [case for path in FILES for case in load(path.stem, **tomllib.loads(path.read_text()))]


@pytest.mark.parametrize(("name", "attempt", "program"), CASES)
def test_an_attempt_hears_what_is_true_of_it(
    name: str, attempt: Attempt, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.syspath_prepend(LESSONS)
    probe = importlib.import_module("checks.probe").probe
    (tmp_path / f"{name}.py").write_text(program, encoding="utf-8")
    for language, expected in (("en", attempt.hears), ("ru", attempt.russian)):
        monkeypatch.setenv("LESSONS", language)
        if expected is not None:
            compare([(remark.kind, remark.text) for remark in probe(name, tmp_path)], expected)


@pytest.mark.parametrize(
    "wrong", [{"title": 1, "tilte": 2}, {"code": "{{x}}"}, {"code": "1 {{x}}"}]
)
def test_a_malformed_attempt_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((AssertionError, KeyError, TypeError)):
        load("06-transfer", head="", attempts=[{"title": "x", "code": "x", "hears": []} | wrong])


@pytest.mark.parametrize("expected", [["praise: well"], ["must: ill"], ["must", "remark"], []])
def test_an_attempt_that_hears_something_else_fails(expected: list[str]) -> None:
    with pytest.raises(AssertionError):
        compare([("must", "well")], expected)
