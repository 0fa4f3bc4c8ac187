import asyncio
import httpx


async def answer_late(reader, writer):
    await reader.readuntil(b"\r\n\r\n")
    await asyncio.sleep(0.5)
    writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
    await writer.drain()
    writer.close()


async def main():
    server = await asyncio.start_server(answer_late, "127.0.0.1", 0)
    url = "http://{}:{}".format(*server.sockets[0].getsockname())
    limits = httpx.Limits(max_connections=1)  # usually 100
    timeout = httpx.Timeout(5, pool=0.1)
    async with server, httpx.AsyncClient(limits=limits, timeout=timeout) as client:
        calls = [client.get(url), client.get(url)]
        for result in await asyncio.gather(*calls, return_exceptions=True):
            print(f"{type(result).__module__}.{type(result).__name__}")


asyncio.run(main())
