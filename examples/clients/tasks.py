"""What the programs of this folder share: the addresses, the trusted certificates, the report.

Settings come from environment variables: TASKS, how many requests there are (1000); WORKERS, how
many are in flight at once (100); WAIT_MS that the server takes to answer (50); TLS (0 or 1);
SERVER_URL, SERVER_TLS_URL and SSL_CERT_FILE (what examples/server.py says).
"""

from __future__ import annotations

import os
import socket
import ssl
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

TASKS = int(os.environ.get("TASKS", "1000"))
LIMIT = int(os.environ.get("WORKERS", "100"))
WAIT_S = float(os.environ.get("WAIT_MS", "50")) / 1000
TLS = os.environ.get("TLS", "0") == "1"
TIMEOUT_S = 30
ADDRESS_FILE = Path(__file__).parents[1] / ".server"


def locate_server() -> tuple[str, str | None]:
    """The server's address, and the file of certificates that its TLS needs."""
    if url := os.environ.get("SERVER_TLS_URL" if TLS else "SERVER_URL"):
        return url, os.environ.get("SSL_CERT_FILE")
    plain, secure, certificates = ADDRESS_FILE.read_text(encoding="utf-8").splitlines()
    return secure if TLS else plain, certificates


def list_urls() -> list[str]:
    """The addresses to fetch; ends the program if no server is there."""
    try:
        server, _ = locate_server()
        address = urlsplit(server)
        socket.create_connection((address.hostname, address.port), TIMEOUT_S).close()
    except OSError:
        sys.exit("No load server is running. Start one first: python examples/server.py")
    return [f"{server}/?wait={WAIT_S}&bytes=1000"] * TASKS


def trust() -> ssl.SSLContext:
    """The certificates that a client trusts, loaded once: one context for all its connections."""
    return ssl.create_default_context(cafile=locate_server()[1])


def report(bodies: Sequence[bytes]) -> str:
    """How many answers came, and how long they are together."""
    return f"{len(bodies)} answers, {sum(map(len, bodies))} bytes"


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
