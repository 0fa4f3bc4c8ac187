"""Lookups that end when all have begun and the loop has run another task since."""

import asyncio
from threading import Barrier, BrokenBarrierError, Event

from checks.words import say

NAMES = ["python.org", "pypi.org", "example.org"]


async def look_up_all(program, look_up, ticked):
    async def tick():
        while True:
            ticked.set()
            await asyncio.sleep(0.01)

    ticking = asyncio.create_task(tick())
    found = await program.look_up_all(look_up, NAMES)
    ticking.cancel()
    return found


def find_fault(program):
    together, ticked, faults = Barrier(len(NAMES), timeout=2), Event(), []

    def look_up(name):
        try:
            together.wait()
        except BrokenBarrierError:
            faults.append(say("each lookup begins when the one before it is over"))
        ticked.clear()
        if not ticked.wait(timeout=1):
            faults.insert(0, say("while it looks up a name, no other task of the loop runs"))
        return name.upper()

    found = asyncio.run(look_up_all(program, look_up, ticked))
    if not faults and list(found or []) != [name.upper() for name in NAMES]:
        return say("the addresses should come in the order of the names, and these came: {}", found)
    return faults[0] if faults else ""
