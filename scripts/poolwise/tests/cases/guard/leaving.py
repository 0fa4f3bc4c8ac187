"""Hangs when Python ends."""

import atexit
import time

atexit.register(time.sleep, 60)


def handle(number):
    time.sleep(0.002)
    return number * 2
