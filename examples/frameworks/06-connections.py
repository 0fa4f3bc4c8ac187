"""Keep a database connection during the call: forty threads want one, and the pool has fifteen."""

import asyncio

from fastapi import FastAPI
from sqlalchemy import QueuePool, create_engine, text
from tasks import POOL_SIZE, POOL_TIMEOUT_S, call, report, send_requests, timed

app = FastAPI()
engine = create_engine(
    "sqlite://",
    poolclass=QueuePool,  # as servers of databases have
    connect_args={"check_same_thread": False},
    pool_size=POOL_SIZE,
    max_overflow=10,
    pool_timeout=POOL_TIMEOUT_S,
)


@app.get("/")
def view() -> dict[str, int]:
    with engine.connect() as connection:  # waits for a free one, then fails
        title = connection.scalar(text("SELECT 'Ulysses'"))
        return {title: call()}


if __name__ == "__main__":
    with timed():
        print(report(asyncio.run(send_requests(app))))
    engine.dispose()
