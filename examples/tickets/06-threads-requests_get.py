"""Tickets of a hundred days, a pool of threads around `requests.get`: each call makes a session of
its own, connects anew and, over TLS, loads the trusted certificates anew."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import requests
from tasks import WORKERS, describe, find_cheapest_by, list_days, timed


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        prices = list(pool.map(partial(find_cheapest_by, requests.get), list_days()))
        print(describe(prices))


if __name__ == "__main__":
    main()
