import asyncio


async def take(first, second):
    async with first:
        await asyncio.sleep(0)  # the other takes its first lock
        async with second:
            pass


async def main():
    accounts, journal = asyncio.Lock(), asyncio.Lock()
    tasks = [
        asyncio.create_task(take(accounts, journal), name="transfer"),
        asyncio.create_task(take(journal, accounts), name="audit"),
    ]
    await asyncio.sleep(0.1)
    for task in tasks:
        asyncio.print_call_graph(task)
        task.cancel()
    await asyncio.wait(tasks)


asyncio.run(main())
