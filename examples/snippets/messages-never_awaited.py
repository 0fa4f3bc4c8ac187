import asyncio


async def save():
    print("saved")


async def main():
    save()  # only makes a coroutine
    await save()  # the cure


asyncio.run(main())
