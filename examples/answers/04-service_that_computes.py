"""A service, some of whose requests compute: in processes, so that the others need not wait."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter

from aiohttp import test_utils, web

POOL = ProcessPoolExecutor(mp_context=get_context("spawn"))


def compute(size: int) -> int:
    return sum(number * number % 7 for number in range(size))  # put your own work here


async def heavy(_: web.Request) -> web.Response:
    result = await asyncio.get_running_loop().run_in_executor(POOL, compute, 1_000_000)
    return web.json_response({"result": result})


async def light(_: web.Request) -> web.Response:
    return web.json_response({"status": "alive"})


async def main() -> None:
    app = web.Application()
    app.add_routes([web.get("/heavy", heavy), web.get("/light", light)])
    async with test_utils.TestClient(test_utils.TestServer(app)) as client:  # web.run_app(app)
        busy = asyncio.gather(*(client.get("/heavy") for _ in range(8)))
        slowest_s = 0.0
        for _ in range(200):
            start = perf_counter()
            await (await client.get("/light")).read()
            slowest_s = max(slowest_s, perf_counter() - start)
        await busy
    print(f"slowest of 200 light requests: {1000 * slowest_s:.0f} ms")


if __name__ == "__main__":
    with POOL:
        asyncio.run(main())
