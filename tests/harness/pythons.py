"""Made-up interpreters, for the tests of what finds and equips them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from scripts.harness.pythons import Installation, Interpreter, make_id


def make_installation(version: str = "3.13.0", **changes: Any) -> Installation:
    facts: dict[str, Any] = {
        "implementation": "cpython",
        "version": version,
        "compiler": "GCC 12.2.0",
        "build": "main May 9 2026",
        "free_threaded": False,
        "gil": "on",
        "debug": False,
        "jit": False,
        "start_method": "fork",
    }
    unnamed = Interpreter(id="unnamed", **facts | changes)
    return Installation(
        interpreter=replace(unnamed, id=make_id(unnamed)),
        path=Path(f"/opt/{version}/bin/python3"),
    )


CURRENT = make_installation()
OLD = make_installation("3.8.18")
NEW = make_installation("3.14.7")
FREE = make_installation("3.14.7", free_threaded=True, gil="off")
FREE_WITH_GIL = make_installation("3.14.7", free_threaded=True)
PYPY = make_installation("3.11.13", implementation="pypy")
FOUND = (CURRENT, OLD, NEW, FREE, FREE_WITH_GIL, PYPY)
