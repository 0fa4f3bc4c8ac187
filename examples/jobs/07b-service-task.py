"""The image in its own task: a task runs in the loop too, which answers nobody meanwhile."""

import asyncio

from service import draw, serve


async def draw_async() -> int:
    return draw()


async def answer_image() -> int:
    return await asyncio.create_task(draw_async())


if __name__ == "__main__":
    asyncio.run(serve(answer_image))
