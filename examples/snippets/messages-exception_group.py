import asyncio


async def fetch(page):
    raise OSError(f"no page {page}")


async def main():
    try:
        async with asyncio.TaskGroup() as group:
            for page in (1, 2):
                group.create_task(fetch(page))
    except* OSError as failed:
        print(f"{type(failed).__name__}: {failed}")
        print(*failed.exceptions, sep="\n")  # the cure: look into it


asyncio.run(main())
