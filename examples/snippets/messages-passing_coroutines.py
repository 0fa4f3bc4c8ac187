import asyncio


async def main():
    calls = [asyncio.sleep(0.01, number) for number in range(3)]
    try:
        await asyncio.wait(calls)
    except TypeError as error:
        print(f"{type(error).__name__}: {error}")
    print(await asyncio.gather(*calls))  # the cure


asyncio.run(main())
