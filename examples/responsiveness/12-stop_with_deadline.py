"""Stop one of two copies under load, and first answer the requests it has begun."""

import asyncio
import socket

from aiohttp import web
from tasks import HEAVY_S, HOST, WORKERS, end_under_load, serving, wait_for_end


async def light(_: web.Request) -> web.Response:
    return web.Response(text="light")


async def heavy(_: web.Request) -> web.Response:
    await asyncio.sleep(HEAVY_S)  # a database, say
    return web.Response(text="heavy")


async def serve(ready, sock: socket.socket) -> None:
    app = web.Application()
    app.add_routes([web.get("/light", light), web.get("/heavy", heavy)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=10)
    await runner.setup()
    site = web.SockSite(runner, sock)
    await site.start()
    ready.put("ready")
    await wait_for_end()
    await site.stop()  # takes no new connections: the other copy does
    await asyncio.sleep(0.1)  # clients that have just connected send their requests
    await runner.cleanup()  # what is under way is answered, up to 10 seconds


def main() -> None:
    with socket.create_server((HOST, 0)) as sock, serving(serve, max(2, WORKERS), sock) as copies:
        end_under_load(copies[0], sock.getsockname()[1])


if __name__ == "__main__":
    main()
