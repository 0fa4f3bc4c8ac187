import asyncio
import httpx


async def main():
    async with httpx.AsyncClient() as client:
        pass  # the cure: all requests stand here
    try:
        await client.get("http://127.0.0.1")
    except RuntimeError as error:
        print(f"RuntimeError: {error}")


asyncio.run(main())
