"""A service, some of whose requests compute: right in the event loop."""

import asyncio
from time import perf_counter

from aiohttp import ClientSession, web


def compute(size: int) -> int:
    return sum(number * number % 7 for number in range(size))  # put your own work here


async def heavy(_: web.Request) -> web.Response:
    result = compute(1_000_000)
    return web.json_response({"result": result})


async def light(_: web.Request) -> web.Response:
    return web.json_response({"status": "alive"})


async def main() -> None:
    app = web.Application()
    app.add_routes([web.get("/heavy", heavy), web.get("/light", light)])
    runner = web.AppRunner(app)  # in production, web.run_app(app) is all there is to do
    await runner.setup()
    await web.TCPSite(runner, "localhost", 0).start()
    async with ClientSession(f"http://localhost:{runner.addresses[0][1]}") as client:
        busy = [asyncio.create_task(client.get("/heavy")) for _ in range(8)]
        waits_s = []
        for _ in range(200):
            start = perf_counter()
            (await client.get("/light")).release()
            waits_s.append(perf_counter() - start)
        await asyncio.gather(*busy)
    await runner.cleanup()
    print(f"slowest of {len(waits_s)} light requests: {1000 * max(waits_s):.0f} ms")


if __name__ == "__main__":
    asyncio.run(main())
