"""What the check of lesson 8 says of attempts, right and wrong."""

from collections.abc import Callable

import pytest

NAME = "08-blocked_loop"
HEAD = """import asyncio
import concurrent.futures
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from threading import Thread


"""
FIND = """async def look_up_all(look_up, names):
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(find(look_up, name)) for name in names]
    return [task.result() for task in tasks]


async def find(look_up, name):
    """
ALL = "async def look_up_all(look_up, names):\n    "
POOL = "with ThreadPoolExecutor({}) as pool:\n        "
RUNS = (
    "calls = [asyncio.get_running_loop().run_in_executor(pool, look_up, name) for name in names]\n"
)
GATHERS = "        return await asyncio.gather(*calls)\n"
RIGHT = "praise all look-ups wait at the same time, and the loop goes on"
INSIDE = (
    "must look_up runs in the loop's own thread: until it returns, the loop can do nothing else"
)
STANDS = "must look_up runs outside the loop's thread, but that thread stands still"
APART = "must not all at the same time: {} of 3 look-ups had begun when none could go on"
COMES = "must look_up_all should return 192.0.2.24, 192.0.2.56, 192.0.2.98, but it returned "


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        (f"{FIND}return await asyncio.to_thread(look_up, name)\n", RIGHT),
        (f"{ALL}{POOL.format('')}{RUNS}{GATHERS}", RIGHT),
        (
            f"{ALL}return await asyncio.gather(*(asyncio.to_thread(look_up, name) for name in names))\n",
            RIGHT,
        ),
        (
            (
                f"{ALL}{POOL.format('')}futures = [pool.submit(look_up, name) for name in names]\n"
                "        return [await asyncio.wrap_future(future) for future in futures]\n"
            ),
            RIGHT,
        ),
        (
            f"{ALL}with ProcessPoolExecutor(3) as pool:\n        {RUNS}{GATHERS}",
            "remark processes work, but look_up only waits",
        ),
        (f"{FIND}return look_up(name)\n", INSIDE),
        (f"{FIND}await asyncio.sleep(0)\n    return look_up(name)\n", INSIDE),
        (
            f"{FIND}return await asyncio.to_thread(look_up(name))\n",
            f"{INSIDE}. It ran first, and what it returned, '192.0.2.24', was handed over",
        ),
        (f"{FIND}return await look_up(name)\n", f"{INSIDE}. It is no async function"),
        (
            (
                f"{ALL}with ProcessPoolExecutor(3) as pool:\n"
                "        calls = [pool.submit(look_up, name) for name in names]\n"
                "        concurrent.futures.wait(calls)\n"
                "    return [call.result() for call in calls]\n"
            ),
            STANDS,
        ),
        (
            f"{ALL}{POOL.format('')}return list(pool.map(look_up, names))\n",
            STANDS,
        ),
        (f"{FIND}{POOL.format(1)}return pool.submit(look_up, name).result()\n", STANDS),
        (
            (
                f"{FIND}thread = Thread(target=look_up, args=(name,))\n"
                "    thread.start()\n    thread.join()\n"
            ),
            STANDS,
        ),
        (
            f"{ALL}with ProcessPoolExecutor(3) as pool:\n        return list(pool.map(look_up, names))\n",
            STANDS,
        ),
        (
            f"{ALL}return [await asyncio.to_thread(look_up, name) for name in names]\n",
            APART.format(1),
        ),
        (f"{ALL}{POOL.format(2)}{RUNS}{GATHERS}", APART.format(2)),
        (
            f"{FIND}return asyncio.to_thread(look_up, name)\n",
            f"{COMES}coroutine, coroutine, coroutine. These are calls that were never awaited",
        ),
        (f"{FIND}await asyncio.to_thread(look_up, name)\n", f"{COMES}NoneType, NoneType"),
        (
            (
                f"{ALL}found = []\n\n    async def find(name):\n"
                "        found.append(await asyncio.to_thread(look_up, name))\n\n"
                "    await asyncio.gather(*map(find, names))\n    return found\n"
            ),
            f"{COMES}192.0.2.98, 192.0.2.56, 192.0.2.24",
        ),
        (f"{FIND}await asyncio.sleep(1)\n    return 'an address'\n", f"{COMES}an address"),
        ("def look_up_all(look_up, names):\n    pass\n", "must look_up_all can't be awaited"),
    ],
)
def test_an_attempt_hears_what_is_true_of_it(
    attempt: str, said: str, hear: Callable[..., list[tuple[str, str]]]
):
    ((kind, text),) = hear(NAME, HEAD + attempt)
    assert f"{kind} {text}".startswith(said)
