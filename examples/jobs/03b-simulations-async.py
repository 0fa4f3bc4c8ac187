"""A task of asyncio for each simulation: one thread runs them one after another."""

import asyncio

from tasks import SEEDS, simulate, timed


async def simulate_async(seed: int) -> int:
    return simulate(seed)


async def main() -> None:
    with timed():
        distances = await asyncio.gather(*map(simulate_async, SEEDS))
        print(f"{len(distances)} simulations, farthest {max(distances)}")


if __name__ == "__main__":
    asyncio.run(main())
