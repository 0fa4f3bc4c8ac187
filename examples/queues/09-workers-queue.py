"""Feed a hundred workers from a bounded queue, for work that arrives bit by bit."""

import asyncio

from tasks import ANSWERS, LIMIT, ROOM, ask, timed


async def work(queue: asyncio.Queue) -> list[int]:
    answers = []
    try:
        while True:
            answers.append(await ask(await queue.get()))
    except asyncio.QueueShutDown:  # and nothing is left
        return answers


async def main() -> None:
    queue = asyncio.Queue(maxsize=ROOM)
    async with asyncio.TaskGroup() as group:
        workers = [group.create_task(work(queue)) for _ in range(LIMIT)]
        for number in range(ANSWERS):
            await queue.put(number)
        queue.shutdown()
    answers = [answer for worker in workers for answer in worker.result()]
    print(f"{len(answers)} answers")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
