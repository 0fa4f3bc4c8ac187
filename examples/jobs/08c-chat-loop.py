"""A coroutine for each connection, in one event loop: one that waits is a few small objects."""

import asyncio
from socket import socket

from chat import connections


async def answer(connection: socket) -> None:
    loop = asyncio.get_running_loop()
    connection.setblocking(False)
    with connection:
        while message := await loop.sock_recv(connection, 1024):
            await loop.sock_sendall(connection, message)


async def main() -> None:
    with connections() as servers:
        await asyncio.gather(*map(answer, servers))


if __name__ == "__main__":
    asyncio.run(main())
