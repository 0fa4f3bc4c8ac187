"""Tickets of a hundred days, a pool of threads, but a new client for each day: every one connects
anew and loads the trusted certificates anew, over plain HTTP too."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, describe, find_cheapest, list_days, make_context, timed
from urllib3 import PoolManager


def work(day: str) -> int:
    with PoolManager(ssl_context=make_context()) as client:  # many clients do this unasked
        return find_cheapest(client, day)


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        prices = list(pool.map(work, list_days()))
        print(describe(prices))


if __name__ == "__main__":
    main()
