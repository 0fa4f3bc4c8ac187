"""An asynchronous server in one process: its waits overlap, its computations follow one another."""

import asyncio

from aiohttp import web
from tasks import HOST, NUMBER, WAIT_S, ask, fib, serving, timed


async def answer(_: web.Request) -> web.Response:
    await asyncio.sleep(WAIT_S)  # a database, say
    return web.Response(text=str(fib(NUMBER)))


async def serve(ready) -> None:
    app = web.Application()
    app.router.add_get("/", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0).start()
    ready.put(runner.addresses[0][1])
    await asyncio.Event().wait()  # until the process is ended


def run(ready) -> None:
    asyncio.run(serve(ready))


def main() -> None:
    with serving(run, 1) as port, timed():
        print(ask(port))


if __name__ == "__main__":
    main()
