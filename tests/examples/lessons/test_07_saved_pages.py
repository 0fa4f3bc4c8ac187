"""What the check of lesson 7 says of attempts, right and wrong."""

from collections.abc import Callable

import pytest

NAME = "07-saved_pages"
HEAD = "import asyncio\n\n\nasync def save_all(save, pages):\n    "
GROUP = "async with asyncio.TaskGroup() as group:\n        for page in pages:\n            "
TASKS = "tasks = [asyncio.create_task(save(page)) for page in pages]\n    "
EARLY = "must save_all returned when {} of 3 saves had begun and {} had ended"
APART = "must not all at the same time: {} of 3 saves had begun when none could go on"
UNAWAITED = "must save(…) was called 3 times and never awaited"
ASKED = "must save_all asked a task for its result when 0 of 3 saves had ended"
FAILED = "must a task ended with TypeError: "
SILENT = "must saving page 1 failed, and save_all raised nothing"
LEAVES = "remark when a save fails, save_all raises its error while up to 2 other saves are still running"
RIGHT = "praise no page is lost in any of 6 orders, and save_all raises the error when a save fails"
WAITED = EARLY.replace("save_all", "save_all waited {} s and")


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        (f"{GROUP}group.create_task(save(page))\n", [RIGHT]),
        ("await asyncio.gather(*map(save, pages))\n", [LEAVES, RIGHT]),
        (f"{TASKS}for task in tasks:\n        await task\n", [LEAVES, RIGHT]),
        (f"{TASKS}await asyncio.wait(tasks)\n    [task.result() for task in tasks]\n", [RIGHT]),
        (
            (
                f"{TASKS}while not all(task.done() for task in tasks):\n        await asyncio.sleep(1)\n"
                "    [task.result() for task in tasks]\n"
            ),
            ["should it asks again and again", RIGHT],
        ),
        ("for page in pages:\n        save(page)\n", [UNAWAITED]),
        (
            "await asyncio.gather(*(asyncio.to_thread(save, page) for page in pages))\n",
            [UNAWAITED],
        ),
        (f"{TASKS}return [task.result() for task in tasks]\n", [ASKED]),
        (f"{TASKS}await asyncio.wait([asyncio.create_task(asyncio.sleep('1'))])\n", [FAILED]),
        ("asyncio.gather(*map(save, pages))\n", [EARLY.format(0, 0)]),
        (f"{TASKS}await asyncio.sleep(0)\n", [EARLY.format(3, 0)]),
        (f"{TASKS}await asyncio.sleep(100)\n", [WAITED.format(100, 3, 0)]),
        (f"{TASKS}await asyncio.wait(tasks, timeout=5)\n", [WAITED.format(5, 3, 0)]),
        (f"{TASKS}await tasks[-1]\n", [EARLY.format(3, 2)]),
        ("for page in pages:\n        await save(page)\n", [APART.format(1)]),
        (
            "for page in pages:\n        await asyncio.create_task(save(page))\n",
            [APART.format(1)],
        ),
        (
            (
                "places = asyncio.Semaphore(2)\n\n"
                "    async def save_one(page):\n        async with places:\n            await save(page)\n\n"
                "    await asyncio.gather(*map(save_one, pages))\n"
            ),
            [APART.format(2)],
        ),
        (f"{TASKS}await asyncio.wait(tasks)\n", [SILENT]),
        ("await asyncio.gather(*map(save, pages), return_exceptions=True)\n", [SILENT]),
        (
            f"async with asyncio.timeout(9):\n        {TASKS}await asyncio.wait(tasks)\n".replace(
                "\n    await", "\n        await"
            ),
            ["must a timeout ended save_all when 0 of 3 saves had ended"],
        ),
        (
            f"{TASKS}await asyncio.gather(*map(save, pages))\n    await asyncio.gather(*tasks)\n",
            ["must each page should be saved once, and these were: page 1, page 2, page 3, page 1"],
        ),
        (
            f"{TASKS}await asyncio.Event().wait()\n",
            ["must all saves have ended, and save_all still waits"],
        ),
        (
            f"{GROUP}group.create_task(save)\n",
            ["must line 7: TypeError: a coroutine was expected"],
        ),
        (
            f"{GROUP}group.create_task(save(page))\n".replace("async with", "with"),
            [
                "must line 5: TypeError: 'TaskGroup' object does not support the context manager protocol: its"
            ],
        ),
    ],
)
def test_an_attempt_hears_what_is_true_of_it(
    attempt: str, said: list[str], hear: Callable[..., list[tuple[str, str]]]
):
    remarks = [" ".join(remark) for remark in hear(NAME, HEAD + attempt)]
    starts = [remark[: len(start)] for remark, start in zip(remarks, said, strict=True)]
    assert starts == said


def test_what_cannot_be_awaited_hears_so(hear: Callable[..., list[tuple[str, str]]]):
    remarks = hear(NAME, "def save_all(save, pages):\n    pass\n")
    assert remarks == [("must", "save_all can't be awaited: keep its async def")]
