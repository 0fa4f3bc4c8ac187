import asyncio


async def work(name):
    await asyncio.sleep(0.1)
    return name


async def main():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(n)) for n in range(3)]
    print([task.result() for task in tasks])


asyncio.run(main())
