"""The same written for anyio, in the loop of asyncio."""

import anyio
from tasks import DEADLINE_S, PAUSE_S, SLEEPERS, WAITS, split, timed


async def wait_often(count: int) -> None:
    for _ in range(count):
        with anyio.fail_after(DEADLINE_S):
            await anyio.sleep(PAUSE_S)


async def main() -> None:
    with timed():  # in here, for anyio.run imports the library below when it is called
        async with anyio.create_task_group() as group:
            for count in split(WAITS, SLEEPERS):
                group.start_soon(wait_often, count)
        print(f"{WAITS} waits")


if __name__ == "__main__":
    anyio.run(main)
