"""One lookup after another without tasks: nothing overlaps, and nothing has to wait."""

import asyncio

from cache import look_up
from tasks import LOOKUPS, timed


async def main() -> None:
    found = [await look_up(key % 100) for key in range(LOOKUPS)]
    print(f"{len(found)} found")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
