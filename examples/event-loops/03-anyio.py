"""The same written for anyio, which here runs in the loop of asyncio."""

from contextlib import suppress

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from tasks import CONNECTIONS, MESSAGE, MESSAGES, WAIT_S, compute, split, timed


async def serve(stream: SocketStream) -> None:
    async with stream:
        received = BufferedByteReceiveStream(stream)
        with suppress(anyio.IncompleteRead):  # the client has closed the connection
            while True:
                message = await received.receive_exactly(len(MESSAGE))
                compute()
                if WAIT_S:
                    await anyio.sleep(WAIT_S)
                await stream.send(message)


async def talk(port: int, count: int) -> None:
    async with await anyio.connect_tcp("127.0.0.1", port) as stream:
        received = BufferedByteReceiveStream(stream)
        for _ in range(count):
            await stream.send(MESSAGE)
            await received.receive_exactly(len(MESSAGE))


async def main() -> None:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    with timed():  # in here, for anyio.run imports the library below when it is called
        async with listener, anyio.create_task_group() as serving:
            serving.start_soon(listener.serve, serve)
            async with anyio.create_task_group() as clients:
                for count in split(MESSAGES, CONNECTIONS):
                    clients.start_soon(talk, port, count)
            serving.cancel_scope.cancel()
        print(f"{MESSAGES} echoes")


if __name__ == "__main__":
    anyio.run(main)
