"""The same tasks, but the second never gives way: the others wait until it has finished."""

import asyncio

from tasks import TASKS, WORK_S, Lane, report, timed


async def work(lane: Lane, pieces: int) -> None:
    for _ in range(pieces):
        lane.compute(WORK_S / pieces)
        await asyncio.sleep(0)  # gives way to the next


async def main() -> None:
    lanes = [Lane(f"task {number}") for number in range(1, TASKS + 1)]
    async with asyncio.TaskGroup() as group:
        for number, lane in enumerate(lanes, 1):
            group.create_task(work(lane, 1 if number == 2 else 4 * number))
    report(lanes)


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
