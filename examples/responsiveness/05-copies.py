"""Run a copy of the service per core on one port: a request to a computing copy waits."""

import asyncio
import socket

from aiohttp import web
from tasks import HOST, WORKERS, compute, put_under_load, serving, wait_for_end


async def light(_: web.Request) -> web.Response:
    return web.Response(text="light")


async def heavy(_: web.Request) -> web.Response:
    return web.Response(text=compute())


async def serve(ready, port: int) -> None:
    app = web.Application()
    app.add_routes([web.get("/light", light), web.get("/heavy", heavy)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, port, reuse_port=True).start()
    ready.put(port)
    await wait_for_end()
    await runner.cleanup()


def main() -> None:
    with socket.socket() as reserved:  # keeps a free port for the copies, without listening
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((HOST, 0))
        port = reserved.getsockname()[1]
        with serving(serve, WORKERS, port):
            asyncio.run(put_under_load(port))


if __name__ == "__main__":
    main()
