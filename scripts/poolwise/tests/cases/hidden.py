"""Threads share what a call works on, and the text of a result hides that it is another's."""

import time
from array import array
from collections import deque
from dataclasses import dataclass, field
from decimal import Decimal
from types import SimpleNamespace

_current = {}
_buffer = bytearray(4096)


def _take(number):
    """Gives the number of whoever came last: in a loop that is the caller's own."""
    _current["number"] = number
    time.sleep(0.01)
    return _current["number"]


class Page:
    def __init__(self, number):
        self.number = number


class Slotted:
    __slots__ = ("number",)

    def __init__(self, number):
        self.number = number


class Frame:
    """Shows its ends only, as tables do."""

    def __init__(self, number):
        self.rows = [0] * 50 + [number] + [0] * 50

    def __repr__(self):
        return f"[{self.rows[0]} ... {self.rows[-1]}]"


@dataclass
class Order:
    name: str
    number: int = field(repr=False)


class Secret(str):
    """A text that carries more than it says."""


class Failure(Exception):
    pass


def page(number):
    return Page(_take(number))


def pages(number):
    return {"pages": [(Page(0), deque([Page(_take(number))]))]}


def slotted(number):
    return Slotted(_take(number))


def frame(number):
    return Frame(_take(number))


def order(number):
    return Order("order", _take(number))


def secret(number):
    text = Secret("token")
    text.number = _take(number)
    return text


def namespace(number):
    inner = SimpleNamespace(page=Page(_take(number)))
    inner.itself = inner
    return [inner]


def failure(number):
    error = Failure("refused")
    error.page = Page(_take(number))
    return error


def closure(number):
    taken = _take(number)
    return [lambda: taken]


def numbers(number):
    return array("d", [0.0] * 2000 + [float(_take(number))] + [0.0] * 2000)


def view(number):
    return memoryview(bytes([0] * 2000 + [_take(number) % 256] + [0] * 2000))


def shared_buffer(number):
    """Fills one buffer that every call uses, and returns a copy."""
    _buffer[7:4000] = bytes([number % 256]) * 3993
    time.sleep(0.01)
    return bytearray(_buffer)


def kind(number):
    """An int in a loop; elsewhere, an equal one of another type."""
    taken = _take(number)
    return number if taken == number else float(number)


def zero(number):
    return -0.0 if _take(number) != number else 0.0


def decimal(number):
    return Decimal("1.0") if _take(number) == number else Decimal("1.00")
