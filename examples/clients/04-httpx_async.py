"""Fetch addresses with httpx in an event loop: one AsyncClient with as many connections as requests."""

import asyncio

import httpx
from tasks import LIMIT, TIMEOUT_S, list_urls, report, timed, trust


async def fetch(client: httpx.AsyncClient, limit: asyncio.Semaphore, url: str) -> bytes:
    async with limit:
        response = await client.get(url)
        return response.raise_for_status().content


async def main(urls: list[str]) -> None:
    limit = asyncio.Semaphore(LIMIT)
    limits = httpx.Limits(max_connections=LIMIT, max_keepalive_connections=LIMIT)
    async with httpx.AsyncClient(limits=limits, timeout=TIMEOUT_S, verify=trust()) as client:
        bodies = await asyncio.gather(*(fetch(client, limit, url) for url in urls))
    print(report(bodies))


if __name__ == "__main__":
    addresses = list_urls()
    with timed():
        asyncio.run(main(addresses))
