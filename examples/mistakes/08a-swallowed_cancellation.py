"""A timeout is an exception inside the task: code that catches everything catches the timeout too."""

import asyncio


async def ask() -> str:
    while True:
        try:
            return await asyncio.sleep(60, "the answer")  # the other side is silent
        except BaseException:  # noqa: BLE001 - whatever it was, once more
            print("no answer, asking again", flush=True)


async def main() -> None:
    try:
        async with asyncio.timeout(0.1):
            print(await ask())
    except TimeoutError:
        print("no answer in time, given up")


if __name__ == "__main__":
    asyncio.run(main())
