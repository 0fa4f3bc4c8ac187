"""Make the call in a separate pool, as large as you need it, and await it in `async def`."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from fastapi import FastAPI
from tasks import THREADS, call, report, send_requests, timed

app = FastAPI()
slow_calls = ThreadPoolExecutor(THREADS)


@app.get("/")
async def view() -> dict[str, int]:
    loop = asyncio.get_running_loop()
    return {"answer": await loop.run_in_executor(slow_calls, call)}


if __name__ == "__main__":
    with timed(), slow_calls:
        print(report(asyncio.run(send_requests(app))))
