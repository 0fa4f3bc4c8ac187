import asyncio

queue = asyncio.Queue()  # belongs to the first loop that waits on it


async def use():
    try:
        await asyncio.wait_for(queue.get(), 0.01)
    except TimeoutError:
        print("nothing yet")


asyncio.run(use())
try:
    asyncio.run(use())  # another loop
except RuntimeError as error:
    print("RuntimeError: <Queue …>" + str(error).rpartition(">")[2])
