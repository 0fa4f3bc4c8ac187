"""Made-up interpreters, for the tests of what finds and equips them."""

from dataclasses import replace
from pathlib import Path

from making import make_interpreter
from poolwise.pythons import Installation, make_python_id


def make_installation(version: str = "3.13.0", **changes: object) -> Installation:
    """A Python that is named after what it is."""
    unnamed = make_interpreter(version=version, **changes)
    interpreter = replace(unnamed, id=make_python_id(unnamed))
    return Installation(interpreter=interpreter, path=Path(f"/opt/{version}/bin/python3"))


CURRENT = make_installation()
OLD = make_installation("3.8.18")
NEW = make_installation("3.14.7")
FREE = make_installation("3.14.7", free_threaded=True, gil="off")
FREE_WITH_GIL = make_installation("3.14.7", free_threaded=True)
PYPY = make_installation("3.11.13", implementation="pypy")
FOUND = (CURRENT, OLD, NEW, FREE, FREE_WITH_GIL, PYPY)
