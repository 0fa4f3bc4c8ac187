"""Serves for ever at import."""

import time


def handle(number):
    return number


while True:
    time.sleep(1)
