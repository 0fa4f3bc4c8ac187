import asyncio
from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor() as pool:
    error = pool.submit(asyncio.get_event_loop).exception()
    print(f"{type(error).__name__}: {error}")
    print(pool.submit(asyncio.run, asyncio.sleep(0.01, "page")).result())  # the cure
