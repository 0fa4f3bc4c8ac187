"""Functions that change something no result depends on: a cache, a counter, a client. None is wrong."""

import asyncio
import itertools
import logging
import queue
import random
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache

_memo = {}
_calls = 0
_lock = threading.Lock()
_number = itertools.count()
_log = logging.getLogger(__name__)
_local = threading.local()


def memo(number):
    time.sleep(0.01)
    if number % 3 not in _memo:
        _memo[number % 3] = number % 3 + 100
    return number + _memo[number % 3]


def counted(number):
    global _calls
    time.sleep(0.01)
    with _lock:
        _calls += 1
    return number * 2


@lru_cache(maxsize=None)
def _square(number):
    return number * number


def cached(number):
    time.sleep(0.01)
    return _square(number % 5)


@cache
def decorated(number):
    time.sleep(0.01)
    return number


def logged(number):
    time.sleep(0.01)
    _log.info("item %s", number)
    return number * 2


def jittered(number):
    time.sleep(0.008 + random.random() * 0.004)
    return number * 2


def numbered(number):
    time.sleep(0.01)
    next(_number)
    return number * 2


class Client:
    """Keeps connections, as clients of services do."""

    def __init__(self):
        self.free = queue.LifoQueue()
        self.lock = threading.Lock()
        self.pool = ThreadPoolExecutor(4)
        self.count = 0
        self.last_s = 0.0
        self.room = None

    def get(self, number):
        try:
            connection = self.free.get_nowait()
        except queue.Empty:
            connection = socket.socketpair()
        time.sleep(0.01)
        self.free.put(connection)
        with self.lock:
            self.count += 1
            self.last_s = time.time()
        return number * 2

    def hand_over(self, number):
        return self.pool.submit(self.get, number).result()

    async def fetch(self, number):
        if self.room is None:
            self.room = asyncio.Semaphore(4)
        async with self.room:
            await asyncio.sleep(0.01)
            self.count += 1
        return number * 2


client = Client()


def ask(number):
    return client.get(number)


async def fetch(number):
    return await client.fetch(number)


def local(number):
    """Has a client for each thread, made when it is first wanted."""
    if not hasattr(_local, "client"):
        _local.client = Client()
    time.sleep(0.01)
    return number * 2


def not_a_number(number):
    time.sleep(0.01)
    return {"share": float("nan"), "set": {"b", "a", str(number)}}


def shared_parts(number):
    time.sleep(0.01)
    part = [number]
    return [part, part]


def cycle(number):
    time.sleep(0.01)
    part = [number]
    part.append(part)
    return part
