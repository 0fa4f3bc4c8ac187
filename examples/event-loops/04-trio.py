"""The same program in trio, which has its own loop."""

from functools import partial

import trio
from tasks import CONNECTIONS, MESSAGE, MESSAGES, WAIT_S, compute, split, timed


async def receive(stream: trio.SocketStream) -> bytes:
    """A whole message; nothing once the other side has closed the connection."""
    message = b""
    while len(message) < len(MESSAGE) and (part := await stream.receive_some()):
        message += part
    return message


async def serve(stream: trio.SocketStream) -> None:
    while message := await receive(stream):
        compute()
        if WAIT_S:
            await trio.sleep(WAIT_S)
        await stream.send_all(message)


async def talk(port: int, count: int) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        for _ in range(count):
            await stream.send_all(MESSAGE)
            await receive(stream)


async def main() -> None:
    async with trio.open_nursery() as serving:
        (listener,) = await serving.start(partial(trio.serve_tcp, serve, 0, host="127.0.0.1"))
        async with trio.open_nursery() as clients:
            for count in split(MESSAGES, CONNECTIONS):
                clients.start_soon(talk, listener.socket.getsockname()[1], count)
        serving.cancel_scope.cancel()
    print(f"{MESSAGES} echoes")


if __name__ == "__main__":
    with timed():
        trio.run(main)
