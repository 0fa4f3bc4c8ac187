"""Make the call in FastAPI's `def`: it runs in one of forty threads."""

import asyncio

from fastapi import FastAPI
from tasks import call, report, send_requests, timed

app = FastAPI()


@app.get("/")
def view() -> dict[str, int]:
    return {"answer": call()}  # in a thread of AnyIO


if __name__ == "__main__":
    with timed():
        print(report(asyncio.run(send_requests(app))))
