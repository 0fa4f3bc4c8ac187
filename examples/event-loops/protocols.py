"""The same as streams.py a layer below: the loop calls a protocol when data has come."""

import asyncio

from tasks import MESSAGE, split


class Echo(asyncio.Protocol):
    """The server's end of a connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(data)


class Talk(asyncio.Protocol):
    """The client's end: sends the next message when the last has come back whole."""

    def __init__(self, count: int) -> None:
        self.count = self.left = count
        self.received = 0
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        transport.write(MESSAGE)

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        if self.received == len(MESSAGE):
            self.received = 0
            self.left -= 1
            if self.left:
                self.transport.write(MESSAGE)
            else:
                self.transport.close()

    def connection_lost(self, _: Exception | None) -> None:
        self.done.set_result(self.count - self.left)


async def exchange(messages: int, connections: int) -> int:
    """Send messages over connections to a server in the same loop; how many came back."""
    loop = asyncio.get_running_loop()
    async with await loop.create_server(Echo, "127.0.0.1", 0) as server:
        address = server.sockets[0].getsockname()
        clients = [Talk(count) for count in split(messages, connections)]
        for client in clients:
            await loop.create_connection(lambda client=client: client, *address)
        return sum(await asyncio.gather(*[client.done for client in clients]))
