import asyncio
import aiohttp


async def create_session():
    return aiohttp.ClientSession()  # belongs to the loop that runs this


async def fetch(session):
    try:
        await session.get("http://127.0.0.1:9")
    except RuntimeError as error:
        print(f"RuntimeError: {error}")
    await session.close()


first = asyncio.new_event_loop()
session = first.run_until_complete(create_session())
asyncio.run(fetch(session))  # another loop
first.close()
