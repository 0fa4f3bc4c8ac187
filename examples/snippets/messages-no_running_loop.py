import asyncio


async def fetch():
    return "page"


page = fetch()
try:
    asyncio.create_task(page)  # noqa: RUF006
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")
print(asyncio.run(page))  # the cure: a loop first
