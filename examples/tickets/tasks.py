"""What the programs of this folder share: where the prices are, how they are read, and the clients.

Settings come from environment variables; without them the work has the size of the article:
TASKS, the number of days (100); WORKERS (100); SOURCE of the prices: json, html, or none to wait
only (json); TLS (0 or 1); LATENCY of each day without a source (0.28 seconds); START_METHOD of
processes (forkserver); SERVER_URL, SERVER_TLS_URL and SSL_CERT_FILE (what examples/server.py says).
"""

from __future__ import annotations

import json
import multiprocessing
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from html.parser import HTMLParser
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:  # a program that only waits should not pay for HTTP and TLS
    import ssl

    import aiohttp
    import urllib3

TASKS = int(os.environ.get("TASKS", "100"))
WORKERS = int(os.environ.get("WORKERS", "100"))
SOURCE = os.environ.get("SOURCE", "json")
TLS = os.environ.get("TLS", "0") == "1"

TIMEOUT_S = 60
LATENCY_S = float(os.environ.get("LATENCY", "0.28"))
"""The wait for each day without a source: what a day takes the server on average."""
ADDRESS_FILE = Path(__file__).parents[1] / ".server"

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))
PRELOADED = ["__main__"] if SOURCE == "none" else ["__main__", "urllib3"]
"""What the forkserver should import once, so that not each process has to."""


def locate_server() -> tuple[str, str | None]:
    """The server's address, and the file of certificates that its TLS needs."""
    if url := os.environ.get("SERVER_TLS_URL" if TLS else "SERVER_URL"):
        return url, os.environ.get("SSL_CERT_FILE")
    plain, secure, certificates = ADDRESS_FILE.read_text(encoding="utf-8").splitlines()
    return secure if TLS else plain, certificates


def list_days() -> list[str]:
    """Where each day's prices are; ends the program if no server is there."""
    if SOURCE == "none":
        return [""] * TASKS
    try:
        server, _ = locate_server()
        address = urlsplit(server)
        socket.create_connection((address.hostname, address.port), TIMEOUT_S).close()
    except OSError:
        sys.exit("No load server is running. Start one first: python examples/server.py")
    return [f"{server}/tickets/{day}.{SOURCE}" for day in range(1, TASKS + 1)]


def make_context() -> ssl.SSLContext:
    """What a client has to know for TLS. It takes long and much memory, so it had better be shared."""
    import ssl

    return ssl.create_default_context(cafile=locate_server()[1])


def make_client(connections: int) -> urllib3.PoolManager | Pause:
    """A client that keeps so many connections open, for all threads; one that only pauses without a source."""
    if SOURCE == "none":
        return Pause()
    import urllib3

    return urllib3.PoolManager(maxsize=connections, ssl_context=make_context() if TLS else None)


def make_client_async(connections: int) -> aiohttp.ClientSession | Pause:
    """A client that opens at most so many connections; one that only pauses without a source."""
    if SOURCE == "none":
        return Pause()
    from aiohttp import ClientSession, ClientTimeout, TCPConnector

    connector = TCPConnector(limit=connections, ssl=make_context() if TLS else True)
    return ClientSession(connector=connector, timeout=ClientTimeout(TIMEOUT_S))


class Pause(nullcontext["Pause"]):
    """A client, and its answer, where programs only wait."""

    status = 200
    data = b""

    def __init__(self) -> None:
        super().__init__(self)

    def request(self, *_: object, **__: object) -> Pause:
        """Wait as for an answer."""
        time.sleep(LATENCY_S)
        return self

    @asynccontextmanager
    async def get(self, _: str) -> AsyncIterator[Pause]:
        """Wait as for an answer, and let others work meanwhile."""
        import asyncio

        await asyncio.sleep(LATENCY_S)
        yield self

    async def read(self) -> bytes:
        """Return no prices."""
        return self.data

    def raise_for_status(self) -> None:
        """Do nothing: no answer is an error."""


def read_prices(body: bytes) -> list[int]:
    """All prices of a day, in cents; zero without a source."""
    if SOURCE == "none":
        return [0]
    if SOURCE == "json":
        return [departure["cents"] for departure in json.loads(body)["departures"]]
    reader = PriceReader()
    reader.feed(body.decode())
    reader.close()
    return reader.prices


class PriceReader(HTMLParser):
    """Reads the cells of a page that hold prices."""

    def __init__(self) -> None:
        super().__init__()
        self.prices: list[int] = []
        self._in_price = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_price = tag == "td" and ("class", "price") in attrs

    def handle_data(self, data: str) -> None:
        if self._in_price and data.strip():
            self.prices.append(int(data.strip("€\xa0\n").replace(".", "")))


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
