"""Make a blocking call in FastAPI's `async def`: nobody else is answered meanwhile."""

import asyncio

from fastapi import FastAPI
from tasks import call, report, send_requests, timed

app = FastAPI()


@app.get("/")
async def view() -> dict[str, int]:
    return {"answer": call()}  # in the event loop


if __name__ == "__main__":
    with timed():
        print(report(asyncio.run(send_requests(app))))
