import asyncio


async def fetch():
    return "page"


async def main():
    try:
        print(fetch().upper())
    except AttributeError as error:
        print(f"{type(error).__name__}: {error}")
    print((await fetch()).upper())  # the cure


asyncio.run(main())
