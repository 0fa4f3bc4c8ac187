"""A small load generator: python load.py [--closed] PORT

Requests come at random moments that are fixed beforehand, whether those before them have been
answered or not, as from people who know nothing of each other: an open loop. How long one took is
counted from the moment at which it was to be sent, so that nothing is left out which a service that
stood still kept from being sent in time (Gil Tene calls that coordinated omission).

With --closed each light request waits for the answer to the one before, and is counted from when it
was sent, as many load generators do. What they leave out is what programs 01 and 06 show.

Settings come from environment variables: TASKS, how many requests there are (1000); RATE, how many a
second on average (300); EVERY, every how manieth of them is for the heavy endpoint (120).
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from time import perf_counter

TASKS = int(os.environ.get("TASKS", "1000"))
RATE = float(os.environ.get("RATE", "300"))
EVERY = int(os.environ.get("EVERY", "120"))
TIMEOUT_S = 20
WARM_UP = 10
"""So many light requests, and a heavy one, come before those that count: the first find all cold."""


async def ask(port: int, path: str) -> None:
    """Ask over a connection of its own, as every new client does; raises if no answer comes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"GET /{path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
    if not answer.endswith(path.encode()):
        raise ConnectionError("the connection was closed without an answer")


async def ask_at(moment_s: float, port: int, path: str) -> float | None:
    """Ask at that moment; how many seconds later the answer was there, or none if there was none."""
    await asyncio.sleep(moment_s - perf_counter())
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await ask(port, path)
    except OSError:  # or TimeoutError, which is one
        return None
    return perf_counter() - moment_s


async def ask_one_by_one(moments_s: Sequence[float], port: int, path: str) -> list[float | None]:
    """Ask at these moments, or later where the answer to the one before has not come by then."""
    return [await ask_at(max(moment_s, perf_counter()), port, path) for moment_s in moments_s]


def report(light_s: Sequence[float | None], heavy_s: Sequence[float | None]) -> str:
    """How many requests there were, what the light ones took, and how many had no answer."""
    answered = sorted(wait_s for wait_s in light_s if wait_s is not None)
    lost = [*light_s, *heavy_s].count(None)
    lines = [f"{len(light_s) + len(heavy_s)} requests"]
    for name, share in (("p50", 0.50), ("p95", 0.95), ("p99", 0.99), ("max", 1.0)):
        rank = math.ceil(share * len(answered))  # so many of all take no longer
        lines.append(f"{name} {1000 * answered[rank - 1]:.3f} ms")
    return "\n".join([*lines, f"lost {lost} requests"])


async def main(port: int, *, closed: bool) -> None:
    first = (ask_at(perf_counter(), port, path) for path in ["heavy", *["light"] * WARM_UP])
    if set(await asyncio.gather(*first)) == {None}:
        raise SystemExit(f"nobody answers at port {port}")
    start_s = perf_counter()
    chance = Random(2026)  # the same moments in every run
    moments_s = list(accumulate((chance.expovariate(RATE) for _ in range(TASKS)), initial=start_s))
    heavy = range(EVERY // 2, TASKS, EVERY)
    light_s = [moments_s[number] for number in range(TASKS) if number not in heavy]
    others = asyncio.gather(*(ask_at(moments_s[number], port, "heavy") for number in heavy))
    if closed:
        waits_s = await ask_one_by_one(light_s, port, "light")
    else:
        waits_s = await asyncio.gather(*(ask_at(moment_s, port, "light") for moment_s in light_s))
    print(report(waits_s, await others))
    print(f"time {perf_counter() - start_s:.6f} s")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[-1]), closed="--closed" in sys.argv))
