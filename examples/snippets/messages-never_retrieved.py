import asyncio


async def save():
    raise ValueError("disk full")


async def main():
    task = asyncio.create_task(save())
    await asyncio.sleep(0)
    del task  # nobody has awaited it


asyncio.run(main())
