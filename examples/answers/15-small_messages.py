"""Answer many small messages: a protocol in uvloop, without a task that wakes up for each of them."""

import asyncio

import uvloop

CLIENTS, LINES = 20, 2_000  # each client sends its lines one after the other


class Service(asyncio.Protocol):
    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport, self.rest = transport, b""

    def data_received(self, data: bytes) -> None:
        *lines, self.rest = (self.rest + data).split(b"\n")  # the last may not be complete yet
        for line in lines:
            self.transport.write(line.upper() + b"\n")  # put your own work here


class Client(asyncio.Protocol):
    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport, self.answers = transport, 0
        self.done = asyncio.Event()
        transport.write(b"hello\n")

    def data_received(self, data: bytes) -> None:
        self.answers += data.count(b"\n")
        if self.answers < LINES:
            self.transport.write(b"hello\n")
        else:
            self.transport.close()
            self.done.set()


async def main() -> None:
    loop = asyncio.get_running_loop()
    async with await loop.create_server(Service, "127.0.0.1", 0) as server:
        address = server.sockets[0].getsockname()
        clients = [(await loop.create_connection(Client, *address))[1] for _ in range(CLIENTS)]
        await asyncio.gather(*(client.done.wait() for client in clients))
    print(f"{sum(client.answers for client in clients)} answers")


if __name__ == "__main__":
    uvloop.run(main())
