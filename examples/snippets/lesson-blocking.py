import asyncio
import time


async def tick():
    while True:
        print("    tick")
        await asyncio.sleep(0.1)


async def main():
    clock = asyncio.create_task(tick())
    print("look up in a thread")
    await asyncio.to_thread(time.sleep, 0.25)
    print("look up here")
    time.sleep(0.25)
    clock.cancel()


asyncio.run(main())
