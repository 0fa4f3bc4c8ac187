"""A semaphore limits how many have a socket at the same time; the others wait for their turn."""

import asyncio
import resource
import socket
from time import perf_counter


async def send(limit: asyncio.Semaphore, server: socket.socket, report: str) -> None:
    async with limit:
        _, writer = await asyncio.open_connection(*server.getsockname())
        writer.write(report.encode())
        writer.close()
        await writer.wait_closed()  # the socket first, then the turn of the next


async def main() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))  # usually 1024
    limit, start = asyncio.Semaphore(10), perf_counter()
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        await asyncio.gather(*(send(limit, server, f"report {n}") for n in range(100)))
    print(f"100 reports sent\ntime {perf_counter() - start:.6f} s")


if __name__ == "__main__":
    asyncio.run(main())
