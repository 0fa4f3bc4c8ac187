"""Create as many waiting asyncio tasks as there is room for: what does each cost?"""

import asyncio

from guard import Guard
from tasks import timed


async def main() -> None:
    guard = Guard("tasks")
    groups = []
    with timed():
        with guard:
            for batch in guard.batches():
                release = asyncio.Event()  # one for each batch: waking all at once takes memory
                tasks = [asyncio.create_task(release.wait()) for _ in batch]
                groups.append((release, tasks))
                await asyncio.sleep(0)  # lets the new ones run, up to where they wait
        made = sum(len(tasks) for _, tasks in groups)
        print(f"made {made} units\nstopped by: {guard.stopped_by}")
    await asyncio.sleep(guard.linger_s())
    for release, tasks in groups:
        release.set()
        await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main())
