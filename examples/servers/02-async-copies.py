"""A copy of the asynchronous server for each core. All listen on the same port, and the system
gives every new connection to one of them (SO_REUSEPORT)."""

import asyncio
import socket

from aiohttp import web
from tasks import HOST, NUMBER, WAIT_S, WORKERS, ask, fib, serving, timed


async def answer(_: web.Request) -> web.Response:
    await asyncio.sleep(WAIT_S)  # a database, say
    return web.Response(text=str(fib(NUMBER)))


async def serve(ready, port: int) -> None:
    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, port, reuse_port=True).start()
    ready.put(port)
    await asyncio.Event().wait()  # until the process is ended


def run(ready, port: int) -> None:
    asyncio.run(serve(ready, port))


def main() -> None:
    with socket.socket() as reserved:  # keeps a free port for the copies, without listening
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((HOST, 0))
        with serving(run, WORKERS, reserved.getsockname()[1]) as port, timed():
            print(ask(port))


if __name__ == "__main__":
    main()
