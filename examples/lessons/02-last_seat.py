"""Sell the seats of a hall. Fix it: the last seat is sold twice."""

import asyncio


class Hall:
    def __init__(self, seats):
        self.seats = seats
        self.sold_to = []

    async def sell(self, buyer, pay):
        """Sell a seat if there is one; only a buyer who gets it pays."""
        if self.seats == 0:
            return
        await pay(buyer)
        self.seats -= 1
        self.sold_to.append(buyer)


async def pay(buyer):
    await asyncio.sleep(0.1)  # the bank
    print(buyer, "has paid")


async def main():
    hall = Hall(1)
    async with asyncio.TaskGroup() as group:
        for buyer in ("Ann", "Bob"):
            group.create_task(hall.sell(buyer, pay))
    print("one seat, sold to", hall.sold_to)


if __name__ == "__main__":
    asyncio.run(main())
