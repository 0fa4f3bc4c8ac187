"""Share one iterator among a hundred workers: each takes the next number when it is done."""

import asyncio
from collections.abc import Iterator

from tasks import ANSWERS, LIMIT, ask, timed


async def work(numbers: Iterator[int]) -> list[int]:
    return [await ask(number) for number in numbers]


async def main() -> None:
    numbers = iter(range(ANSWERS))
    async with asyncio.TaskGroup() as group:
        workers = [group.create_task(work(numbers)) for _ in range(LIMIT)]
    answers = [answer for worker in workers for answer in worker.result()]
    print(f"{len(answers)} answers")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
