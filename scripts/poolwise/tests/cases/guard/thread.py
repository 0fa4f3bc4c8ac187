"""A thread that is begun at import and never ends: Python can't end either."""

import threading
import time


def handle(number):
    time.sleep(0.002)
    return number * 2


def _refresh():
    while True:
        time.sleep(60)


threading.Thread(target=_refresh, name="refresh").start()
