"""Five buyers come for two seats, and other tasks run while one of them pays."""

import asyncio

from checks.words import say

BUYERS = ["Ann", "Bob", "Cem", "Dan", "Eve"]
SEATS = 2


async def sell(program):
    hall, paid = program.Hall(SEATS), []

    async def pay(buyer):
        paid.append(buyer)
        for _ in BUYERS:
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for buyer in BUYERS:
            group.create_task(hall.sell(buyer, pay))
    return hall.sold_to, paid


def find_fault(program):
    sold_to, paid = asyncio.run(sell(program))
    if len(sold_to) != SEATS:
        return say("there are {} seats, and it sold {}", SEATS, len(sold_to))
    if sorted(sold_to) != sorted(paid):
        return say("these have seats: {}, and these have paid: {}", sold_to, paid)
    return ""
