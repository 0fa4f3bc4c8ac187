import asyncio


async def fetch():
    return "page"


async def main():
    page = fetch()
    print(await page)
    try:
        await page
    except RuntimeError as error:
        print(f"{type(error).__name__}: {error}")


asyncio.run(main())
