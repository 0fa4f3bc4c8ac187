"""Part of a package without __init__.py."""

import time

from .units import UNIT


def handle(number):
    time.sleep(0.01)
    return number * UNIT
