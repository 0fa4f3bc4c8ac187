import asyncio


async def answer(reader):
    try:
        async with asyncio.timeout(0.1):
            return await reader.readline()
    except TimeoutError:
        return b"no answer"


async def main():
    print(await answer(asyncio.StreamReader()))  # nobody will ever write to it


asyncio.run(main())
