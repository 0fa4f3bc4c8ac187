"""Compute in a process pool: the loop keeps its core and its GIL."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from time import sleep

from aiohttp import web
from tasks import HOST, PROCESSES, WORKERS, compute, put_under_load

POOL = web.AppKey("pool", ProcessPoolExecutor)


async def light(_: web.Request) -> web.Response:
    return web.Response(text="light")


async def heavy(request: web.Request) -> web.Response:
    loop = asyncio.get_running_loop()
    return web.Response(text=await loop.run_in_executor(request.app[POOL], compute))


async def main(pool: ProcessPoolExecutor) -> None:
    app = web.Application()
    app[POOL] = pool
    app.add_routes([web.get("/light", light), web.get("/heavy", heavy)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0).start()
    await put_under_load(runner.addresses[0][1])
    await runner.cleanup()


if __name__ == "__main__":
    with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        list(pool.map(sleep, [0.1] * WORKERS))  # starts all of them before anybody asks
        asyncio.run(main(pool))
