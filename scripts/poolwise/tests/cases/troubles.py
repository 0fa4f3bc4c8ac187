"""Functions that fail, end, hang, print, read or leave something behind."""

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress


def seventh(number):
    if number == 7:
        raise ValueError("seven")
    return number


def leave(number):
    if number == 3:
        sys.exit(0)
    return number


def vanish(number):
    if number == 3:
        os._exit(0)
    return number


def hang(number):
    if number == 5:
        time.sleep(60)
    return number


def ask(number):
    return input("how many? ")


def chat(number):
    print("\x1b[31mworking\x1b[0m", number, end="\r")
    print("x" * 10_000, file=sys.stderr)
    print("time 0.000001 s")
    time.sleep(0.005)
    return number


def closing(number):
    """Closes what the tool writes its answer to."""
    with suppress(OSError):
        os.close(1)
    time.sleep(0.005)
    return number


def deep(number):
    return deep(number + 1)


def leave_thread(number):
    threading.Thread(target=time.sleep, args=(30,)).start()
    return number


def leave_child(number):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(47.25)"])
    return number


def large(number):
    return b"x" * 3_000_000


class Strange:
    __hash__ = None

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    def __repr__(self):
        raise RuntimeError("no text")

    def __init__(self, number):
        self.number = number


def strange(number):
    time.sleep(0.005)
    return Strange(number)


class Unreadable:
    def __reduce_ex__(self, protocol):
        raise TypeError("not this one")

    def __getstate__(self):
        raise TypeError("not this one")


def unreadable(number):
    time.sleep(0.005)
    return Unreadable()


def nothing(number):
    time.sleep(0.005)


def tiny(number):
    return number + 1
