"""Fetch addresses with several httpx clients in an event loop: each keeps at most 20 connections."""

import asyncio
from contextlib import AsyncExitStack
from itertools import cycle

import httpx
from tasks import LIMIT, TIMEOUT_S, list_urls, report, timed, trust

CONNECTIONS = 20  # for each client


async def fetch(client: httpx.AsyncClient, limit: asyncio.Semaphore, url: str) -> bytes:
    async with limit:
        response = await client.get(url)
        return response.raise_for_status().content


async def main(urls: list[str]) -> None:
    limit, context = asyncio.Semaphore(LIMIT), trust()
    limits = httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
    async with AsyncExitStack() as opened:
        clients = [
            await opened.enter_async_context(
                httpx.AsyncClient(limits=limits, timeout=TIMEOUT_S, verify=context)
            )
            for _ in range(-(-LIMIT // CONNECTIONS))
        ]
        pairs = zip(cycle(clients), urls)
        bodies = await asyncio.gather(*(fetch(client, limit, url) for client, url in pairs))
    print(report(bodies))


if __name__ == "__main__":
    addresses = list_urls()
    with timed():
        asyncio.run(main(addresses))
