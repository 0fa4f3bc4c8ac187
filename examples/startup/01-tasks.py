"""Tasks of an event loop: a few objects each, in the thread that is there anyway."""

import asyncio

from tasks import TASKS, linger, tell_started, timed


async def work(release: asyncio.Event) -> None:
    await release.wait()


async def main() -> None:
    release = asyncio.Event()
    with timed():
        tasks = [asyncio.create_task(work(release)) for _ in range(TASKS)]
        await asyncio.sleep(0)  # lets each of them begin
        tell_started()
    linger()
    release.set()
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main())
