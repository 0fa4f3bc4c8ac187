"""State that belongs to a thread, a context or the whole process; a pool's workers have another."""

import contextvars
import locale
import os
import random
import signal
import sys
import threading
import time
from decimal import Decimal, getcontext
from pathlib import Path
from tempfile import TemporaryDirectory

tenant = contextvars.ContextVar("tenant", default="nobody")
tenant.set("shop")
local = threading.local()
local.name = "shop"
getcontext().prec = 5
OWNER = threading.get_ident()


def context(number):
    time.sleep(0.01)
    return f"{tenant.get()}:{number}"


def thread_local(number):
    time.sleep(0.01)
    return f"{getattr(local, 'name', 'nobody')}:{number}"


def precision(number):
    time.sleep(0.01)
    return str(Decimal(number) / 7)


def folder(number):
    """Works in a folder of its own, which is the whole process's."""
    before = os.getcwd()
    with TemporaryDirectory() as name:
        os.chdir(name)
        try:
            Path("out.txt").write_text(str(number))
            time.sleep(0.01)
            return Path("out.txt").read_text()
        finally:
            os.chdir(before)


def mask(number):
    """Reads back the mask of new files that it has set."""
    before = os.umask(number % 8)
    time.sleep(0.01)
    return os.umask(before)


def variable(number):
    os.environ["CASE_NUMBER"] = str(number)
    time.sleep(0.01)
    return os.environ["CASE_NUMBER"]


def seeded(number):
    """Draws from the one generator that it has seeded."""
    random.seed(number)
    time.sleep(0.01)
    return random.random()


def language(number):
    before = locale.setlocale(locale.LC_NUMERIC)
    locale.setlocale(locale.LC_NUMERIC, ("C", "C.UTF-8")[number % 2])
    time.sleep(0.01)
    now = locale.setlocale(locale.LC_NUMERIC)
    locale.setlocale(locale.LC_NUMERIC, before)
    return now


def limit(number):
    """Sets how deep calls may go, for all threads."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(900 + number)
    time.sleep(0.01)
    now = sys.getrecursionlimit()
    sys.setrecursionlimit(before)
    return now


def timer(number):
    """Sets an alarm, which only the main thread may."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    signal.pause()
    return number


def captured(number):
    """Redirects what is printed, for the whole process."""
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as text:
        print(number)
        time.sleep(0.01)
        print(number)
    return text.getvalue()
