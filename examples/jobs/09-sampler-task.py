"""The sampler as a task next to the crunching, which never awaits: the loop comes to no sample in time."""

import asyncio
from time import perf_counter

from sampler import EVERY_S, SAMPLES, crunch, report
from tasks import timed


async def take_samples_async() -> list[float]:
    start = perf_counter()
    late_s = []
    for number in range(SAMPLES):
        due = start + number * EVERY_S
        await asyncio.sleep(due - perf_counter())
        late_s.append(perf_counter() - due)
    return late_s


async def crunch_async() -> int:
    return crunch()


async def main() -> None:
    with timed():
        late_s, _ = await asyncio.gather(take_samples_async(), crunch_async())
        print(report(late_s))


if __name__ == "__main__":
    asyncio.run(main())
