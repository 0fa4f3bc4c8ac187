"""Tickets of a hundred days, a pool of processes: the waits overlap too, but every process takes
memory for an interpreter and a client of its own."""

from concurrent.futures import ProcessPoolExecutor
from functools import cache

from tasks import (
    PRELOADED,
    PROCESSES,
    WORKERS,
    describe,
    find_cheapest,
    list_days,
    make_client,
    timed,
)

own_client = cache(make_client)  # made when a process first asks for it


def work(day: str) -> int:
    return find_cheapest(own_client(1), day)


def main() -> None:
    PROCESSES.set_forkserver_preload(PRELOADED)  # imported once, not by each worker
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        prices = list(pool.map(work, list_days()))
        print(describe(prices))


if __name__ == "__main__":
    main()
