"""Fetch with one async client: a limit, a time limit, and two more tries for each address."""

import asyncio
from random import uniform

import aiohttp
from aiohttp import web

LIMIT = 10
TIMEOUT = aiohttp.ClientTimeout(total=5)
PAUSES_S = (0.1, 0.4)
MAY_GO_AWAY = {429, 502, 503, 504}  # answers that are worth another try


async def get(client: aiohttp.ClientSession, limit: asyncio.Semaphore, url: str) -> str:
    async with limit, client.get(url) as response:
        response.raise_for_status()
        return await response.text()


async def fetch(client: aiohttp.ClientSession, limit: asyncio.Semaphore, url: str) -> str:
    for pause_s in PAUSES_S:
        try:
            return await get(client, limit, url)
        except aiohttp.ClientResponseError as error:
            if error.status not in MAY_GO_AWAY:
                raise
            print("once more after", error.status)
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, TimeoutError) as error:
            print("once more after", type(error).__name__)
        await asyncio.sleep(pause_s * uniform(1, 2))  # the limit is free meanwhile
    return await get(client, limit, url)


async def fetch_all(urls: list[str]) -> list[str]:
    limit, connector = asyncio.Semaphore(LIMIT), aiohttp.TCPConnector(limit=LIMIT)
    async with (
        aiohttp.ClientSession(connector=connector, timeout=TIMEOUT) as client,
        asyncio.TaskGroup() as group,
    ):
        tasks = [group.create_task(fetch(client, limit, url)) for url in urls]
    return [task.result() for task in tasks]


async def answer(request: web.Request) -> web.Response:
    """A server in the same program, which fails once."""
    await asyncio.sleep(0.05)
    if request.path in failing:
        failing.remove(request.path)
        raise web.HTTPServiceUnavailable
    return web.Response(text="ok")


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(web.Server(answer), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    pages = await fetch_all([f"http://{host}:{port}/{number}" for number in range(30)])
    print(len(pages), "answers")
    server.close()


failing = {"/7"}
asyncio.run(main())
