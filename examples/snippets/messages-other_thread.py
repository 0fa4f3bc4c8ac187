import asyncio
from concurrent.futures import ThreadPoolExecutor


async def main():
    loop = asyncio.get_running_loop()
    loop.set_debug(True)  # as PYTHONASYNCIODEBUG=1 does
    with ThreadPoolExecutor() as pool:
        error = pool.submit(loop.call_soon, print, "hello").exception()
        print(f"{type(error).__name__}: {error}")
        pool.submit(loop.call_soon_threadsafe, print, "hello").result()  # the cure
    await asyncio.sleep(0.01)


asyncio.run(main())
