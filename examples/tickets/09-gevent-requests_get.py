"""The code of threads around `requests.get`, but greenlets take the place of the threads: one thread
runs them all, because what would wait was replaced by what lets others work."""

from gevent import monkey

monkey.patch_all()  # before any other import: what is imported earlier keeps on blocking

from concurrent.futures import ThreadPoolExecutor  # noqa: E402
from functools import partial  # noqa: E402

import requests  # noqa: E402
from tasks import WORKERS, describe, find_cheapest_by, list_days, timed  # noqa: E402


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        prices = list(pool.map(partial(find_cheapest_by, requests.get), list_days()))
        print(describe(prices))


if __name__ == "__main__":
    main()
