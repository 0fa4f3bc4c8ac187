"""Functions of several arguments, methods, items that JSON can't hold."""

import threading
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int


def area(width, height):
    time.sleep(0.01)
    return width * height


def scaled(width, height=2, *, depth=1):
    time.sleep(0.01)
    return width * height * depth


def total(*numbers):
    time.sleep(0.01)
    return sum(numbers)


async def fetch(host, port):
    import asyncio

    await asyncio.sleep(0.01)
    return f"{host}:{port}"


def distance(point):
    time.sleep(0.01)
    return point.x**2 + point.y**2


def make_points():
    return (Point(number, number + 1) for number in range(20))


def make_pairs():
    return [(number, 2) for number in range(20)]


def make_locks():
    return [threading.Lock() for _ in range(20)]


def make_sets():
    return [{number, str(number)} for number in range(20)]


def measure(items):
    time.sleep(0.01)
    return len(items)


def use(lock):
    with lock:
        time.sleep(0.01)
    return 1


class Cleaner:
    def __init__(self):
        self.lock = threading.Lock()
        self.seen = 0

    def clean(self, number):
        time.sleep(0.01)
        with self.lock:
            self.seen += 1
        return number * 2

    def __call__(self, number):
        return self.clean(number)

    @classmethod
    def make(cls, number):
        time.sleep(0.01)
        return number * 3


cleaner = Cleaner()
