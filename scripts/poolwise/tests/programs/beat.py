"""Runs an event loop that does what the argument says. Runs on Python 3.6, as the heartbeat does."""

import asyncio
import multiprocessing
import os
import sys
import time

BLOCKED_S = 0.6


async def block():
    await asyncio.sleep(0.01)
    time.sleep(BLOCKED_S)  # noqa: ASYNC251


async def idle():
    await asyncio.sleep(0.5)


async def fail():
    await asyncio.sleep(0.05)
    raise RuntimeError


async def fork():
    """In the child no loop runs, but what it has copied could say so."""
    await asyncio.sleep(0.05)
    if os.fork() == 0:
        time.sleep(BLOCKED_S)  # noqa: ASYNC251
        asyncio.new_event_loop().run_until_complete(asyncio.sleep(0))
        os._exit(0)


async def spawn():
    child = multiprocessing.get_context("spawn").Process(target=run, args=("block",))
    child.start()
    while child.is_alive():  # noqa: ASYNC110
        await asyncio.sleep(0.001)


def run(what):
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(globals()[what]())
    finally:
        loop.close()  # one left open may complain when the interpreter ends


if __name__ == "__main__":
    run(sys.argv[1])
