import time

from .rates import RATE


def handle(price):
    time.sleep(0.01)
    return price * RATE
