"""A cache, and the slow source of everything that is not in it."""

import asyncio

from tasks import PAUSE_S, UNKNOWN

CACHE = {key: str(key) for key in range(UNKNOWN, 1000)}


async def look_up(key: int) -> str:
    """What stands under a key: at once if it is in the cache, else after a wait."""
    if key not in CACHE:
        await asyncio.sleep(PAUSE_S)  # somebody else is asked
        return str(key)
    return CACHE[key]
