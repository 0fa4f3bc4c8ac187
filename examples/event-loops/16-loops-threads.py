"""Run a loop in each of several threads, each with its own server and clients."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from streams import exchange
from tasks import LOOPS, MESSAGES, split, timed


def run_loop(messages: int) -> int:
    return asyncio.run(exchange(messages, 20))


def main() -> None:
    with ThreadPoolExecutor(LOOPS) as pool, timed():
        print(f"{sum(pool.map(run_loop, split(MESSAGES, LOOPS)))} echoes")


if __name__ == "__main__":
    main()
