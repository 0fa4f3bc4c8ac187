import asyncio


async def wait_forever():
    await asyncio.Event().wait()


loop = asyncio.new_event_loop()
task = loop.create_task(wait_forever())
loop.run_until_complete(asyncio.sleep(0))
loop.close()  # asyncio.run() would cancel the task and wait for it
del task
