"""Stop one of two copies under load at once: its requests are lost."""

import asyncio
import socket

from aiohttp import web
from tasks import HEAVY_S, HOST, WORKERS, end_under_load, serving


async def light(_: web.Request) -> web.Response:
    return web.Response(text="light")


async def heavy(_: web.Request) -> web.Response:
    await asyncio.sleep(HEAVY_S)  # a database, say
    return web.Response(text="heavy")


async def serve(ready, sock: socket.socket) -> None:
    app = web.Application()
    app.add_routes([web.get("/light", light), web.get("/heavy", heavy)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.SockSite(runner, sock).start()
    ready.put("ready")
    await asyncio.Event().wait()  # until SIGTERM ends the process


def main() -> None:
    with socket.create_server((HOST, 0)) as sock, serving(serve, max(2, WORKERS), sock) as copies:
        end_under_load(copies[0], sock.getsockname()[1])


if __name__ == "__main__":
    main()
