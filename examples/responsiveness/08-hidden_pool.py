"""Run both endpoints as plain functions in a framework's 40 threads, all of them taken."""

import asyncio

from aiohttp import web
from anyio import to_thread
from tasks import HOST, put_under_load, wait


def answer() -> str:
    return "light"


async def light(_: web.Request) -> web.Response:
    return web.Response(text=await to_thread.run_sync(answer))  # as Starlette runs a def


async def heavy(_: web.Request) -> web.Response:
    return web.Response(text=await to_thread.run_sync(wait))


async def main() -> None:
    app = web.Application()
    app.add_routes([web.get("/light", light), web.get("/heavy", heavy)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0).start()
    await put_under_load(runner.addresses[0][1])
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
