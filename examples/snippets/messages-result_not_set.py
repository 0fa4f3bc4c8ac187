import asyncio


async def fetch():
    return "page"


async def main():
    task = asyncio.create_task(fetch())
    try:
        task.result()  # too early
    except asyncio.InvalidStateError as error:
        print(f"{type(error).__name__}: {error}")
    print(await task)  # the cure


asyncio.run(main())
