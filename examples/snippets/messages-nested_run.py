import asyncio


async def fetch():
    return "page"


async def main():
    page = fetch()
    try:
        asyncio.run(page)
    except RuntimeError as error:
        print(f"{type(error).__name__}: {error}")
    print(await page)  # the cure


asyncio.run(main())
