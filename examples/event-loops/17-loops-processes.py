"""Run a loop in each of several processes."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from time import sleep

from streams import exchange
from tasks import LOOPS, MESSAGES, PROCESSES, split, timed


def run_loop(messages: int) -> int:
    return asyncio.run(exchange(messages, 20))


def main() -> None:
    with ProcessPoolExecutor(LOOPS, mp_context=PROCESSES) as pool:
        list(pool.map(sleep, [0.1] * LOOPS))  # starts all of them before the clock
        with timed():
            print(f"{sum(pool.map(run_loop, split(MESSAGES, LOOPS)))} echoes")


if __name__ == "__main__":
    main()
