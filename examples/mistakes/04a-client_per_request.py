"""A new client for each request: each opens a connection, asks once, and throws it away."""

import asyncio
from time import perf_counter


async def main() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened.append(asyncio.current_task())
        async for request in reader:
            writer.write(b"answer to " + request)
        writer.close()
        await writer.wait_closed()

    opened, start = [], perf_counter()
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        for _ in range(20):
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"price?\n")
            await reader.readline()
            writer.close()
            await writer.wait_closed()
        await asyncio.wait(opened)  # the server closes its ends too
    print(f"20 requests, connections opened: {len(opened)}\ntime {perf_counter() - start:.6f} s")


if __name__ == "__main__":
    asyncio.run(main())
