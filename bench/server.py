"""Server: how many answers a second readers get from the slow server if it does not wait."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter

from bench.benchmark import Benchmark
from scripts.site.paths import EXAMPLES

SLOW_SERVER = EXAMPLES / "answers" / "slow_server.py"
CONNECTIONS = 20
REQUESTS = 1000
LEAST_PER_S = 3000


def time_server() -> Iterator[Benchmark]:
    """Count the answers a second on a few connections that stay open; the client takes its share of the cores."""
    command = [sys.executable, str(SLOW_SERVER), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        port = int(process.stdout.readline().split(maxsplit=1)[0].rpartition(":")[2])
        began_s = perf_counter()
        asyncio.run(_ask_all(port))
        rate = CONNECTIONS * REQUESTS / (perf_counter() - began_s)
        process.kill()
    yield Benchmark(
        what="answers of the slow server with wait=0",
        value=f"{rate:.0f} a second",
        budget=f"{LEAST_PER_S} a second",
        kept=rate >= LEAST_PER_S,
    )


async def _ask_all(port: int) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(CONNECTIONS):
            group.create_task(_ask(port))


async def _ask(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(REQUESTS):
        writer.write(b"GET /?wait=0&bytes=1000 HTTP/1.1\r\nHost: here\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(1000)
    writer.close()
    await writer.wait_closed()
