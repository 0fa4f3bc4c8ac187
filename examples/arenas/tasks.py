"""The requests that the programs answer, and the memory that the process keeps afterwards.

Settings come from environment variables: TASKS, how many requests there are (48); WORKERS, how many
threads or processes answer them (each program's own number); WAIT_MS, how long a request waits for
its data (50); WORK, what that is: ``rows``, a document of ROWS rows of two kilobytes (10000), or
``image``, a picture of MIB mebibytes (8).
"""

from __future__ import annotations

import json
import os
import platform
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Semaphore
from time import perf_counter, sleep

TASKS = int(os.environ.get("TASKS", "48"))
THREADS = int(os.environ.get("WORKERS", "16"))
PROCESSES = int(os.environ.get("WORKERS", "2"))
WAIT_S = float(os.environ.get("WAIT_MS", "50")) / 1000
ROWS = int(os.environ.get("ROWS", "10000"))
MIB = 1 << 20
IMAGE_BYTES = int(os.environ.get("MIB", "8")) * MIB
WORK = os.environ.get("WORK", "rows")
AT_ONCE = Semaphore(2)

if platform.libc_ver()[0] != "glibc":
    print("This program needs Linux with glibc, whose arenas it is about.", file=sys.stderr)
    sys.exit(os.EX_UNAVAILABLE)

if WORK == "rows":
    DOCUMENT = json.dumps([{"id": number, "text": "word " * 400} for number in range(ROWS)])
else:
    PICTURE = zlib.compress(bytes(range(256)) * (IMAGE_BYTES // 256), level=1)


def answer(request: int) -> tuple[int, object]:
    """Wait for a document or a picture, then parse or unpack it; two threads at a time do that."""
    sleep(WAIT_S)
    with AT_ONCE:
        return request, take_last_row() if WORK == "rows" else count_black()


def take_last_row() -> dict[str, object]:
    """Return the last row of a document, for example the newest entry of a log."""
    rows = json.loads(DOCUMENT)
    return rows[-1]


def count_black() -> int:
    """Return how many bytes of a picture are zero."""
    pixels = zlib.decompress(PICTURE, bufsize=IMAGE_BYTES)
    return pixels.count(0)


def report(results: Sequence[object]) -> str:
    """Say how many requests were answered, and how much memory the process keeps."""
    resident_pages = int(Path("/proc/self/statm").read_text().split()[1])
    kept_mib = resident_pages * os.sysconf("SC_PAGE_SIZE") / MIB
    return f"{len(results)} done\nleft {kept_mib:.1f} MiB"


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
