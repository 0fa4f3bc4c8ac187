"""Equal values have equal digests, in any process and Python; values that differ anywhere don't."""

import io
import queue
import subprocess
import sys
import threading
from array import array
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from poolwise import digests
from poolwise.pythons import select

NAN = float("nan")


class Pair(NamedTuple):
    left: int
    right: int


class Page:
    """Its repr has nothing of its contents."""

    def __init__(self, **contents: Any) -> None:
        self.__dict__.update(contents)


class Slotted:
    __slots__ = ("lock", "value")

    def __init__(self, value: object) -> None:
        self.value, self.lock = value, threading.Lock()


@dataclass
class Record:
    number: int
    parts: list


class Colour(Enum):
    RED = 1
    BLUE = 2


def digest(value: object) -> str:
    return digests.Digester().digest(value)


def ring(value: object) -> list:
    cycle = [value]
    cycle.append(cycle)
    return cycle


def close_over(value: object) -> Any:
    return lambda: value


def fill(value: object) -> queue.Queue:
    filled = queue.Queue()
    filled.put(value)
    return filled


def nest(value: object) -> object:
    for _ in range(9_000):
        value = [value]
    return value


SHARED = [1]
WRONG = np.zeros(100_000)  # which prints as if nothing was there
WRONG[50_000] = 1


@pytest.mark.parametrize(
    ("value", "same"),
    [
        ([SHARED, SHARED], [[1], [1]]),
        ({1: 2, 3: [4]}, {3: [4], 1: 2}),
        (OrderedDict([(1, 2), (3, [4])]), OrderedDict([(3, [4]), (1, 2)])),
        ({1, "a", (2,)}, {(2,), "a", 1}),
        (Counter("aab"), Counter("baa")),
        ([NAN, 1], [-NAN, 1]),
        (np.array([NAN, 1.0]), np.array([-NAN, 1.0])),
        (np.arange(9)[::2], np.arange(9)[::2].copy()),
        (Page(a=[1], lock=threading.Lock()), Page(lock=threading.Lock(), a=[1])),
        (Slotted(3), Slotted(3)),
        (ring(1), ring(1)),
        (ValueError("x", 1), ValueError("x", 1)),
        (partial(max, 3), partial(max, 3)),
        (close_over([1]), close_over([1])),
        (object(), object()),
    ],
)
def test_equal_values_have_equal_digests(value, same):
    assert digest(value) == digest(same)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        ("1", b"1"),
        ([1], (1,)),
        ([1, 2], [2, 1]),
        ([[1], 2], [[1, 2]]),
        ({1: 2}, {1: 3}),
        (Page(a=1), Page(a=2)),
        (Slotted(1), Slotted(2)),
        (Record(1, [2]), Record(1, [3])),
        (Pair(1, 2), (1, 2)),
        (Colour.RED, Colour.BLUE),
        (ValueError("x"), ValueError("y")),
        (Decimal(1), Decimal("1.0")),
        (Path("a"), Path("b")),
        (deque([1, 2]), deque([2, 1])),
        (array("d", [1]), array("d", [2])),
        (bytearray(b"a"), bytearray(b"b")),
        (io.StringIO("a"), io.StringIO("b")),
        (close_over(1), close_over(2)),
        (ring(1), [1, [1]]),
        (fill(1), fill(2)),
        (nest(1), nest(2)),
        (np.zeros(100_000), WRONG),
        (np.arange(4.0), np.arange(4, dtype="f4")),
        (np.zeros((1, 2)), np.zeros(2)),
        (np.float64(1), 1.0),
        (np.ma.array([1, 2], mask=[0, 1]), np.ma.array([1, 2])),
        (np.array([Page(a=1)]), np.array([Page(a=2)])),
    ],
)
def test_values_that_differ_anywhere_have_other_digests(value, other):
    assert digest(value) != digest(other)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (threading.Lock(), "_thread.lock"),
        ([iter(lambda: 1, 2), (part for part in "ab")], "generator"),
        (Page(file=sys.__stdout__), "_io.TextIOWrapper"),
        ({"a": Slotted(1)}, ""),
    ],
)
def test_what_has_no_state_to_compare_is_named(value, kind):
    digester = digests.Digester()
    digester.digest(value)
    assert digester.uncompared == kind


def test_what_is_too_large_is_not_looked_at_to_its_end():
    with pytest.raises(digests.TooLarge):
        digests.Digester(1000).digest([b"x" * 100] * 100)


VALUES = """
import datetime, decimal, fractions, pathlib, sys, uuid
from collections import Counter, OrderedDict, defaultdict, deque
class Page: pass
page = Page(); page.a = [1, 2**80, 1.5, "\\u00e9\\U0001fae8", b"x", None, True]
values = [page, {"a": {1, 2}}, decimal.Decimal("1.1"), datetime.datetime(2026, 1, 2, fold=1),
    pathlib.PurePath("a/b"), uuid.UUID(int=3), fractions.Fraction(1, 3), ValueError("a"), range(3),
    Counter("aab"), defaultdict(list, {1: [2]}), OrderedDict(a=1), deque([1], 3), 1j, frozenset("a")]
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("poolwise_digests", sys.argv[1])
module = sys.modules[spec.name] = module_from_spec(spec)
spec.loader.exec_module(module)
print([module.Digester().digest(value) for value in values])
"""


@pytest.mark.slow
def test_digests_are_the_same_on_each_python():
    paths = [python.path for python in select("auto") if python.interpreter.minor >= (3, 11)]
    printed = {
        subprocess.check_output([path, "-c", VALUES, digests.__file__])
        for path in [sys.executable, *paths]
    }
    assert len(printed) == 1


def test_a_value_is_described_by_its_contents_and_without_addresses():
    assert digests.describe_value(Page(a=1)) == "Page(a=1)"
    assert digests.describe_value(object()) == "<object object>"
    assert len(digests.describe_value("x" * 1000)) <= 60

    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert "Broken" in digests.describe_value(Broken())
