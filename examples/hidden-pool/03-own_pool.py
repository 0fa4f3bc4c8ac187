"""Give slow calls a separate pool, as large as in 02: the lookup finds the default one free."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tasks import TASKS, THREADS, call, look_up, report, timed


async def main(slow: ThreadPoolExecutor) -> None:
    loop = asyncio.get_running_loop()
    calls = [loop.run_in_executor(slow, call) for _ in range(TASKS)]
    waited_s = await look_up()
    print(report(await asyncio.gather(*calls), waited_s))


if __name__ == "__main__":
    with timed(), ThreadPoolExecutor(THREADS) as slow:
        asyncio.run(main(slow))
