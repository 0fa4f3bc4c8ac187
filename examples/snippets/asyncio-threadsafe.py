import asyncio
from threading import Thread


async def fetch(page):
    await asyncio.sleep(0.1)  # the request
    return f"page {page}"


loop = asyncio.new_event_loop()
thread = Thread(target=loop.run_forever)
thread.start()
try:
    asked = [asyncio.run_coroutine_threadsafe(fetch(page), loop) for page in range(3)]
    print([one.result(timeout=5) for one in asked])
finally:
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
