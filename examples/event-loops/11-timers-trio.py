"""The same written for trio."""

import trio
from tasks import DEADLINE_S, PAUSE_S, SLEEPERS, WAITS, split, timed


async def wait_often(count: int) -> None:
    for _ in range(count):
        with trio.fail_after(DEADLINE_S):
            await trio.sleep(PAUSE_S)


async def main() -> None:
    async with trio.open_nursery() as nursery:
        for count in split(WAITS, SLEEPERS):
            nursery.start_soon(wait_often, count)
    print(f"{WAITS} waits")


if __name__ == "__main__":
    with timed():
        trio.run(main)
