import asyncio

background = set()


def start(coroutine):
    task = asyncio.create_task(coroutine)
    background.add(task)
    task.add_done_callback(background.discard)
    return task


async def main():
    start(asyncio.sleep(0.1))
    print("kept:", len(background))
    await asyncio.sleep(0.2)
    print("kept:", len(background))


asyncio.run(main())
