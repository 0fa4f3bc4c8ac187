"""Create a task for each answer, all at once."""

import asyncio

from tasks import ANSWERS, ask, timed


async def main() -> None:
    answers = await asyncio.gather(*(ask(number) for number in range(ANSWERS)))
    print(f"{len(answers)} answers")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
