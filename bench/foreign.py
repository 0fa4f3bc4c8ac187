"""Functions that others wrote, from the documentation of libraries, over items; see ``yours``.

Each is as its source has it, but for the loop around it, which is what is tried.

- ``fibonacci``: "Classes and iterators", docs.python.org, tutorial (PSF licence)
- ``is_prime``: ``concurrent.futures``, the example of ``ProcessPoolExecutor`` (PSF licence)
- ``load_url``: there, the example of ``ThreadPoolExecutor``, its server being one of ours
- ``calculate``: ``multiprocessing``, "Using a pool of workers" (PSF licence)
- ``blocking_io`` and ``cpu_bound``: ``asyncio``, "Executing code in thread or process pools"
- ``say_after``: ``asyncio``, "Coroutines and tasks" (PSF licence)
- ``hash_password``: ``hashlib.pbkdf2_hmac``, "Key derivation" (PSF licence)
- ``compress``: ``zlib``, over the texts of the standard library (PSF licence)
- ``count_words``: ``collections.Counter``, "Find the ten most common words in Hamlet"
"""

import asyncio
import hashlib
import math
import random
import re
import time
import zlib
from collections import Counter
from pathlib import Path


def fibonacci(n: int) -> int:
    a, b = 0, 1
    while a < 10**n:
        a, b = b, a + b
    return a % 1_000_007


def is_prime(n: int) -> bool:
    if n < 2:
        return False
    if n == 2:
        return True
    if n % 2 == 0:
        return False
    sqrt_n = math.floor(math.sqrt(n))
    return all(n % i for i in range(3, sqrt_n + 1, 2))


def load_url(milliseconds: int) -> int:
    time.sleep(milliseconds / 1000)
    return milliseconds


def calculate(a: int) -> int:
    time.sleep(0.5 * random.Random(a).random() / 10)
    return a * 7


def blocking_io(count: int) -> int:
    with Path("/dev/urandom").open("rb") as file:
        return len([file.read(100) for _ in range(count)])


def cpu_bound(count: int) -> int:
    return sum(i * i for i in range(count))


async def say_after(milliseconds: int) -> int:
    await asyncio.sleep(milliseconds / 1000)
    return milliseconds


def hash_password(iterations: int) -> str:
    return hashlib.pbkdf2_hmac("sha256", b"password", b"bad salt" * 2, iterations).hex()


def compress(size: int) -> int:
    text = Path(re.__file__).read_bytes() * size
    return len(zlib.compress(text, 9))


def count_words(times: int) -> int:
    words = re.findall(r"\w+", Path(re.__file__).read_text(encoding="utf-8").lower() * times)
    return Counter(words).most_common(10)[0][1]
