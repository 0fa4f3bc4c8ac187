import asyncio
import httpx


async def main():
    try:
        with httpx.AsyncClient():
            pass
    except TypeError as error:
        print(f"TypeError: {error}")
    async with httpx.AsyncClient():  # the cure
        pass


asyncio.run(main())
