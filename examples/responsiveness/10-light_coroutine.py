"""Answer light requests in a coroutine, which needs none of the 40 threads."""

import asyncio

from aiohttp import web
from anyio import to_thread
from tasks import HOST, put_under_load, wait


async def light(_: web.Request) -> web.Response:
    return web.Response(text="light")


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
