"""A service that allows so many at once: it refuses, raises, is late, or drops what is too much."""

import asyncio
import threading
import time

_eight = threading.BoundedSemaphore(8)
_five = threading.BoundedSemaphore(5)
_three = threading.BoundedSemaphore(3)
_room = asyncio.BoundedSemaphore(6)
_inside = 0


class TooMany(Exception):
    pass


def answer(number):
    """Returns a refusal in place of a page."""
    if not _eight.acquire(blocking=False):
        return "429 too many requests"
    try:
        time.sleep(0.03)
        return f"page {number}"
    finally:
        _eight.release()


def fail(number):
    if not _five.acquire(blocking=False):
        raise TooMany("429")
    try:
        time.sleep(0.03)
        return f"page {number}"
    finally:
        _five.release()


def drop(number):
    """Answers with nothing."""
    if not _three.acquire(blocking=False):
        return None
    try:
        time.sleep(0.03)
        return {"page": number}
    finally:
        _three.release()


async def fetch(number):
    if _room.locked():
        raise TooMany("429")
    async with _room:
        await asyncio.sleep(0.03)
        return number


def queue_up(number):
    """Lets the others wait: more workers gain nothing, and nothing is refused."""
    with _three:
        time.sleep(0.02)
    return number
