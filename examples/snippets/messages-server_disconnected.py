import asyncio
import aiohttp


async def hang_up(reader, writer):
    await reader.readuntil(b"\r\n\r\n")
    writer.close()  # as a server does that restarts


async def main():
    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    url = "http://{}:{}".format(*server.sockets[0].getsockname())
    async with server, aiohttp.ClientSession() as session:
        try:
            await session.get(url)
        except aiohttp.ServerDisconnectedError as error:
            print(f"{type(error).__name__}: {error}")


asyncio.run(main())
