"""Two workers call an API that takes 50 calls a second: each keeps to its share of the rate."""

import asyncio
import time
from collections import deque
from random import uniform


class Rate:
    """Lets a call start every `1 / per_second` seconds; use one for all tasks of a worker."""

    def __init__(self, per_second: float) -> None:
        self.step_s, self.next_s = 1 / per_second, 0.0

    async def wait(self) -> None:
        now = time.monotonic()
        start_s = max(now, self.next_s)
        self.next_s = start_s + self.step_s  # no await in between: no lock is needed
        await asyncio.sleep(start_s - now)


accepted: deque[float] = deque()


def call_api() -> int:
    """Stand in for a server that takes 50 calls in any second."""
    now = time.monotonic()
    while accepted and accepted[0] < now - 1:
        accepted.popleft()
    if len(accepted) == 50:
        return 429
    accepted.append(now)
    return 200


async def call(rate: Rate, refused: list[int]) -> None:
    await rate.wait()
    while (status := call_api()) == 429:
        refused.append(status)
        await asyncio.sleep(0.5 + uniform(0, 0.5))  # what Retry-After says, and jitter
        await rate.wait()


async def work(per_second: float, refused: list[int]) -> None:
    rate = Rate(per_second)
    await asyncio.gather(*(call(rate, refused) for _ in range(40)))


async def main() -> None:
    for per_second in (50, 20):  # the whole rate each; less than half of it each
        accepted.clear()
        refused: list[int] = []
        await asyncio.gather(work(per_second, refused), work(per_second, refused))
        print(
            f"two workers of {per_second} a second:", "some refused" if refused else "none refused"
        )


asyncio.run(main())
