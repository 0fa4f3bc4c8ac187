"""Compute in the event loop of a service: every other request waits meanwhile."""

import asyncio
from time import perf_counter

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer


def compute(size: int) -> int:
    return sum(number * number % 7 for number in range(size))  # put your own work here


async def heavy(_: web.Request) -> web.Response:
    return web.json_response({"result": compute(1_000_000)})


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
    asyncio.run(try_out())
