"""Compute in interpreters: threads, each with its own GIL."""

import asyncio
from concurrent.futures import InterpreterPoolExecutor
from time import sleep

from aiohttp import web
from tasks import HOST, WORKERS, compute, put_under_load

POOL = web.AppKey("pool", InterpreterPoolExecutor)


async def light(_: web.Request) -> web.Response:
    return web.Response(text="light")


async def heavy(request: web.Request) -> web.Response:
    loop = asyncio.get_running_loop()
    return web.Response(text=await loop.run_in_executor(request.app[POOL], compute))


async def main(pool: InterpreterPoolExecutor) -> None:
    app = web.Application()
    app[POOL] = pool
    app.add_routes([web.get("/light", light), web.get("/heavy", heavy)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0).start()
    await put_under_load(runner.addresses[0][1])
    await runner.cleanup()


if __name__ == "__main__":
    with InterpreterPoolExecutor(WORKERS) as pool:
        list(pool.map(sleep, [0.1] * WORKERS))  # starts all of them before anybody asks
        asyncio.run(main(pool))
