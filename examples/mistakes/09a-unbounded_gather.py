"""All at once means a socket for each, and a process may open only so many files."""

import asyncio
import resource
import socket


async def send(server: socket.socket, report: str) -> None:
    _, writer = await asyncio.open_connection(*server.getsockname())
    writer.write(report.encode())
    writer.close()
    await writer.wait_closed()


async def main() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))  # usually 1024
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        await asyncio.gather(*(send(server, f"report {n}") for n in range(100)))
    print("100 reports sent")


if __name__ == "__main__":
    asyncio.run(main())
