"""What the programs of this folder have in common; what they start is their own matter.

Settings come from environment variables: TASKS, how many workers to start (8); IMPORTS, how many
of the modules below the program imports at its top (100: all); ROWS of a large table (300000);
START_METHOD of processes (forkserver).
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from time import perf_counter, sleep

NAMES = """
asyncio unittest.mock xmlrpc.server multiprocessing.managers email.mime.multipart logging.config
pydoc mailbox tarfile zipfile urllib.request http.server http.cookiejar decimal statistics difflib
pickletools inspect imaplib smtplib xml.dom.minidom xml.sax xml.etree.ElementTree optparse argparse
importlib.metadata ipaddress configparser csv datetime fractions calendar plistlib uuid webbrowser
wsgiref.simple_server zoneinfo venv tokenize symtable trace timeit shelve pyclbr modulefinder
"""
"""Of the standard library, in place of a framework: with what they import, some hundreds."""

TASKS = int(os.environ.get("TASKS", "8"))
ROWS = int(os.environ.get("ROWS", "300000"))
HEAVY = NAMES.split()[: int(os.environ.get("IMPORTS", "100"))]
PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))

PATIENCE_S = 60
"""A worker that takes longer to start will not start."""

for _name in HEAVY:  # as `import pandas` would, at the top of a program
    import_module(_name)


def make_table() -> dict[str, int]:
    """A large table, as a program may have read it from a file."""
    return {f"row {number}": number for number in range(ROWS)}


def linger() -> None:
    """Leave all workers waiting for a moment, to be looked at from outside."""
    sleep(0.1)


def tell_started() -> None:
    print(f"all have started\nmade {TASKS} workers")


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
