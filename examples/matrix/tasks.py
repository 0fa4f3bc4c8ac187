"""The settings that the programs of this folder share: which pages, which numbers, and the clock.

Settings come from environment variables; without them the work has the size of the article: TASKS, how
many pages (each program says how many), FIBONACCI (28-34), START_METHOD of processes (forkserver), TLS
(0 or 1), SERVER_URL, SERVER_TLS_URL and SSL_CERT_FILE (what examples/server.py says).
"""

import multiprocessing
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:  # a program that only computes should not pay for TLS
    import ssl

TIMEOUT_S = 30
SITES = 10
ADDRESS_FILE = Path(__file__).parents[1] / ".server"
TLS = os.environ.get("TLS", "0") == "1"

LOW, HIGH = map(int, os.environ.get("FIBONACCI", "28-34").split("-"))
NUMBERS = sorted(3 * [*range(LOW, HIGH + 1)])
"""Twenty-one numbers, ascending: seven sizes of task, each three times."""
NUMBER = LOW + 4
"""The one number to compute after each page."""

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def locate_server() -> "tuple[str, str | None]":
    """The server's address, and the file of certificates that its TLS needs."""
    url = os.environ.get("SERVER_TLS_URL" if TLS else "SERVER_URL")
    if url:
        return url, os.environ.get("SSL_CERT_FILE")
    plain, secure, certificates = ADDRESS_FILE.read_text(encoding="utf-8").splitlines()
    return secure if TLS else plain, certificates


def page_urls(usual: int) -> "list[str]":
    """List the first of the thirty pages: the usual number, or TASKS; ends the program if no server is there."""
    count = int(os.environ.get("TASKS", usual))
    try:
        server, _ = locate_server()
        address = urlsplit(server)
        socket.create_connection((address.hostname, address.port), TIMEOUT_S).close()
    except OSError:
        sys.exit("No load server is running. Start one first: python examples/server.py")
    return [f"{server}/site/{1 + i % SITES}/{1 + i // SITES}" for i in range(count)]


def make_context() -> "ssl.SSLContext":
    """Load the certificates that TLS trusts. It takes long and much memory, so share the context."""
    import ssl

    return ssl.create_default_context(cafile=locate_server()[1])


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def timed() -> "Iterator[None]":
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
