"""Save pages at the same time. Fix it: at the end a page is missing."""

import asyncio

saved = []


async def save_all(save, pages):
    """Save all pages at the same time; return when all are saved, or raise."""
    for page in pages:
        asyncio.create_task(save(page))
    await asyncio.sleep(0.5)  # that should be enough


async def save(page):
    await asyncio.sleep(len(page) / 10)  # the network
    saved.append(page)


async def main():
    await save_all(save, ["news", "tea", "weather"])
    print("all saved:", saved)


if __name__ == "__main__":
    asyncio.run(main())
