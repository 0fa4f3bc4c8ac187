"""Thirty pages, a pool of threads of the default size: as many waits overlap as it has threads."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tasks import TIMEOUT_S, count_cores, page_urls, timed
from urllib3 import PoolManager


def fetch(client: PoolManager, url: str) -> int:
    response = client.request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return len(response.data)


def main() -> None:
    workers = min(32, count_cores() + 4)  # what ThreadPoolExecutor() takes since Python 3.13
    with PoolManager(maxsize=workers) as client, ThreadPoolExecutor(workers) as pool, timed():
        sizes = list(pool.map(partial(fetch, client), page_urls(30)))
        print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()
