"""Tasks that mostly wait: one thread has time for all of them, and for many more."""

import asyncio

from tasks import TASKS, WORK_S, Lane, report, timed


async def work(lane: Lane, number: int) -> None:
    for _ in range(6):
        lane.compute(WORK_S / 100)  # deals with an answer
        await asyncio.sleep(0.02 + 0.01 * number)  # waits for the next


async def main() -> None:
    lanes = [Lane(f"task {number}") for number in range(1, TASKS + 1)]
    async with asyncio.TaskGroup() as group:
        for number, lane in enumerate(lanes):
            group.create_task(work(lane, number))
    report(lanes)


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
