"""One coroutine reads, ten store, and the queue between them takes whatever comes."""

import asyncio

from tasks import CONSUMERS, read_records, report, store_async, timed


async def consume(queue: asyncio.Queue) -> list[int]:
    sizes = []
    try:
        while True:
            sizes.append(await store_async(await queue.get()))
    except asyncio.QueueShutDown:  # and nothing is left
        return sizes


async def main() -> None:
    queue = asyncio.Queue()  # as long as memory lasts
    async with asyncio.TaskGroup() as group:  # one failure ends all
        consumers = [group.create_task(consume(queue)) for _ in range(CONSUMERS)]
        for record in read_records():
            await queue.put(record)  # never waits, and so never gives way
        queue.shutdown()
    sizes = [size for consumer in consumers for size in consumer.result()]
    print(report(sizes))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
