import asyncio


def read():
    return 42


async def main():
    try:
        await read()
    except TypeError as error:
        print(f"{type(error).__name__}: {error}")
    print(read())  # the cure: it's an ordinary function


asyncio.run(main())
