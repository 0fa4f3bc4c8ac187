"""The image in async def: the loop itself draws it, and answers nobody meanwhile."""

import asyncio

from service import draw, serve


async def answer_image() -> int:
    return draw()


if __name__ == "__main__":
    asyncio.run(serve(answer_image))
