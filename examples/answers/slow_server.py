"""A slow server to ask: it waits 50 ms, or --wait, or as a request says: /?wait=5&bytes=100000"""

import argparse
import asyncio
import re
import resource

parser = argparse.ArgumentParser(description="Answers each request after a while.")
parser.add_argument("--port", type=int, default=8000)
parser.add_argument("--wait", type=int, default=50, help="milliseconds")
OPTIONS = parser.parse_args()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while request := await reader.readuntil(b"\r\n\r\n"):
            asked = dict(re.findall(rb"(wait|bytes)=(\d+)", request))
            await asyncio.sleep(int(asked.get(b"wait", OPTIONS.wait)) / 1000)
            body = b"." * int(asked.get(b"bytes", 1000))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.transport.abort()  # the client has gone


async def main() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)  # each connection takes a descriptor
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 10_240)), hard))
    server = await asyncio.start_server(answer, "127.0.0.1", OPTIONS.port, backlog=4096)
    host, port = server.sockets[0].getsockname()
    print(f"http://{host}:{port} answers after {OPTIONS.wait} ms. Ctrl-C stops it.", flush=True)
    await asyncio.Event().wait()


try:
    asyncio.run(main())
except KeyboardInterrupt:
    pass
except OSError:
    raise SystemExit(f"Port {OPTIONS.port} is taken or not allowed: try --port 8001") from None
