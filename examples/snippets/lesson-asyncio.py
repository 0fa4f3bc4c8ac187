import asyncio


async def save(page):
    print("begin", page)
    await asyncio.sleep(0.2)  # the network
    print("end", page)


async def main():
    async with asyncio.TaskGroup() as group:
        for page in ("news", "tea", "weather"):
            group.create_task(save(page))
    print("all saved")


asyncio.run(main())
