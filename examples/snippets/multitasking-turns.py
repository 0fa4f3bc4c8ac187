import asyncio


async def count(name):
    for step in range(3):
        print(name, step)
        await asyncio.sleep(0)


async def main():
    async with asyncio.TaskGroup() as group:
        group.create_task(count("a"))
        group.create_task(count("b"))


asyncio.run(main())
