"""An echo server and its clients with streams: any loop of asyncio runs them."""

import asyncio
from contextlib import suppress

from tasks import MESSAGE, WAIT_S, compute, split


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(asyncio.IncompleteReadError):  # the client has closed the connection
        while True:
            message = await reader.readexactly(len(MESSAGE))
            compute()
            if WAIT_S:
                await asyncio.sleep(WAIT_S)
            writer.write(message)
            await writer.drain()
    writer.close()
    await writer.wait_closed()


async def talk(port: int, count: int) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(count):
        writer.write(MESSAGE)
        await writer.drain()
        await reader.readexactly(len(MESSAGE))
    writer.close()
    await writer.wait_closed()
    return count


async def exchange(messages: int, connections: int) -> int:
    """Send messages over connections to a server in the same loop; how many came back."""
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        counts = [talk(port, count) for count in split(messages, connections)]
        return sum(await asyncio.gather(*counts))
