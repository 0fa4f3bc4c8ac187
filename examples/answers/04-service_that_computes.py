"""Compute in processes for a service: try it out without an argument, start it with `serve`."""

import asyncio
import sys
from concurrent.futures import ProcessPoolExecutor, process
from functools import cache, partial
from multiprocessing import get_context
from time import perf_counter

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

PLACES = asyncio.Semaphore(16)  # heavy requests at once; further ones get status 503
open_pool = cache(partial(ProcessPoolExecutor, mp_context=get_context("spawn")))


def compute(size: int) -> int:
    return sum(number * number % 7 for number in range(size))  # put your own work here


async def heavy(_: web.Request) -> web.Response:
    if PLACES.locked():
        raise web.HTTPServiceUnavailable
    try:
        async with PLACES, asyncio.timeout(30):
            loop = asyncio.get_running_loop()
            result = await loop.run_in_executor(open_pool(), compute, 1_000_000)
    except TimeoutError:
        raise web.HTTPGatewayTimeout from None
    except process.BrokenProcessPool:  # a process was killed, often for its memory
        open_pool.cache_clear()  # the next request starts a new pool
        raise web.HTTPServiceUnavailable from None
    return web.json_response({"result": result})


async def light(_: web.Request) -> web.Response:
    return web.json_response({"status": "alive"})


APP = web.Application()
APP.add_routes([web.get("/heavy", heavy), web.get("/light", light)])


async def try_out() -> None:
    slowest_s = 0.0
    client = TestClient(TestServer(APP), raise_for_status=True)
    async with client, asyncio.TaskGroup() as group:  # one failed request ends them all
        for _ in range(8):
            group.create_task(client.get("/heavy"))
        for _ in range(200):
            start = perf_counter()
            await client.get("/light")
            slowest_s = max(slowest_s, perf_counter() - start)
    print("answered 8 heavy requests and 200 light ones")
    print(f"slowest {1000 * slowest_s:.0f} ms")


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        web.run_app(APP)
    else:
        asyncio.run(try_out())
