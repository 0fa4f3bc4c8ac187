"""The image in a process pool: the loop only awaits it, and keeps its own GIL."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

from service import draw, serve
from tasks import PROCESSES


def main() -> None:
    with ProcessPoolExecutor(1, mp_context=PROCESSES) as pool:
        pool.submit(int).result()  # the process runs before the first request comes

        async def answer_image() -> int:
            return await asyncio.get_running_loop().run_in_executor(pool, draw)

        asyncio.run(serve(answer_image))


if __name__ == "__main__":
    main()
