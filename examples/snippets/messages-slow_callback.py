import asyncio
import time


async def main():
    time.sleep(0.2)  # noqa: ASYNC251 - blocks the loop
    await asyncio.to_thread(time.sleep, 0.2)  # the cure


asyncio.run(main(), debug=True)
