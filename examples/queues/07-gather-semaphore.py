"""Create a task for each answer, and let a hundred of them run at a time."""

import asyncio

from tasks import ANSWERS, LIMIT, ask, timed


async def ask_in_turn(limit: asyncio.Semaphore, number: int) -> int:
    async with limit:
        return await ask(number)


async def main() -> None:
    limit = asyncio.Semaphore(LIMIT)
    answers = await asyncio.gather(*(ask_in_turn(limit, number) for number in range(ANSWERS)))
    print(f"{len(answers)} answers")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
