"""A task of asyncio for each call: no call awaits, so the tasks run one after another."""

import asyncio

from tasks import CALLS, call, timed


async def call_async(number: int) -> int:
    return call(number)


async def main() -> None:
    with timed():
        answers = await asyncio.gather(*map(call_async, CALLS))
        print(f"{len(answers)} answers")


if __name__ == "__main__":
    asyncio.run(main())
