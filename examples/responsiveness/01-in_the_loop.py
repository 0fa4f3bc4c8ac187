"""Compute in the event loop: the service answers nothing meanwhile."""

import asyncio

from aiohttp import web
from tasks import HOST, compute, put_under_load


async def light(_: web.Request) -> web.Response:
    return web.Response(text="light")


async def heavy(_: web.Request) -> web.Response:
    return web.Response(text=compute())


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
