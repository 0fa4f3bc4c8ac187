"""Save pages at the same time: the group waits for all of its tasks."""

import asyncio

saved = []


async def save_all(save, pages):
    """Save all pages at the same time; return when all are saved, or raise."""
    async with asyncio.TaskGroup() as group:
        for page in pages:
            group.create_task(save(page))


async def save(page):
    await asyncio.sleep(len(page) / 10)  # the network
    saved.append(page)


async def main():
    await save_all(save, ["news", "tea", "weather"])
    print("all saved:", saved)


if __name__ == "__main__":
    asyncio.run(main())
