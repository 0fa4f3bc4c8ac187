"""Look up addresses together. Fix it: each look-up stops the clock."""

import asyncio
from time import sleep


async def look_up_all(look_up, names):
    """Look up all names at the same time; return addresses in their order."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(find(look_up, name)) for name in names]
    return [task.result() for task in tasks]


async def find(look_up, name):
    return look_up(name)


def look_up(name):
    sleep(0.5)  # a library that knows nothing of asyncio
    return f"the address of {name}"


async def tick():
    while True:
        print("tick")
        await asyncio.sleep(0.1)


async def main():
    clock = asyncio.create_task(tick())
    print(await look_up_all(look_up, ["python.org", "pypi.org"]))
    clock.cancel()


if __name__ == "__main__":
    asyncio.run(main())
