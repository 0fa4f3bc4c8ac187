"""Send the same messages to many WebSockets: a queue for each, so that a slow client delays nobody."""

import asyncio
from dataclasses import dataclass

from aiohttp import ClientSession, web

PLACES = 100


@dataclass(eq=False)
class Client:
    socket: web.WebSocketResponse
    transport: asyncio.Transport
    messages: asyncio.Queue[bytes]

    async def send(self) -> None:
        while True:
            await self.socket.send_bytes(await self.messages.get())


clients: set[Client] = set()
dropped: list[Client] = []
everyone = asyncio.Event()


async def handle(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse(heartbeat=30)  # a client that is gone answers no ping
    await socket.prepare(request)
    client = Client(socket, request.transport, asyncio.Queue(PLACES))
    clients.add(client)
    if len(clients) == 11:
        everyone.set()
    sender = asyncio.create_task(client.send())
    try:
        async for _ in socket:  # what it sends to us; ends when it is gone
            pass
    finally:
        sender.cancel()
        clients.discard(client)
    return socket


def broadcast(message: bytes) -> None:
    for client in list(clients):
        try:
            client.messages.put_nowait(message)
        except asyncio.QueueFull:
            client.transport.abort()  # a polite close would wait behind the messages
            clients.discard(client)
            dropped.append(client)


async def listen(session: ClientSession, url: str) -> int:
    async with session.ws_connect(url) as socket:
        return len([await socket.receive_bytes() for _ in range(500)])


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(web.Server(handle), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    url = f"http://{host}:{port}"
    async with ClientSession() as session, session.ws_connect(url):  # the latter never reads
        listeners = [asyncio.create_task(listen(session, url)) for _ in range(10)]
        await everyone.wait()
        for _ in range(500):
            broadcast(b"." * 50_000)
            await asyncio.sleep(0.002)
        print(f"10 clients got {sum(await asyncio.gather(*listeners))} messages")
        print(f"{len(dropped)} slow client was dropped")
    server.close()


asyncio.run(main())
