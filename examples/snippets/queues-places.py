import asyncio

PLACES = 100
answers = []


async def fetch(number):
    await asyncio.sleep(0.001)  # the request
    answers.append(number)


async def main():
    places, most = asyncio.Semaphore(PLACES), 0
    async with asyncio.TaskGroup() as group:
        for number in range(1000):
            await places.acquire()  # before the task exists, not inside it
            task = group.create_task(fetch(number))
            task.add_done_callback(lambda _: places.release())
            most = max(most, len(asyncio.all_tasks()) - 1)  # without this one
    print(len(answers), "answers, never more than", most, "tasks")


asyncio.run(main())
