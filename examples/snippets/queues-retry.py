import asyncio
import random

ATTEMPTS, BASE_S, MOST_S = 5, 0.05, 1.0
answers = iter([ConnectionError("try later"), ConnectionError("try later"), "42"])


async def ask():
    async with asyncio.timeout(1):  # of one attempt
        await asyncio.sleep(0.01)  # the request
        answer = next(answers)  # this server answers the third time
        if isinstance(answer, Exception):
            raise answer
        return answer


async def ask_patiently():
    for attempt in range(ATTEMPTS - 1):
        try:
            return await ask()
        except (ConnectionError, TimeoutError):  # what may pass by itself, and nothing else
            longest_s = min(MOST_S, BASE_S * 2**attempt)
            await asyncio.sleep(random.uniform(0, longest_s))  # full jitter
    return await ask()  # the last attempt fails for good


async def main():
    async with asyncio.timeout(10):  # of all attempts together
        print("the answer:", await ask_patiently())


asyncio.run(main())
