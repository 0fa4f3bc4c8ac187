"""Nobody keeps the task, and the event loop holds it only weakly: it is collected as garbage."""

import asyncio
import gc
from time import perf_counter
from weakref import WeakSet


async def main() -> None:
    async def listen() -> None:
        inboxes.add(inbox := asyncio.Queue())
        received.append(await inbox.get())

    inboxes, received, start = WeakSet(), [], perf_counter()
    asyncio.create_task(listen())  # noqa: RUF006 - nobody keeps it
    await asyncio.sleep(0)  # it begins to listen
    gc.collect()  # comes by itself, sooner or later
    for inbox in inboxes:
        inbox.put_nowait("the news")
    await asyncio.sleep(0)  # it receives
    print(f"listeners that got the news: {len(received)} of 1\ntime {perf_counter() - start:.6f} s")


if __name__ == "__main__":
    asyncio.run(main())
