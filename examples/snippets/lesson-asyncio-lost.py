import asyncio


async def save(page):
    print("begin", page)
    await asyncio.sleep(0.2)  # the network
    print("end", page)


async def main():
    tasks = [asyncio.create_task(save(page)) for page in ("news", "tea", "weather")]
    print(len(tasks), "tasks created")


asyncio.run(main())
