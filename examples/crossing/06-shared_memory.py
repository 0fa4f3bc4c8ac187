"""An object put into shared memory: copied once, then read in place; only name and size are sent."""

from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing.shared_memory import SharedMemory

from tasks import PROCESSES, SIZE, TASKS, describe, look_at, make, timed

attach = cache(SharedMemory)
"""A process attaches a block once, when it first hears of it."""


def look_into_block(name: str, size: int) -> int:
    with attach(name).buf[:size] as data:
        return look_at(data)


def hand_over(pool: ProcessPoolExecutor, block: SharedMemory, data: bytes) -> int:
    block.buf[: len(data)] = data
    return pool.submit(look_into_block, block.name, len(data)).result()


def main() -> None:
    data = make(SIZE)
    block = SharedMemory(create=True, size=SIZE)
    try:
        with ProcessPoolExecutor(1, mp_context=PROCESSES) as pool:
            hand_over(pool, block, b"\1")  # the process runs before the clock does
            with timed():
                print(describe([hand_over(pool, block, data) for _ in range(TASKS)]))
    finally:
        block.close()
        block.unlink()


if __name__ == "__main__":
    main()
