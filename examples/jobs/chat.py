"""The connections of a chat: all are open, and almost nobody says anything.

Settings come from environment variables: TASKS, how many connections there are (2000); IDLE_MS that all
are idle once each has sent a message (500).
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from socket import socket, socketpair
from threading import Thread
from time import perf_counter, sleep

CONNECTIONS = int(os.environ.get("TASKS") or 2000)
IDLE_S = int(os.environ.get("IDLE_MS") or 500) / 1000
MESSAGE = b"Hello"


def allow_files(count: int) -> None:
    """Raise the limit of open files, or say that the system allows fewer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
        except (OSError, ValueError) as error:
            print(f"{count} files must be open at once: {error}", file=sys.stderr)
            sys.exit(os.EX_UNAVAILABLE)


def talk(clients: Sequence[socket]) -> None:
    """Send a message on each connection and wait for the answer; then be idle, and close all."""
    for client in clients:
        client.sendall(MESSAGE)
        client.recv(len(MESSAGE))
    sleep(IDLE_S)
    for client in clients:
        client.close()


@contextmanager
def connections() -> Iterator[Sequence[socket]]:
    """Open the connections and talk on their other ends; print how long they were open."""
    allow_files(2 * CONNECTIONS + 100)
    start = perf_counter()
    servers, clients = zip(*(socketpair() for _ in range(CONNECTIONS)), strict=True)
    talking = Thread(target=talk, args=[clients], daemon=True)
    talking.start()
    yield servers
    talking.join()
    print(f"{CONNECTIONS} connections\ntime {perf_counter() - start:.6f} s")
