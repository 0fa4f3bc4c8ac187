"""Functions that return something different each time, so that nothing can be compared."""

import random
import time
import uuid


class Thing:
    pass


def clock(number):
    time.sleep(0.01)
    return number, time.time()


def draw(number):
    time.sleep(0.01)
    return number + random.random()


def identifier(number):
    time.sleep(0.01)
    return str(uuid.uuid4())


def address(number):
    time.sleep(0.01)
    return hash(object()) + id(Thing())


def opened(number):
    """An open file has no state to compare."""
    time.sleep(0.01)
    return open(__file__)


def generator(number):
    time.sleep(0.01)
    return {"rows": (row for row in range(number))}
