"""Look up several names. Fix it: each lookup stops the event loop."""

import asyncio
from time import sleep


async def look_up_all(look_up, names):
    """Look up all names at once, in tasks; return the addresses in the order of the names."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(find(look_up, name)) for name in names]
    return [task.result() for task in tasks]


async def find(look_up, name):
    return look_up(name)


def look_up(name):
    sleep(0.5)  # a library that blocks
    return f"the address of {name}"


async def show_life():
    while True:
        print("the loop is alive")
        await asyncio.sleep(0.1)


async def main():
    life = asyncio.create_task(show_life())
    print(await look_up_all(look_up, ["python.org", "pypi.org"]))
    life.cancel()


if __name__ == "__main__":
    asyncio.run(main())
