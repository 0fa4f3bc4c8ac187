"""The image in a thread: the loop goes on, but with the GIL it waits for its turn at each step."""

import asyncio

from service import draw, serve


async def answer_image() -> int:
    return await asyncio.to_thread(draw)


if __name__ == "__main__":
    asyncio.run(serve(answer_image))
