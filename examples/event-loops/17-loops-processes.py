"""A loop in each of several processes."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

from streams import exchange
from tasks import LOOPS, MESSAGES, PROCESSES, split, timed


def run_loop(messages: int) -> int:
    return asyncio.run(exchange(messages, 20))


def main() -> None:
    with timed(), ProcessPoolExecutor(LOOPS, mp_context=PROCESSES) as pool:
        print(f"{sum(pool.map(run_loop, split(MESSAGES, LOOPS)))} echoes")


if __name__ == "__main__":
    main()
