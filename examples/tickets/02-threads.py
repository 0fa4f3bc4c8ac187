"""Tickets of a hundred days, a pool of threads: each of them waits, all of them share a client."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tasks import WORKERS, describe, find_cheapest, list_days, make_client, timed


def main() -> None:
    with make_client(WORKERS) as client, timed(), ThreadPoolExecutor(WORKERS) as pool:
        prices = list(pool.map(partial(find_cheapest, client), list_days()))
        print(describe(prices))


if __name__ == "__main__":
    main()
