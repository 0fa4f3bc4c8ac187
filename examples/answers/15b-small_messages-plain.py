"""Answer many small messages with streams in asyncio's own loop: a task wakes up for each of them."""

import asyncio

CLIENTS, LINES = 20, 2_000  # each client sends its lines one after the other


def answer(line: bytes) -> bytes:
    return line.upper()  # put your own work here


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(answer(line))
        await writer.drain()
    writer.close()
    await writer.wait_closed()


async def send_lines(address: tuple[str, int]) -> int:
    reader, writer = await asyncio.open_connection(*address)
    for _ in range(LINES):
        writer.write(b"hello\n")
        await reader.readline()
    writer.close()
    await writer.wait_closed()
    return LINES


async def main() -> None:
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        address = server.sockets[0].getsockname()
        answers = await asyncio.gather(*(send_lines(address) for _ in range(CLIENTS)))
    print(f"{sum(answers)} answers")


if __name__ == "__main__":
    asyncio.run(main())
