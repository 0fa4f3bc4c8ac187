"""Give the heavy endpoint its own limit: its calls wait in the loop, without a thread."""

import asyncio

from aiohttp import web
from anyio import CapacityLimiter, to_thread
from tasks import HOST, WORKERS, put_under_load, wait

SLOW = web.AppKey("slow", CapacityLimiter)


def answer() -> str:
    return "light"


async def light(_: web.Request) -> web.Response:
    return web.Response(text=await to_thread.run_sync(answer))


async def heavy(request: web.Request) -> web.Response:
    return web.Response(text=await to_thread.run_sync(wait, limiter=request.app[SLOW]))


async def main() -> None:
    app = web.Application()
    app[SLOW] = CapacityLimiter(WORKERS)
    app.add_routes([web.get("/light", light), web.get("/heavy", heavy)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0).start()
    await put_under_load(runner.addresses[0][1])
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
